/// Crashes in run().
#include <csignal>

#include "fake_rung.hpp"

namespace {

class Fake : public fake::DoublingRung {
 public:
  using fake::DoublingRung::DoublingRung;
  void run() override { std::raise(SIGKILL); }
};

}  // namespace

ROOFTOP_RUNG(fake::Problem, Fake);
