#include "ranks.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <numeric>

#include "rooftop/h5io.hpp"

namespace rooftop::h5io::internal {

Failure Failure::caught() {
  try {
    throw;
  } catch (const InvalidArgument& error) {
    return {Kind::argument, error.what()};
  } catch (const Stopped& error) {
    return {Kind::stopped, error.what()};
  } catch (const std::bad_alloc&) {
    return {Kind::memory, ""};
  } catch (const std::exception& error) {
    return {Kind::file, error.what()};
  }
}

void Failure::raise() const {
  switch (kind) {
    case Kind::none:
      return;
    case Kind::argument:
      throw InvalidArgument(message);
    case Kind::stopped:
      throw Stopped(message);
    case Kind::memory:
      throw std::bad_alloc();
    case Kind::file:
      throw FileError(message);
  }
}

Ranks::Ranks(MPI_Comm ranks) {
  MPI_Comm_dup(ranks, &own_);
  MPI_Comm_rank(own_, &rank_);
  MPI_Comm_size(own_, &size_);
}

Ranks::~Ranks() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized == 0) MPI_Comm_free(&own_);
}

void Ranks::agree(const Failure& own) const {
  // The lowest rank that failed, and whether all failed.
  std::array<int, 2> first_and_all{own ? rank_ : size_, own ? 1 : 0};
  MPI_Allreduce(MPI_IN_PLACE, first_and_all.data(), 2, MPI_INT, MPI_MIN, own_);
  const auto [first, all] = first_and_all;
  if (first == size_) return;
  std::array<int, 2> kind_and_length{static_cast<int>(own.kind), static_cast<int>(own.message.size())};
  MPI_Bcast(kind_and_length.data(), 2, MPI_INT, first, own_);
  std::string message = own.message;
  message.resize(static_cast<std::size_t>(kind_and_length[1]));
  MPI_Bcast(message.data(), kind_and_length[1], MPI_CHAR, first, own_);
  if (all == 0) message = "rank " + std::to_string(first) + ": " + message;
  Failure{static_cast<Failure::Kind>(kind_and_length[0]), message}.raise();
}

double Ranks::largest(double own) const {
  MPI_Allreduce(MPI_IN_PLACE, &own, 1, MPI_DOUBLE, MPI_MAX, own_);
  return own;
}

std::uint64_t Ranks::largest(std::uint64_t own) const {
  MPI_Allreduce(MPI_IN_PLACE, &own, 1, MPI_UINT64_T, MPI_MAX, own_);
  return own;
}

std::uint64_t Ranks::sum(std::uint64_t own) const {
  MPI_Allreduce(MPI_IN_PLACE, &own, 1, MPI_UINT64_T, MPI_SUM, own_);
  return own;
}

std::vector<std::vector<std::uint64_t>> Ranks::gather(const std::vector<std::uint64_t>& own) const {
  const auto ranks = static_cast<std::size_t>(size_);
  std::vector<int> lengths(ranks), starts(ranks);
  const auto length = static_cast<int>(own.size());
  MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, own_);
  std::exclusive_scan(lengths.begin(), lengths.end(), starts.begin(), 0);
  std::vector<std::uint64_t> all(static_cast<std::size_t>(starts.back()) + static_cast<std::size_t>(lengths.back()));
  MPI_Allgatherv(own.data(), length, MPI_UINT64_T, all.data(), lengths.data(), starts.data(), MPI_UINT64_T, own_);
  std::vector<std::vector<std::uint64_t>> result(ranks);
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const auto begin = all.begin() + starts[rank];
    result[rank].assign(begin, begin + lengths[rank]);
  }
  return result;
}

std::vector<std::vector<std::uint64_t>> Ranks::gather_alike(const std::vector<std::uint64_t>& own) const {
  const auto ranks = static_cast<std::size_t>(size_), length = own.size();
  std::vector<std::uint64_t> all(ranks * length);
  const auto count = static_cast<int>(length);
  MPI_Allgather(own.data(), count, MPI_UINT64_T, all.data(), count, MPI_UINT64_T, own_);
  std::vector<std::vector<std::uint64_t>> result;
  for (std::size_t rank = 0; rank < ranks; ++rank) {
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(rank * length);
    result.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(length));
  }
  return result;
}

bool Ranks::of_first(bool own) const {
  int word = own ? 1 : 0;
  MPI_Bcast(&word, 1, MPI_INT, 0, own_);
  return word != 0;
}

void Ranks::broadcast(std::vector<std::uint64_t>& words, int from) const {
  auto length = static_cast<int>(words.size());
  MPI_Bcast(&length, 1, MPI_INT, from, own_);
  words.resize(static_cast<std::size_t>(length));
  MPI_Bcast(words.data(), length, MPI_UINT64_T, from, own_);
}

}  // namespace rooftop::h5io::internal
