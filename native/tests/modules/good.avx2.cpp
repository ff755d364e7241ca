/// Doubles with instructions that need a newer processor.
#include "fake_rung.hpp"

namespace {

class Fake : public fake::DoublingRung {
 public:
  using fake::DoublingRung::DoublingRung;
  void run() override { DoublingRung::run(); }
};

}  // namespace

ROOFTOP_RUNG(fake::Problem, Fake);
