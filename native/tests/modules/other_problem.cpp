/// Made for another experiment.
#include "fake_rung.hpp"

namespace other {
using Problem = fake::Problem;
}
namespace {

class Fake : public fake::DoublingRung {
 public:
  using fake::DoublingRung::DoublingRung;
};

}  // namespace

ROOFTOP_RUNG(other::Problem, Fake);
