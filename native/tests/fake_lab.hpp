/// Fills a list with a number, and looks at what it is told to look at.
#pragma once

#include <array>
#include <cmath>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

namespace fake {

class Filling : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t size;
    double number;
    std::string word;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::size>("size", 1, 1000),
                                     rooftop::field<&Parameters::number>("number", -1.5, 1e9),
                                     rooftop::field<&Parameters::word>("word")};
  static std::vector<Parameters> checks() { return {{1, 0.5, "one"}, {100, -1.5, ""}}; }

  Filling(const Parameters& parameters, const rooftop::Setting& setting)
      : number(parameters.number), word(parameters.word), threads(setting.threads) {
    values.resize(static_cast<std::size_t>(parameters.size));
  }

  void poison() override { values.assign(values.size(), std::nan("")); }
  void spoil() override { values.back() += 1; }
  [[nodiscard]] std::vector<rooftop::LabFigure> figures() const override {
    return {{.name = "filled_bytes", .value = static_cast<double>(values.size() * sizeof(double))}};
  }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    for (const double value : values) {
      if (value != number) return rooftop::exact("found " + std::to_string(value));
    }
    return rooftop::exact("");
  }

  const double number;
  const std::string word;
  const int threads;
  std::vector<double> values;
};

class Fill : public rooftop::LabRung {
 public:
  explicit Fill(Filling& lab) : lab_(lab) {}
  void run() override { lab_.values.assign(lab_.values.size(), lab_.number); }

 protected:
  Filling& lab_;
};

}  // namespace fake
