/// Runs work in another process, which may crash or hang, and finds out in whose code it did.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace rooftop::h5io::tests {

/// How the work ended.
enum class Came : std::uint8_t {
  whole,       ///< the work was done
  by_library,  ///< it crashed, or hung, in a call of the HDF5 library
  by_us,       ///< it crashed, or hung, elsewhere
};

/// Another process, forked when it is needed, and again after it has ended.
class Beside {
 public:
  /// `work` is called with each input. `room`: the size of the longest input. Work that takes longer than `most` counts
  /// as a hang. The default is a thousand times the usual time, since the machine may be busy.
  Beside(std::size_t room, std::function<void(const std::uint8_t*, std::size_t)> work,
         std::chrono::milliseconds most = std::chrono::milliseconds(5'000));
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;
  ~Beside();

  Came run(const std::uint8_t* data, std::size_t size);
  /// Returns what the process printed before it ended.
  [[nodiscard]] const std::string& said() const { return said_; }

 private:
  void start();
  [[noreturn]] void serve();
  [[nodiscard]] Came ended(bool hung);

  std::function<void(const std::uint8_t*, std::size_t)> work_;
  std::size_t room_;
  std::chrono::milliseconds most_;
  std::uint8_t* shared_ = nullptr;  ///< shared memory: the size of the input, and the input
  int to_ = -1, from_ = -1, heard_ = -1;
  int process_ = -1;
  std::string said_;
};

}  // namespace rooftop::h5io::tests
