#include "communicator.hpp"

#include <algorithm>
#include <cstddef>

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

}  // namespace rooftop::elasticity
