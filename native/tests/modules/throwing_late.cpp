/// Throws from the third run on, so in the middle of timing.
#include "fake_rung.hpp"

namespace {

class Fake : public fake::DoublingRung {
 public:
  using fake::DoublingRung::DoublingRung;
  void run() override {
    DoublingRung::run();
    if (++runs_ > 2) throw std::runtime_error("worn out");
  }

 private:
  int runs_ = 0;
};

}  // namespace

ROOFTOP_RUNG(fake::Problem, Fake);
