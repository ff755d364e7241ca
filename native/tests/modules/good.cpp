/// Doubles by all threads.
#include <omp.h>

#include "fake_rung.hpp"

namespace {

class Fake : public fake::DoublingRung {
 public:
  using fake::DoublingRung::DoublingRung;
  void run() override {
#pragma omp parallel for
    for (std::size_t i = 0; i < problem_.size; ++i) problem_.out[i] = 2 * problem_.in[i];
  }
};

}  // namespace

ROOFTOP_RUNG(fake::Problem, Fake);
