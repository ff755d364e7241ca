// Fault: a lock convoy. Threads compute while they hold the one lock, so that one runs and the others sleep.
// Cured: threads compute first, and hold the lock while they add the result.
// Usage: lock_convoy [SCALE] [cured]
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <vector>

namespace {

std::mutex lock;
std::uint64_t total = 0;

std::uint64_t value(std::uint64_t x) {
  for (int i = 0; i < 8000; ++i) x = x * 6364136223846793005u + 1442695040888963407u;
  return x;
}

void work(long first, long last, bool cured) {
  for (long i = first; i < last; ++i) {
    if (cured) {
      const std::uint64_t found = value(static_cast<std::uint64_t>(i));
      const std::lock_guard<std::mutex> held(lock);
      total += found;
    } else {
      const std::lock_guard<std::mutex> held(lock);
      total += value(static_cast<std::uint64_t>(i));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const double scale = argc > 1 ? std::atof(argv[1]) : 1.0;
  const bool cured = argc > 2 && std::strcmp(argv[2], "cured") == 0;
  const long count = static_cast<long>(180e3 * scale), threads = std::max(2u, std::thread::hardware_concurrency());
  std::vector<std::thread> started;
  for (long i = 0; i < threads; ++i) started.emplace_back(work, count * i / threads, count * (i + 1) / threads, cured);
  for (std::thread& one : started) one.join();
  std::printf("checksum %llu\n", static_cast<unsigned long long>(total));
  return 0;
}
