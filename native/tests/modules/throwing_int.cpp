/// Throws what no handler expects.
#include "fake_rung.hpp"

namespace {

class Fake : public fake::DoublingRung {
 public:
  using fake::DoublingRung::DoublingRung;
  void run() override { throw 42; }
};

}  // namespace

ROOFTOP_RUNG(fake::Problem, Fake);
