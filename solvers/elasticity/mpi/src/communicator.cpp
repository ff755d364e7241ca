#include "communicator.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <numeric>

namespace rooftop::elasticity {
namespace {

constexpr std::size_t most_at_once = std::size_t{1} << 28;  // values: MPI counts in int

template <class T>
void reduce(std::span<T> values, MPI_Datatype type, MPI_Op operation, MPI_Comm comm) {
  for (std::size_t at = 0; at < values.size(); at += most_at_once) {
    const auto count = static_cast<int>(std::min(most_at_once, values.size() - at));
    MPI_Allreduce(MPI_IN_PLACE, values.data() + at, count, type, operation, comm);
  }
}

}  // namespace

Communicator::Communicator(MPI_Comm ranks) {
  MPI_Comm_dup(ranks, &own_);
  MPI_Comm_rank(own_, &rank_);
  MPI_Comm_size(own_, &size_);
}

Communicator::~Communicator() { MPI_Comm_free(&own_); }

double Communicator::sum(double own) const {
  sum({&own, 1});
  return own;
}
double Communicator::largest(double own) const {
  largest({&own, 1});
  return own;
}
int Communicator::largest(int own) const {
  MPI_Allreduce(MPI_IN_PLACE, &own, 1, MPI_INT, MPI_MAX, own_);
  return own;
}
std::int64_t Communicator::least(std::int64_t own) const {
  MPI_Allreduce(MPI_IN_PLACE, &own, 1, MPI_INT64_T, MPI_MIN, own_);
  return own;
}

void Communicator::sum(std::span<double> values) const { reduce(values, MPI_DOUBLE, MPI_SUM, own_); }
void Communicator::sum(std::span<float> values) const { reduce(values, MPI_FLOAT, MPI_SUM, own_); }
void Communicator::largest(std::span<double> values) const { reduce(values, MPI_DOUBLE, MPI_MAX, own_); }
void Communicator::broadcast(std::span<double> values, int from) const {
  MPI_Bcast(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, from, own_);
}

std::size_t Communicator::all_of(const std::vector<std::int64_t>& counts) {
  std::int64_t sum = 0;
  for (const std::int64_t count : counts) sum += count;
  if (sum > std::numeric_limits<int>::max()) throw std::bad_alloc();
  return static_cast<std::size_t>(sum);
}

std::vector<std::int64_t> Communicator::counts_of_all(std::int64_t own) const {
  std::vector<std::int64_t> result(static_cast<std::size_t>(size_));
  MPI_Allgather(&own, 1, MPI_INT64_T, result.data(), 1, MPI_INT64_T, own_);
  return result;
}

void Communicator::gather_bytes(const void* own, std::size_t each, const std::vector<std::int64_t>& counts,
                                void* all) const {
  std::vector<int> lengths(counts.begin(), counts.end()), starts(counts.size());
  std::exclusive_scan(lengths.begin(), lengths.end(), starts.begin(), 0);
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(static_cast<int>(each), MPI_BYTE, &type);
  MPI_Type_commit(&type);
  MPI_Allgatherv(own, lengths[static_cast<std::size_t>(rank_)], type, all, lengths.data(), starts.data(), type, own_);
  MPI_Type_free(&type);
}

std::vector<std::vector<std::int64_t>> Communicator::exchange(
    const std::vector<std::vector<std::int64_t>>& for_each) const {
  const auto count = static_cast<std::size_t>(size_);
  std::vector<int> sent(count), sent_at(count), received(count), received_at(count);
  for (std::size_t rank = 0; rank < count; ++rank) sent[rank] = static_cast<int>(for_each[rank].size());
  MPI_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, own_);
  std::exclusive_scan(sent.begin(), sent.end(), sent_at.begin(), 0);
  std::exclusive_scan(received.begin(), received.end(), received_at.begin(), 0);
  std::vector<std::int64_t> sending, receiving;
  std::vector<std::vector<std::int64_t>> result(count);
  together([&] {
    for (const auto& one : for_each) sending.insert(sending.end(), one.begin(), one.end());
    receiving.resize(static_cast<std::size_t>(received_at.back()) + static_cast<std::size_t>(received.back()));
    for (std::size_t rank = 0; rank < count; ++rank) result[rank].resize(static_cast<std::size_t>(received[rank]));
  });
  MPI_Alltoallv(sending.data(), sent.data(), sent_at.data(), MPI_INT64_T, receiving.data(), received.data(),
                received_at.data(), MPI_INT64_T, own_);
  for (std::size_t rank = 0; rank < count; ++rank) {
    std::copy_n(receiving.begin() + received_at[rank], received[rank], result[rank].begin());
  }
  return result;
}

void Communicator::agree(Failure failure, std::string message) const {
  struct {
    int failure, rank;
  } worst{static_cast<int>(failure), rank_};
  MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_2INT, MPI_MAXLOC, own_);
  if (worst.failure == static_cast<int>(Failure::none)) return;
  if (worst.failure == static_cast<int>(Failure::memory)) throw std::bad_alloc();
  auto length = static_cast<int>(message.size());
  MPI_Bcast(&length, 1, MPI_INT, worst.rank, own_);
  message.resize(static_cast<std::size_t>(length));
  MPI_Bcast(message.data(), length, MPI_CHAR, worst.rank, own_);
  throw InvalidInput(message);
}

void agree(Result& result, const Communicator& ranks) {
  std::array<double, 2> seconds{result.setup_seconds, result.seconds};
  ranks.largest(seconds);
  result.setup_seconds = seconds[0];
  result.seconds = seconds[1];
  result.bytes = ranks.sum(result.bytes);
}

}  // namespace rooftop::elasticity
