/// The ranks of a job: a communicator of their own, what they agree on, and failures that they have together.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rooftop/elasticity.hpp"

namespace rooftop::elasticity {

class Communicator {
 public:
  /// A copy. Collective, as all that follows.
  explicit Communicator(MPI_Comm ranks);
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  [[nodiscard]] MPI_Comm get() const { return own_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  [[nodiscard]] double sum(double own) const;
  [[nodiscard]] double largest(double own) const;
  [[nodiscard]] int largest(int own) const;
  [[nodiscard]] std::int64_t least(std::int64_t own) const;
  /// Each value becomes its sum, or its largest, over all ranks.
  void sum(std::span<double> values) const;
  void sum(std::span<float> values) const;
  void largest(std::span<double> values) const;
  void broadcast(std::span<double> values, int from) const;

  /// What ranks give, one behind the other.
  template <class Value>
  [[nodiscard]] std::vector<Value> gather(std::span<const Value> own) const {
    const std::vector<std::int64_t> counts = counts_of_all(static_cast<std::int64_t>(own.size()));
    std::vector<Value> result;
    together([&] { result.resize(all_of(counts)); });
    gather_bytes(own.data(), sizeof(Value), counts, result.data());
    return result;
  }
  /// Sends what is for each rank, and returns what each of them has sent here.
  [[nodiscard]] std::vector<std::vector<std::int64_t>> exchange(
      const std::vector<std::vector<std::int64_t>>& for_each) const;

  /// Calls a function that needs no other rank, and throws on every rank what it throws on one: InvalidInput or
  /// std::bad_alloc. Where it throws on several, the first rank's message counts.
  template <class Function>
  void together(Function each) const {
    Failure failure = Failure::none;
    std::string message;
    try {
      each();
    } catch (const InvalidInput& error) {
      failure = Failure::input;
      message = error.what();
    } catch (const std::bad_alloc&) {
      failure = Failure::memory;
    }
    agree(failure, std::move(message));
  }

 private:
  /// Their sum. Throws std::bad_alloc where MPI cannot count so far.
  [[nodiscard]] static std::size_t all_of(const std::vector<std::int64_t>& counts);
  [[nodiscard]] std::vector<std::int64_t> counts_of_all(std::int64_t own) const;
  void gather_bytes(const void* own, std::size_t each, const std::vector<std::int64_t>& counts, void* all) const;
  enum class Failure { none, memory, input };
  void agree(Failure failure, std::string message) const;

  MPI_Comm own_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
};

/// Makes a result the same on every rank: the seconds of the slowest one, and the bytes of all.
void agree(Result& result, const Communicator& ranks);

}  // namespace rooftop::elasticity
