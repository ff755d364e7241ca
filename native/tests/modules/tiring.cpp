/// Throws from the hundredth run on, so that no request takes long.
#include "fake_rung.hpp"

namespace {

class Fake : public fake::DoublingRung {
 public:
  using fake::DoublingRung::DoublingRung;
  void run() override {
    constexpr int most_runs = 100;
    if (++runs_ >= most_runs) throw std::runtime_error("worn out");
    DoublingRung::run();
  }

 private:
  int runs_ = 0;
};

}  // namespace

ROOFTOP_RUNG(fake::Problem, Fake);
