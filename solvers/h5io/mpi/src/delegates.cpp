/// Delegates, on the side of the ranks that compute: sends requests to the delegates.
#include <utility>

#include "delegation.hpp"
#include "rooftop/h5io_delegates.hpp"
#include "server.hpp"
#include "words.hpp"

namespace rooftop::h5io {
namespace {

using internal::Command;
using internal::WordWriter;

WordWriter asking(Command request) {
  WordWriter words;
  words.add(static_cast<std::uint64_t>(request));
  return words;
}

}  // namespace

Delegates::Delegates(MPI_Comm ranks, int count, std::uint64_t room) : ranks_(std::make_unique<Ranks>(ranks, count)) {
  if (computing()) sender_ = std::make_unique<Sender>(*ranks_, room);
}

Delegates::~Delegates() {
  if (sender_) finish();
}

bool Delegates::computing() const { return ranks_->computing(); }

MPI_Comm Delegates::own_ranks() const { return ranks_->own(); }

void Delegates::serve() { Server(*ranks_).serve(); }

void Delegates::create(const std::string& path, bool replace) {
  WordWriter words = asking(Command::create);
  words.add(path);
  words.add(std::uint64_t{replace});
  sender_->send(std::move(words.words));
  datasets_ = 0;
}

int Delegates::dataset(const std::string& name, const Creation& creation) {
  WordWriter words = asking(Command::dataset);
  words.add(name);
  words.add(creation.shape);
  words.add(creation.type);
  words.add(creation.chunk);
  words.add(creation.filters);
  sender_->send(std::move(words.words));
  return datasets_++;
}

void Delegates::write(int dataset, const std::vector<Span>& spans, const void* from, std::size_t from_bytes) {
  WordWriter words = asking(Command::write);
  words.add(static_cast<std::uint64_t>(dataset));
  words.add(spans);
  words.add(std::uint64_t{from_bytes});
  sender_->send(std::move(words.words), from, from_bytes);
}

void Delegates::progress() { sender_->progress(); }

void Delegates::wait() { sender_->wait(); }

void Delegates::flush() {
  sender_->send(asking(Command::flush).words);
  sender_->wait();
  sender_->answer();
}

void Delegates::close(bool durable) {
  WordWriter words = asking(Command::close);
  words.add(std::uint64_t{durable});
  sender_->send(std::move(words.words));
  sender_->wait();
  sender_->answer();
}

void Delegates::finish() {
  if (std::exchange(sender_->finished, true)) return;
  sender_->send(asking(Command::finish).words);
  sender_->wait();
}

}  // namespace rooftop::h5io
