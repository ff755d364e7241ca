#include "server.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "words.hpp"

namespace rooftop::h5io {

using internal::Command;
using internal::Failure;
using internal::failure_of;
using internal::WordReader;

Delegates::Server::Server(const Delegates::Ranks& ranks) : ranks_(ranks), delegates_(ranks.own()) {
  for (const int rank : ranks.clients()) clients_.emplace_back().rank = rank;
}

void Delegates::Server::serve() {
  for (;;) {
    for (Asked& client : clients_) {
      if (!client.finished) receive(client);
    }
    const Command request = agreed();
    if (request == Command::finish) break;
    // After a failure, requests are received and answered, but not performed, until the file is closed.
    if (!failure_) failure_ = failure_of([&] { delegates_.agree(std::exchange(own_, {})); });
    if (!failure_) failure_ = failure_of([&] { perform(request); });
    answer();
    if (request != Command::close) continue;
    file_.reset();
    arrays_.clear();
    failure_ = {};
  }
}

void Delegates::Server::receive(Asked& asked) {
  const MPI_Comm all = ranks_.all.get();
  MPI_Status status;
  int count = 0;
  MPI_Probe(asked.rank, internal::request_tag, all, &status);
  MPI_Get_count(&status, MPI_UINT64_T, &count);
  asked.words.resize(static_cast<std::size_t>(count));
  MPI_Recv(asked.words.data(), count, MPI_UINT64_T, asked.rank, internal::request_tag, all, MPI_STATUS_IGNORE);
  const auto request = static_cast<Command>(asked.words[0]);
  asked.finished = request == Command::finish;
  if (request == Command::write) receive_values(asked, asked.words.back());
}

void Delegates::Server::receive_values(Asked& asked, std::size_t bytes) {
  const Failure failure = failure_of([&] { asked.values.make_room(bytes); });
  if (failure) {
    own_ = failure;
    unused_.resize(internal::most_of_message);
  }
  asked.values.size = bytes;
  for (std::size_t at = 0; at < bytes; at += internal::most_of_message) {
    const auto count = static_cast<int>(std::min(internal::most_of_message, bytes - at));
    MPI_Recv(failure ? unused_.data() : static_cast<std::byte*>(asked.values.data) + at, count, MPI_BYTE, asked.rank,
             internal::values_tag, ranks_.all.get(), MPI_STATUS_IGNORE);
  }
}

Command Delegates::Server::agreed() const {
  // Encode the request, and the dataset of a write, in one number.
  constexpr std::uint64_t requests = 16;
  std::uint64_t least = ~std::uint64_t{0}, most = 0;
  for (const Asked& client : clients_) {
    const bool write = static_cast<Command>(client.words[0]) == Command::write;
    const std::uint64_t number = client.words[0] + (write ? client.words[1] * requests : 0);
    least = std::min(least, number), most = std::max(most, number);
  }
  // The complement makes a minimum of the maximum, so that one reduction returns both.
  std::array<std::uint64_t, 2> ends{~least, most};
  MPI_Allreduce(MPI_IN_PLACE, ends.data(), 2, MPI_UINT64_T, MPI_MAX, delegates_.get());
  return ~ends[0] == ends[1] ? static_cast<Command>(ends[1] % requests) : Command::differing;
}

void Delegates::Server::perform(Command request) {
  switch (request) {
    case Command::create:
      return create();
    case Command::dataset:
      return make();
    case Command::write:
      return write();
    case Command::close:
      return close();
    case Command::flush:
      return;
    default:
      throw InvalidArgument("ranks that compute called different functions; expected the same ones in the same order");
  }
}

void Delegates::Server::create() {
  WordReader words(clients_.front().words);
  static_cast<void>(words.number());
  const std::string path = words.text();
  if (file_) throw InvalidArgument(file_->path + " is open; expected it to be closed before " + path + " is made");
  file_ = std::make_unique<internal::OutputByRanks>(path, delegates_.get(), words.number() != 0);
}

void Delegates::Server::make() {
  WordReader words(clients_.front().words);
  static_cast<void>(words.number());
  const std::string name = words.text();
  if (!file_) throw InvalidArgument("dataset " + name + ": there is no open file; expected create() before");
  Creation creation;
  creation.shape = words.numbers(), creation.type = words.text();
  creation.chunk = words.numbers(), creation.filters = words.filters();
  arrays_.push_back(file_->make(name, creation));
}

void Delegates::Server::write() {
  std::vector<Written> parts;
  const std::uint64_t number = clients_.front().words[1];
  delegates_.together([&] {
    for (const Asked& client : clients_) {
      WordReader words(client.words);
      static_cast<void>(words.number()), static_cast<void>(words.number());
      if (number >= arrays_.size()) {
        throw InvalidArgument("there is no dataset " + std::to_string(number) +
                              "; expected one that dataset() returned");
      }
      const std::vector<Span> spans = words.spans();
      std::uint64_t bytes = 0;
      const Failure failure =
          failure_of([&] { bytes = internal::selected_bytes(arrays_[number]->description, spans); });
      if (failure) throw InvalidArgument("of rank " + std::to_string(client.rank) + ": " + failure.message);
      if (bytes != client.values.size) {
        throw InvalidArgument("the selection of rank " + std::to_string(client.rank) + " takes " +
                              std::to_string(bytes) + " bytes, its memory has " + std::to_string(client.values.size) +
                              "; expected as many");
      }
      parts.push_back({spans, client.values.data, client.values.size});
    }
  });
  file_->write(*arrays_[number], parts, {});
}

void Delegates::Server::close() {
  if (!file_) throw InvalidArgument("there is no open file; expected create() before close()");
  WordReader words(clients_.front().words);
  static_cast<void>(words.number());
  file_->close(words.number() != 0);
}

void Delegates::Server::answer() const {
  internal::WordWriter words;
  words.add(static_cast<std::uint64_t>(failure_.kind));
  words.add(failure_.message);
  for (const Asked& client : clients_) {
    const auto request = static_cast<Command>(client.words[0]);
    if (request != Command::flush && request != Command::close) continue;
    MPI_Send(words.words.data(), static_cast<int>(words.words.size()), MPI_UINT64_T, client.rank, internal::answer_tag,
             ranks_.all.get());
  }
}

}  // namespace rooftop::h5io
