/// A lab that leaves a result where the next variant finds it.
#include "fake_lab.hpp"

namespace {

class Unpoisoned final : public fake::Filling {
 public:
  using Filling::Filling;
  void poison() override {}
};

}  // namespace

ROOFTOP_LAB(Unpoisoned, rooftop::variant<fake::Fill, Unpoisoned>("10-plain", "Fills the list."));
