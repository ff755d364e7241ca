// Functions of C++ with names as compilers make them: overloads, a template, a constructor, a lambda.
#include <cstdio>

namespace grid {

struct Cell {
  __attribute__((noinline)) explicit Cell(int level);
  int level;
};

Cell::Cell(int of_level) : level(of_level) { std::puts("cell"); }
__attribute__((noinline)) int value(int of) { return std::fputs("", stdout), of; }
__attribute__((noinline)) double value(double of) { return std::fputs("", stdout), of; }
template <typename Value>
__attribute__((noinline)) Value halved(Value of) {
  return std::fputs("", stdout), of / 2;
}

}  // namespace grid

int main() {
  double sum = 0;
  for (int i = 0; i < 10; ++i) sum += grid::value(i) + grid::value(0.5 * i);
  for (int i = 0; i < 6; ++i) sum += grid::halved(i);
  for (int i = 0; i < 3; ++i) sum += grid::Cell(i).level;
  std::printf("%g\n", sum);
}
