/// Threads write the same element without order: right by chance, and what the thread sanitizer must see.
#include "fake_rung.hpp"

namespace {

class Fake : public fake::DoublingRung {
 public:
  using fake::DoublingRung::DoublingRung;
  void run() override {
    DoublingRung::run();
#pragma omp parallel for num_threads(2) schedule(static, 1)
    for (int thread = 0; thread < 2; ++thread) problem_.out[0] = 2 * problem_.in[0];
  }
};

}  // namespace

ROOFTOP_RUNG(fake::Problem, Fake);
