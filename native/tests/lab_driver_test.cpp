// threads: none, but those of a driver's rung, as in every check of one
#include <gtest/gtest.h>

#include "driver_process.hpp"

namespace {

std::string lab(const std::string& name) { return std::string(FAKE_LABS) + "/" + name + ".so"; }

DriverProcess lab_driver(const std::string& command, const std::string& file, std::vector<std::string> more = {}) {
  more.insert(more.begin(), {command, "--module", lab(file)});
  return DriverProcess(LAB_DRIVER, std::move(more));
}

const nlohmann::json right = {{"size", 10}, {"number", 0.5}, {"word", "x"}};

nlohmann::json ask_case(const nlohmann::json& parameters, const std::string& variant = "10-plain") {
  DriverProcess driver = lab_driver("run", "filling", {"--variant", variant});
  return driver.ask({{"op", "case"}, {"case", parameters}, {"seed", 1}, {"threads", 2}});
}

TEST(LabDriver, DescribesAVariantAndTheLab) {
  DriverProcess driver = lab_driver("describe", "filling", {"--variant", "20-vectors.avx512"});
  const auto line = nlohmann::json::parse(driver.receive().value());
  EXPECT_EQ(line["experiment"], "fake/lab");
  EXPECT_EQ(line["module"], "20-vectors");
  EXPECT_EQ(line["isa"], "avx512");
  EXPECT_EQ(line["variants"].size(), 4U);
  EXPECT_EQ(line["variants"][3], nlohmann::json({"40-words", "The same where there is a word."}));
  EXPECT_EQ(line["parameters"], nlohmann::json({"size", "number", "word"}));
  EXPECT_EQ(driver.finish(), 0);
}

TEST(LabDriver, MeasuresAVariant) {
  DriverProcess driver = lab_driver("run", "filling", {"--variant", "10-plain"});
  const nlohmann::json set_up = driver.ask({{"op", "case"}, {"case", right}, {"seed", 1}, {"threads", 2}});
  EXPECT_EQ(set_up["outcome"], "ok") << set_up;
  EXPECT_EQ(driver.ask({{"op", "sample"}, {"iterations", 3}})["iterations"], 3);
  const nlohmann::json verified = driver.ask({{"op", "verify"}});
  EXPECT_EQ(verified["outcome"], "ok");
  EXPECT_EQ(verified["facts"][0]["figures"], nlohmann::json({{"filled_bytes", 80}}));
}

TEST(LabDriver, ReadsTypedParameters) {
  const auto refused = [](const char* name, const nlohmann::json& value) {
    nlohmann::json parameters = right;
    if (value.is_discarded()) {
      parameters.erase(name);
    } else {
      parameters[name] = value;
    }
    const nlohmann::json reply = ask_case(parameters);
    EXPECT_EQ(reply["outcome"], "failed");
    EXPECT_EQ(reply["stage"], "set_up");
    return reply["reason"].get<std::string>();
  };
  const nlohmann::json missing(nlohmann::json::value_t::discarded);
  EXPECT_EQ(refused("size", 0), "'size' is 0: expected a whole number from 1 to 1000");
  EXPECT_EQ(refused("size", 1.5), "'size' is 1.5: expected a whole number from 1 to 1000");
  EXPECT_EQ(refused("size", ~std::uint64_t{0}),
            "'size' is 18446744073709551615: expected a whole number from 1 to 1000");
  EXPECT_EQ(refused("size", missing), "'size' is missing: expected a whole number from 1 to 1000");
  EXPECT_EQ(refused("number", -2), "'number' is -2: expected a number from -1.5 to 1000000000.0");
  EXPECT_EQ(refused("number", "1"), "'number' is \"1\": expected a number from -1.5 to 1000000000.0");
  EXPECT_EQ(refused("word", 1), "'word' is 1: expected a text");
  EXPECT_EQ(refused("length", 1), "'length' is not a parameter: expected size, number, word");
}

TEST(LabDriver, ReportsSkips) {
  nlohmann::json no_word = right;
  no_word["word"] = "";
  EXPECT_EQ(ask_case(no_word, "40-words")["reason"], "there is no word");
#if defined(__x86_64__)
  const nlohmann::json reply = ask_case(right, "30-vectors.neon");
  EXPECT_EQ(reply["outcome"], "skipped");
  EXPECT_EQ(reply["reason"], "processor lacks neon");
#endif
}

TEST(LabDriver, ChecksEveryVariantAndTheVerifier) {
  EXPECT_EQ(lab_driver("check", "filling").finish(), 0);
  EXPECT_EQ(lab_driver("check", "wrong").finish(), 1);
  DriverProcess blind = lab_driver("check", "blind");
  EXPECT_EQ(blind.finish(), 1);
  EXPECT_NE(blind.errors().find("does not catch a result that was spoiled: ok"), std::string::npos) << blind.errors();
  DriverProcess unpoisoned = lab_driver("check", "unpoisoned");
  EXPECT_EQ(unpoisoned.finish(), 1);
  EXPECT_NE(unpoisoned.errors().find("does not catch a result that was left untouched: ok"), std::string::npos);
}

TEST(LabDriver, MisuseIsOneLine) {
  const auto misuse = [](std::vector<std::string> words) {
    DriverProcess driver(LAB_DRIVER, std::move(words));
    const int code = driver.finish();
    const std::string& errors = driver.errors();
    EXPECT_TRUE(errors.starts_with("driver: ")) << errors;
    EXPECT_EQ(errors.find('\n'), errors.size() - 1) << errors;
    return code;
  };
  EXPECT_EQ(misuse({"run", "--module", lab("filling")}), 2);
  EXPECT_EQ(misuse({"run", "--module", lab("filling"), "--variant", "10-plane"}), 2);
  EXPECT_EQ(misuse({"check", "--module", lab("absent")}), 2);
  EXPECT_EQ(misuse({"check", "--module", lab("filling"), "--cases", "/dev/null"}), 2);
  EXPECT_EQ(misuse({"check", "--module", fake_module("good")}), 1);  // a rung's module is no lab
}

}  // namespace
