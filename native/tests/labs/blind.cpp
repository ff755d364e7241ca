/// A lab whose verifier looks at the first value alone.
#include "fake_lab.hpp"

namespace {

class Blind final : public fake::Filling {
 public:
  using Filling::Filling;
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    return rooftop::exact(values.front() == number ? "" : "the first value");
  }
};

}  // namespace

ROOFTOP_LAB(Blind, rooftop::variant<fake::Fill, Blind>("10-plain", "Fills the list."));
