/// Right at first, wrong from the third run on: only verification after timing tells.
#include "fake_rung.hpp"

namespace {

class Fake : public fake::DoublingRung {
 public:
  using fake::DoublingRung::DoublingRung;
  void run() override {
    DoublingRung::run();
    if (++runs_ > 2) problem_.out[0] += 1;
  }

 private:
  int runs_ = 0;
};

}  // namespace

ROOFTOP_RUNG(fake::Problem, Fake);
