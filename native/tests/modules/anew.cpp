/// Begins each run anew, and says itself how long a run took.
#include "fake_rung.hpp"

namespace {

class Fake : public fake::DoublingRung {
 public:
  using fake::DoublingRung::DoublingRung;
  [[nodiscard]] bool starts_anew() const override { return true; }
  void run() override {
    DoublingRung::run();
    ++runs_;
  }
  [[nodiscard]] std::int64_t reported_ns() const override { return 5'000'000'000; }
  [[nodiscard]] rooftop::Work work() const override {
    rooftop::Work work = DoublingRung::work();
    work.device_calls = runs_;
    work.device_extent_bytes = 8;
    return work;
  }

 private:
  double runs_ = 0;
};

}  // namespace

ROOFTOP_RUNG(fake::Problem, Fake);
