// The data are a function of the seed, and a bad parameter is named with its value.
#include "../problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <rooftop/experiment.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace winograd {
namespace {

const nlohmann::json small{{"c", 3}, {"h", 10}, {"w", 12}, {"k", 5}, {"n", 2}, {"padding", 1}};

std::vector<float> image_of(const nlohmann::json& parameters, std::uint64_t seed, int threads) {
  const auto experiment = rooftop::make_experiment();
  experiment->set_up(parameters, seed, threads);
  const auto* p = static_cast<const Problem*>(experiment->problem());
  return {p->image, p->image + static_cast<std::size_t>(p->n) * p->c * p->h * p->w};
}

TEST(Problem, DataAreAFunctionOfTheSeed) {
  for (const char* data : {"random", "structured"}) {
    nlohmann::json parameters = small;
    parameters["data"] = data;
    EXPECT_EQ(image_of(parameters, 1, 1), image_of(parameters, 1, 2));
    EXPECT_NE(image_of(parameters, 1, 1), image_of(parameters, 2, 1));
  }
}

TEST(Problem, DataLieBetweenMinusOneAndOne) {
  for (const char* data : {"random", "structured"}) {
    nlohmann::json parameters{{"c", 16}, {"h", 50}, {"w", 50}, {"k", 5}, {"n", 2}, {"data", data}};
    const std::vector<float> image = image_of(parameters, 1, 2);
    const auto [lowest, highest] = std::minmax_element(image.begin(), image.end());
    EXPECT_GE(*lowest, -1.0F);
    EXPECT_LT(*highest, 1.0F);
    EXPECT_LT(*lowest, -0.2F);
    EXPECT_GT(*highest, 0.2F);
  }
}

TEST(Problem, ParametersArrive) {
  nlohmann::json parameters = small;
  parameters["layout"] = "blocked";
  parameters["filter"] = "prepared";
  parameters["accuracy"] = "relaxed";
  parameters["instructions"] = "avx2";
  const auto experiment = rooftop::make_experiment();
  experiment->set_up(parameters, 1, 3);
  const auto* p = static_cast<const Problem*>(experiment->problem());
  EXPECT_EQ(p->layout, Layout::blocked);
  EXPECT_EQ(p->filter_terms, Filter::prepared);
  EXPECT_EQ(p->accuracy, Accuracy::relaxed);
  EXPECT_EQ(p->instructions, Instructions::avx2);
  EXPECT_EQ(p->threads, 3);
  EXPECT_EQ(p->out_h(), 10);
  EXPECT_EQ(p->out_w(), 12);
  EXPECT_EQ(p->direct_flops(), 18.0 * 2 * 5 * 3 * 10 * 12);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(p->output) % 64, 0U);
}

struct Bad {
  const char* parameter;
  nlohmann::json value;
  const char* named;
};

TEST(Problem, BadParametersAreNamedWithTheirValue) {
  const std::vector<Bad> bad{{"c", 0, "0"},
                             {"c", -3, "-3"},
                             {"k", "many", "many"},
                             {"n", 1.5, "1.5"},
                             {"h", 0, "0"},
                             {"w", 99999999, "99999999"},
                             {"padding", 2, "2"},
                             {"layout", "nhwc", "nhwc"},
                             {"filter", 1, "1"},
                             {"accuracy", "", "\"\""},
                             {"data", "zero", "zero"},
                             {"instructions", "avx", "avx"}};
  for (const Bad& item : bad) {
    nlohmann::json parameters = small;
    parameters[item.parameter] = item.value;
    const auto experiment = rooftop::make_experiment();
    try {
      experiment->set_up(parameters, 1, 1);
      ADD_FAILURE() << item.parameter << " was accepted";
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find(item.parameter), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find(item.named), std::string::npos) << error.what();
      EXPECT_NE(std::string(error.what()).find("expected"), std::string::npos) << error.what();
    }
  }
}

TEST(Problem, MissingParameterAndTooLargeArrays) {
  nlohmann::json parameters = small;
  parameters.erase("k");
  EXPECT_THROW(rooftop::make_experiment()->set_up(parameters, 1, 1), std::invalid_argument);
  parameters = {{"c", 1000000}, {"h", 1000000}, {"w", 1000000}, {"k", 1000000}, {"n", 1000000}};
  EXPECT_THROW(rooftop::make_experiment()->set_up(parameters, 1, 1), std::invalid_argument);
}

}  // namespace
}  // namespace winograd
