// threads: none
// Beside reports how the other process ended, even if an alarm interrupts the wait.
#include "beside.hpp"

#include <gtest/gtest.h>
#include <sys/time.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>

namespace rooftop::h5io::tests {
namespace {

using std::chrono::milliseconds;

/// Does what the first byte of an input says: 0 nothing, 1 hang, 2 end the process.
void obey(const std::uint8_t* data, std::size_t size) {
  if (size > 0 && data[0] == 1) {
    for (;;) sleep(100);
  }
  if (size > 0 && data[0] == 2) _exit(3);
}

/// Raises SIGALRM every 20 ms, as libFuzzer does every few seconds.
class Alarms {
 public:
  Alarms() {
    struct sigaction action {};
    action.sa_handler = [](int) {};
    action.sa_flags = SA_RESTART;
    sigaction(SIGALRM, &action, &before_);
    set(20'000);
  }
  Alarms(const Alarms&) = delete;
  Alarms& operator=(const Alarms&) = delete;
  ~Alarms() {
    set(0);
    sigaction(SIGALRM, &before_, nullptr);
  }

 private:
  static void set(int us) {
    const itimerval timer{{0, us}, {0, us}};
    setitimer(ITIMER_REAL, &timer, nullptr);
  }

  struct sigaction before_ {};
};

TEST(Beside, EndsAreToldAndAnotherProcessIsStarted) {
  Beside beside(8, obey, milliseconds(20'000));
  const std::uint8_t nothing = 0, end = 2;
  EXPECT_EQ(beside.run(&nothing, 1), Came::whole);
  EXPECT_NE(beside.run(&end, 1), Came::whole);
  EXPECT_EQ(beside.run(&nothing, 1), Came::whole);
}

TEST(Beside, AHangEndsInTimeAlsoWhereAlarmsInterruptTheWait) {
  Beside beside(8, obey, milliseconds(200));
  const Alarms alarms;
  const std::uint8_t nothing = 0, hang = 1;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_NE(beside.run(&hang, 1), Came::whole);
  EXPECT_GE(std::chrono::steady_clock::now() - start, milliseconds(200));
  while (beside.run(&nothing, 1) != Came::whole) {  // 200 ms may pass on a busy machine
  }
}

}  // namespace
}  // namespace rooftop::h5io::tests
