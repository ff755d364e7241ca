/// Doubles all but the last element, which it triples.
#include "fake_rung.hpp"

namespace {

class Fake : public fake::DoublingRung {
 public:
  using fake::DoublingRung::DoublingRung;
  void run() override {
    DoublingRung::run();
    problem_.out[problem_.size - 1] = 3 * problem_.in[problem_.size - 1];
  }
};

}  // namespace

ROOFTOP_RUNG(fake::Problem, Fake);
