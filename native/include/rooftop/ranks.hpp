/// The processes that hold a case together: this one alone, or the ranks of an MPI job.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace rooftop {

/// Every rank makes the same calls in the same order.
class Ranks {
 public:
  Ranks() = default;
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  virtual ~Ranks() = default;

  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  /// Returns when all have come.
  virtual void meet() = 0;
  /// What each rank has, in their order.
  [[nodiscard]] virtual std::vector<std::int64_t> all(std::int64_t mine) = 0;
  /// What one rank has; the others' text is not looked at.
  [[nodiscard]] virtual std::string from(int rank, const std::string& text) = 0;
  /// The same from rank 0, which may be long in coming: the others sleep and take no time from what runs meanwhile.
  [[nodiscard]] virtual std::string await(const std::string& text) = 0;
  /// Ends all ranks, with this on standard error: for a failure amid work that the others wait in.
  [[noreturn]] virtual void abandon(const std::string& why) = 0;
};

/// One process.
class Alone final : public Ranks {
 public:
  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] int size() const override { return 1; }
  void meet() override {}
  [[nodiscard]] std::vector<std::int64_t> all(std::int64_t mine) override { return {mine}; }
  [[nodiscard]] std::string from(int /*rank*/, const std::string& text) override { return text; }
  [[nodiscard]] std::string await(const std::string& text) override { return text; }
  [[noreturn]] void abandon(const std::string& why) override;
};

/// Which of a rank's threads call MPI.
enum class Callers { first_thread, all_threads };

/// The ranks that this process is one of: a driver is linked with src/alone.cpp or with mpi/mpi_ranks.cpp.
[[nodiscard]] std::unique_ptr<Ranks> join_ranks(Callers callers);

}  // namespace rooftop
