/// A lab with a variant that leaves the last value out.
#include "fake_lab.hpp"

namespace {

class Short final : public fake::Fill {
 public:
  using Fill::Fill;
  void run() override {
    for (std::size_t i = 0; i + 1 < lab_.values.size(); ++i) lab_.values[i] = lab_.number;
  }
};

}  // namespace

ROOFTOP_LAB(fake::Filling, rooftop::variant<fake::Fill, fake::Filling>("10-plain", "Fills the list."),
            rooftop::variant<Short, fake::Filling>("20-short", "Fills most of it."));
