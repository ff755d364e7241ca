/// Writes one element past the end: the result is right, and what the address sanitizer must see.
#include "fake_rung.hpp"

namespace {

class Fake : public fake::DoublingRung {
 public:
  using fake::DoublingRung::DoublingRung;
  void run() override {
    for (std::size_t i = 0; i <= problem_.size; ++i) problem_.out[i] = 2 * problem_.in[i % problem_.size];
  }
};

}  // namespace

ROOFTOP_RUNG(fake::Problem, Fake);
