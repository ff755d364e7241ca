/// Gives NaN.
#include <limits>

#include "fake_rung.hpp"

namespace {

class Fake : public fake::DoublingRung {
 public:
  using fake::DoublingRung::DoublingRung;
  void run() override { problem_.out[0] = std::numeric_limits<double>::quiet_NaN(); }
};

}  // namespace

ROOFTOP_RUNG(fake::Problem, Fake);
