#include "node_exchange.hpp"

#include <cstring>

namespace rooftop::elasticity {
namespace {

constexpr int tag = 2;  // not that of fields, which may be under way at the same time

}  // namespace

NodeExchange::NodeExchange(const std::vector<Neighbour>& neighbours, std::size_t most_bytes, const Communicator& ranks)
    : ranks_(ranks), neighbours_(neighbours) {
  for (const Neighbour& one : neighbours_) {
    sending_.emplace_back(static_cast<std::size_t>(nodes_of(one.sent)) * most_bytes);
    receiving_.emplace_back(static_cast<std::size_t>(nodes_of(one.received)) * most_bytes);
  }
  requests_.reserve(2 * neighbours_.size());
}

void NodeExchange::start(const void* values, std::size_t each) {
  requests_.clear();
  const auto* from = static_cast<const std::byte*>(values);
  for (std::size_t i = 0; i < neighbours_.size(); ++i) {
    const Neighbour& one = neighbours_[i];
    const auto bytes = static_cast<std::size_t>(nodes_of(one.received)) * each;
    MPI_Irecv(receiving_[i].data(), static_cast<int>(bytes), MPI_BYTE, one.rank, tag, ranks_.get(),
              &requests_.emplace_back());
  }
  for (std::size_t i = 0; i < neighbours_.size(); ++i) {
    std::size_t filled = 0;
    for (const Run& run : neighbours_[i].sent) {
      const std::size_t bytes = static_cast<std::size_t>(run.count) * each;
      std::memcpy(sending_[i].data() + filled, from + static_cast<std::size_t>(run.begin) * each, bytes);
      filled += bytes;
    }
    MPI_Isend(sending_[i].data(), static_cast<int>(filled), MPI_BYTE, neighbours_[i].rank, tag, ranks_.get(),
              &requests_.emplace_back());
  }
}

void NodeExchange::finish(void* values, std::size_t each) {
  MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  auto* to = static_cast<std::byte*>(values);
  for (std::size_t i = 0; i < neighbours_.size(); ++i) {
    std::size_t taken = 0;
    for (const Run& run : neighbours_[i].received) {
      const std::size_t bytes = static_cast<std::size_t>(run.count) * each;
      std::memcpy(to + static_cast<std::size_t>(run.begin) * each, receiving_[i].data() + taken, bytes);
      taken += bytes;
    }
  }
}

}  // namespace rooftop::elasticity
