/// Prints to standard output whenever it can, in every way.
#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "fake_rung.hpp"

namespace {

class Fake : public fake::DoublingRung {
 public:
  explicit Fake(const fake::Problem& problem) : DoublingRung(problem) { std::puts("constructor"); }
  ~Fake() override { std::puts("destructor"); }
  void run() override {
    DoublingRung::run();
    std::cout << "run" << std::endl;
    constexpr char text[] = "{\"event\":\"case\"}\n";
    (void)!write(STDOUT_FILENO, text, sizeof text - 1);
  }
};

const bool printed_on_load = std::puts("loaded") >= 0;

}  // namespace

ROOFTOP_RUNG(fake::Problem, Fake);
