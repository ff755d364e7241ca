#include "halo.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace rooftop::elasticity {
namespace {

/// Calls line(where it starts, how long it is) for each component and line of a range.
template <class T, class Line>
void for_lines(const Field<T>& field, const Range& range, Line line) {
  const Grid& grid = field.grid();
  for (int c = 0; c < components; ++c) {
    for (std::int64_t k = range.begin[2]; k < range.end[2]; ++k) {
      for (std::int64_t j = range.begin[1]; j < range.end[1]; ++j) {
        line(field[c] + grid.node(range.begin[0], j, k), range.count(0));
      }
    }
  }
}

constexpr int tag = 1;  // a rank is a neighbour in one direction only

}  // namespace

template <class T>
Halo<T>::Halo(const Piece& piece, const Communicator& ranks) {
  const Range own = piece.own();
  std::vector<MPI_Request> sends;
  for (int dz = -1; dz <= 1; ++dz) {
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        const std::array<int, 3> away{dx, dy, dz};
        const int neighbour = piece.neighbour(away);
        if (neighbour < 0 || neighbour == ranks.rank()) continue;  // none, or where away is nowhere
        Message message{own, own, nullptr, nullptr};
        for (std::size_t d = 0; d < 3; ++d) {
          if (away[d] < 0) {
            message.sent.end[d] = own.begin[d] + 1;
            message.received.begin[d] = own.begin[d] - 1;
            message.received.end[d] = own.begin[d];
          } else if (away[d] > 0) {
            message.sent.begin[d] = own.end[d] - 1;
            message.received.begin[d] = own.end[d];
            message.received.end[d] = own.end[d] + 1;
          }
        }
        const auto sent = static_cast<std::size_t>(components * message.sent.nodes());
        const auto received = static_cast<std::size_t>(components * message.received.nodes());
        message.sending = std::make_unique<T[]>(sent);
        message.receiving = std::make_unique<T[]>(received);
        const MPI_Datatype type = std::is_same_v<T, double> ? MPI_DOUBLE : MPI_FLOAT;
        MPI_Recv_init(message.receiving.get(), static_cast<int>(received), type, neighbour, tag, ranks.get(),
                      &requests_.emplace_back());
        MPI_Send_init(message.sending.get(), static_cast<int>(sent), type, neighbour, tag, ranks.get(),
                      &sends.emplace_back());
        messages_.push_back(std::move(message));
      }
    }
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
