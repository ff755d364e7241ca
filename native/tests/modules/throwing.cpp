/// Throws in run().
#include "fake_rung.hpp"

namespace {

class Fake : public fake::DoublingRung {
 public:
  using fake::DoublingRung::DoublingRung;
  void run() override { throw std::runtime_error("the fan stopped"); }
};

}  // namespace

ROOFTOP_RUNG(fake::Problem, Fake);
