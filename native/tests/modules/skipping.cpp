/// Does not apply here.
#include "fake_rung.hpp"

namespace {

class Fake : public fake::DoublingRung {
 public:
  explicit Fake(const fake::Problem& problem) : DoublingRung(problem) {
    if (problem.size != 3) throw rooftop::Skip("only three elements will do");
  }
};

}  // namespace

ROOFTOP_RUNG(fake::Problem, Fake);
