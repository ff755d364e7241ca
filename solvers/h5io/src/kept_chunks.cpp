#include "kept_chunks.hpp"

#include <algorithm>
#include <utility>

namespace rooftop::h5io::internal {

KeptChunks::Chunk KeptChunks::use(const Begin& begin, std::uint64_t read_bytes) {
  const auto found = entries_.find(begin);
  if (found == entries_.end()) return nullptr;
  note_read(found->second, read_bytes);
  return found->second->chunk;
}

std::vector<KeptChunks::Chunk> KeptChunks::add(const Begin& begin, Chunk chunk, std::uint64_t read_bytes) {
  std::vector<Chunk> gone;
  if (chunk->room > most_bytes_ || has(begin)) return gone;
  while (count() == most_chunks_ || bytes_ > most_bytes_ - chunk->room) gone.push_back(drop_one());
  bytes_ += chunk->room;
  const std::uint64_t unread = chunk->size;
  partly_read_.push_back({entries_.end(), std::move(chunk), unread, 0});
  const auto entry = std::prev(partly_read_.end());
  entry->place = entries_.emplace(begin, entry).first;
  note_read(entry, read_bytes);
  return gone;
}

void KeptChunks::note_read(Entries::iterator entry, std::uint64_t bytes) {
  Entries& from = entry->unread > 0 ? partly_read_ : read_;
  entry->unread -= std::min(entry->unread, bytes);
  entry->used = ++uses_;
  Entries& to = entry->unread > 0 ? partly_read_ : read_;
  to.splice(to.end(), from, entry);
}

KeptChunks::Entries& KeptChunks::oldest() {
  if (read_.empty()) return partly_read_;
  if (partly_read_.empty()) return read_;
  const std::uint64_t read = read_.front().used, first = std::min(read, partly_read_.front().used);
  return read - first <= (uses_ - first) / 4 * 3 ? read_ : partly_read_;
}

KeptChunks::Chunk KeptChunks::drop_one() {
  Entries& from = oldest();
  Chunk chunk = std::move(from.front().chunk);
  bytes_ -= chunk->room;
  entries_.erase(from.front().place);
  from.pop_front();
  return chunk;
}

}  // namespace rooftop::h5io::internal
