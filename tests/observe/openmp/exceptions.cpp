// An exception that does not leave its region disturbs nobody, and neither does a region within a handler.
#include <cstdio>
#include <stdexcept>

__attribute__((noinline)) static void thrown(int& caught) {
#pragma omp parallel num_threads(2)
  {
    try {
#pragma omp barrier
      throw std::runtime_error("inside");
    } catch (const std::runtime_error&) {
#pragma omp critical
      ++caught;
    }
  }
}

int main() {
  int caught = 0;
  for (int times = 0; times < 3; ++times) {
    try {
      thrown(caught);
      throw 1;
    } catch (int) {
      thrown(caught);
    }
  }
  std::printf("%d\n", caught);
}
