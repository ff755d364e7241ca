#include "delegation.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "words.hpp"

namespace rooftop::h5io {

using internal::Failure;

Delegates::Ranks::Ranks(MPI_Comm communicator, int count) : all(communicator) {
  all.together([&] {
    if (count >= 1 && count <= all.size() / 2) return;
    throw InvalidArgument(std::to_string(count) + " of " + std::to_string(all.size()) +
                          " ranks are to be delegates; expected 1 or more, and at most half of them");
  });
  computing_ = all.size() - count;
  MPI_Comm_split(all.get(), computing() ? 0 : 1, all.rank(), &own_);
}

Delegates::Ranks::~Ranks() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized == 0) MPI_Comm_free(&own_);
}

std::vector<int> Delegates::Ranks::clients() const {
  std::vector<int> clients;
  for (int rank = 0; rank < computing_; ++rank) {
    if (delegate_of(rank) == all.rank()) clients.push_back(rank);
  }
  return clients;
}

void Delegates::Sender::send(std::vector<std::uint64_t> words, const void* from, std::size_t bytes) {
  progress();
  while (!messages_.empty() && under_way_ + bytes > room_) forget_oldest();
  Message& message = messages_.emplace_back();
  message.words = std::move(words);
  message.values.make_room(bytes);
  message.values.size = bytes;
  if (bytes > 0) std::memcpy(message.values.data, from, bytes);
  under_way_ += bytes;
  MPI_Isend(message.words.data(), static_cast<int>(message.words.size()), MPI_UINT64_T, delegate_,
            internal::request_tag, ranks_.all.get(), &message.requests.emplace_back());
  for (std::size_t at = 0; at < bytes; at += internal::most_of_message) {
    const auto count = static_cast<int>(std::min(internal::most_of_message, bytes - at));
    MPI_Isend(static_cast<const std::byte*>(message.values.data) + at, count, MPI_BYTE, delegate_, internal::values_tag,
              ranks_.all.get(), &message.requests.emplace_back());
  }
}

void Delegates::Sender::progress() {
  for (int done = 1; done != 0 && !messages_.empty();) {
    auto& requests = messages_.front().requests;
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
    if (done != 0) forget_oldest();
  }
}

void Delegates::Sender::wait() {
  while (!messages_.empty()) forget_oldest();
}

void Delegates::Sender::forget_oldest() {
  auto& requests = messages_.front().requests;
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  under_way_ -= messages_.front().values.size;
  messages_.pop_front();
}

void Delegates::Sender::answer() const {
  MPI_Status status;
  int count = 0;
  MPI_Probe(delegate_, internal::answer_tag, ranks_.all.get(), &status);
  MPI_Get_count(&status, MPI_UINT64_T, &count);
  std::vector<std::uint64_t> words(static_cast<std::size_t>(count));
  MPI_Recv(words.data(), count, MPI_UINT64_T, delegate_, internal::answer_tag, ranks_.all.get(), MPI_STATUS_IGNORE);
  internal::WordReader reader(words);
  Failure failure;
  failure.kind = static_cast<Failure::Kind>(reader.number());
  failure.message = reader.text();
  failure.raise();
}

}  // namespace rooftop::h5io
