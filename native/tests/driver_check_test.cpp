// threads: none, but those of a driver's rung, as in every check of one
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "driver_process.hpp"

namespace {

/// A cases file that lives as long as the test.
class CasesFile {
 public:
  explicit CasesFile(const std::string& text) {
    const int descriptor = mkstemp(path_.data());
    close(descriptor);
    std::ofstream(path_) << text;
  }
  CasesFile(const CasesFile&) = delete;
  CasesFile& operator=(const CasesFile&) = delete;
  ~CasesFile() { unlink(path_.c_str()); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_ = "/tmp/rooftop_cases_XXXXXX";
};

int check(const std::string& module, const std::string& cases) {
  const CasesFile file(cases);
  return DriverProcess({"check", "--module", fake_module(module), "--cases", file.path()}).finish();
}

TEST(DriverCheck, ExitCodeTellsTheOutcome) {
  EXPECT_EQ(check("good", "{\"size\":3}\n{\"size\":1000}\n"), 0);
  EXPECT_EQ(check("wrong", "{\"size\":3}\n"), 1);
  EXPECT_EQ(check("throwing", "{\"size\":3}\n"), 1);
  EXPECT_EQ(check("other_contract", "{\"size\":3}\n"), 1);
  EXPECT_EQ(check("skipping", "{\"size\":4}\n"), 77);
  EXPECT_EQ(check("skipping", "{\"size\":4}\n{\"size\":3}\n"), 0);
}

TEST(DriverCheck, UnusableCasesAreMisuse) {
  EXPECT_EQ(check("good", ""), 2);
  EXPECT_EQ(check("good", "{\"size\":"), 2);
  EXPECT_EQ(check("good", "{\"size\":1e999}"), 2);
  EXPECT_EQ(check("good", "{\"size\":" + std::string(200'000, '[') + std::string(200'000, ']') + "}"), 2);
  EXPECT_EQ(DriverProcess({"check", "--module", fake_module("good"), "--cases", "/nowhere"}).finish(), 2);
}

}  // namespace
