/// A lab with a parameter of each type, and variants that cannot be run everywhere.
#include "fake_lab.hpp"

namespace {

class OnlyWords final : public fake::Fill {
 public:
  explicit OnlyWords(fake::Filling& lab) : Fill(lab) {
    if (lab.word.empty()) throw rooftop::Skip("there is no word");
  }
};

}  // namespace

ROOFTOP_LAB(fake::Filling, rooftop::variant<fake::Fill, fake::Filling>("10-plain", "Fills the list."),
            rooftop::variant<fake::Fill, fake::Filling>("20-vectors.avx512", "The same."),
            rooftop::variant<fake::Fill, fake::Filling>("30-vectors.neon", "The same."),
            rooftop::variant<OnlyWords, fake::Filling>("40-words", "The same where there is a word."));
