#include "halo.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace rooftop::elasticity {
namespace {

/// Calls line(where it starts, how long it is) for each component and run of nodes.
template <class T, class Line>
void for_lines(const Field<T>& field, const std::vector<Run>& runs, Line line) {
  for (int c = 0; c < components; ++c) {
    for (const Run& run : runs) line(field[c] + run.begin, run.count);
  }
}

constexpr int tag = 1;  // a rank is a neighbour once

}  // namespace

template <class T>
Halo<T>::Halo(std::vector<Neighbour> neighbours, const Communicator& ranks) {
  std::vector<MPI_Request> sends;
  for (Neighbour& one : neighbours) {
    const auto sent = static_cast<std::size_t>(components * nodes_of(one.sent));
    const auto received = static_cast<std::size_t>(components * nodes_of(one.received));
    Message message{std::move(one.sent), std::move(one.received), std::make_unique<T[]>(sent),
                    std::make_unique<T[]>(received)};
    const MPI_Datatype type = std::is_same_v<T, double> ? MPI_DOUBLE : MPI_FLOAT;
    MPI_Recv_init(message.receiving.get(), static_cast<int>(received), type, one.rank, tag, ranks.get(),
                  &requests_.emplace_back());
    MPI_Send_init(message.sending.get(), static_cast<int>(sent), type, one.rank, tag, ranks.get(),
                  &sends.emplace_back());
    messages_.push_back(std::move(message));
  }
  requests_.insert(requests_.end(), sends.begin(), sends.end());
}

template <class T>
Halo<T>::~Halo() {
  for (MPI_Request& request : requests_) MPI_Request_free(&request);
}

template <class T>
void Halo<T>::start(const Field<T>& field) {
  if (requests_.empty()) return;
  for (const Message& message : messages_) {
    T* to = message.sending.get();
    for_lines(field, message.sent, [&](const T* from, std::int64_t count) { to = std::copy_n(from, count, to); });
  }
  MPI_Startall(static_cast<int>(requests_.size()), requests_.data());
}

template <class T>
void Halo<T>::finish(const Field<T>& field) {
  if (requests_.empty()) return;
  MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  for (const Message& message : messages_) {
    const T* from = message.receiving.get();
    for_lines(field, message.received, [&](T* to, std::int64_t count) {
      std::copy_n(from, count, to);
      from += count;
    });
  }
}

template <class T>
void Halo<T>::clear(const Field<T>& field) const {
  for (const Message& message : messages_) {
    for_lines(field, message.received, [](T* to, std::int64_t count) { std::fill_n(to, count, T{}); });
  }
}

template class Halo<double>;
template class Halo<float>;

}  // namespace rooftop::elasticity
