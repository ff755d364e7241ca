#include "chunk_writing.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "chunk_part.hpp"
#include "team.hpp"

namespace rooftop::h5io::internal {
namespace {

constexpr int facts_tag = 3, bytes_tag = 4;

const Dataset::Open& opened(const OutputArray& array) { return array.opened->opened(); }

std::string where(const OutputArray& array, const std::vector<hsize_t>& begin) {
  std::string text = opened(array).where() + ": the chunk at";
  for (const hsize_t at : begin) text.append(1, ' ').append(std::to_string(at));
  return text;
}

std::uint64_t box_bytes(const OutputArray& array, const std::vector<Span>& box) {
  std::uint64_t bytes = array.description.element_bytes;
  for (const Span& span : box) bytes *= span.size();
  return bytes;
}

std::size_t chunk_bytes(const OutputArray& array) {
  std::size_t bytes = array.description.element_bytes;
  for (const std::uint64_t length : array.description.chunk) bytes *= length;
  return bytes;
}

}  // namespace

/// The work of one thread: assembles chunks and encodes them.
class ChunkWriting::Work {
 public:
  Work(const ChunkWriting& all, const std::vector<std::size_t>& mine, PartExchange& exchange,
       std::vector<Encoded>& encoded, Asked& asked)
      : all_(all), mine_(mine), exchange_(exchange), encoded_(encoded), asked_(asked) {
    if (all.array_.pipeline) encoder_.emplace(*all.array_.pipeline);
  }

  void task(std::uint64_t i) {
    const TouchedChunk& chunk = all_.shares_.chunks[mine_[i]];
    const auto begin = all_.shares_.grid.begin_of(chunk.number);
    Encoded& encoded = encoded_[i];
    encoded.number = chunk.number;
    const bool whole = all_.whole_[mine_[i]] != 0;
    put_together(chunk, whole, begin, encoded.bytes);
    encoded.plain = !encoder_;
    if (encoder_ && encoder_->apply(encoded.bytes, all_.array_.name + ": a chunk") != 0) {
      // HDF5 1.10 loses the mask of skipped filters. Let the library encode the chunk itself.
      put_together(chunk, whole, begin, encoded.bytes);
      encoded.plain = true;
    }
    if (encoded.plain) keep_box(chunk.number, begin, encoded.bytes);
    asked_.bytes.fetch_add(encoded.bytes.size, std::memory_order_relaxed);
    asked_.reads.fetch_add(1, std::memory_order_relaxed);
  }

 private:
  void put_together(const TouchedChunk& chunk, bool whole, const std::vector<hsize_t>& begin, Bytes& bytes) {
    bytes.make_room(chunk_bytes(all_.array_));
    bytes.size = chunk_bytes(all_.array_);
    // Zeros beyond the edge of the array make files reproducible.
    std::memset(bytes.data, 0, bytes.size);
    auto* const values = static_cast<std::byte*>(bytes.data);
    if (!whole) read_before(chunk.number, begin, values);
    for (std::size_t t = chunk.first; t < chunk.last; ++t) {
      const Selection& selection = all_.selections_[all_.shares_.touches[t].selection];
      const ChunkPart part(all_.array_.description, selection.spans, begin);
      if (selection.rank == all_.ranks_.rank()) {
        part.memory_to_chunk(static_cast<const std::byte*>(all_.parts_[selection.number].from), values);
      } else {
        part.packed_to_chunk(exchange_.at_owner(t), values);
      }
    }
  }

  /// Reads the chunk's elements from the file with the library, for those that no rank writes.
  void read_before(std::uint64_t number, const std::vector<hsize_t>& begin, std::byte* chunk) {
    const auto box = all_.shares_.grid.box(number);
    std::vector<std::byte> before(box_bytes(all_.array_, box));
    const Dataset::Open& dataset = opened(all_.array_);
    const Locked locked;
    const Selected selected(dataset.id.get(), box);
    if (H5Dread(dataset.id.get(), dataset.type.get(), selected.memory.get(), selected.file.get(), H5P_DEFAULT,
                before.data()) < 0) {
      throw FileError(where(all_.array_, begin) + " cannot be read: " + Locked::reason());
    }
    ChunkPart(all_.array_.description, box, begin).memory_to_chunk(before.data(), chunk);
  }

  /// Removes the elements beyond the edge of the array, since H5Dwrite() takes only those within.
  void keep_box(std::uint64_t number, const std::vector<hsize_t>& begin, Bytes& bytes) {
    const auto box = all_.shares_.grid.box(number);
    Bytes elements;
    elements.make_room(box_bytes(all_.array_, box));
    elements.size = box_bytes(all_.array_, box);
    ChunkPart(all_.array_.description, box, begin)
        .chunk_to_memory(static_cast<const std::byte*>(bytes.data), static_cast<std::byte*>(elements.data));
    bytes.swap(elements);
  }

  const ChunkWriting& all_;
  const std::vector<std::size_t>& mine_;
  PartExchange& exchange_;
  std::vector<Encoded>& encoded_;
  Asked& asked_;
  std::optional<Encoder> encoder_;
};

ChunkWriting::ChunkWriting(const OutputByRanks& file, const OutputArray& array,
                           const std::vector<Selection>& selections, const std::vector<Written>& parts)
    : ranks_(file.ranks),
      array_(array),
      selections_(selections),
      parts_(parts),
      shares_(array.description, selections, file.ranks.size()) {
  for (TouchedChunk& chunk : shares_.chunks) {
    whole_.push_back(whole(chunk) ? 1 : 0);
    if (whole_.back() == 0 || !array.pipeline) chunk.owner = 0;
  }
}

bool ChunkWriting::overlapping(std::size_t one, std::size_t other) {
  const auto [found, is_new] = overlapping_.try_emplace({one, other}, false);
  if (is_new) found->second = overlap(selections_[one].spans, selections_[other].spans);
  return found->second;
}

bool ChunkWriting::whole(const TouchedChunk& chunk) {
  std::uint64_t bytes = 0;
  for (std::size_t t = chunk.first; t < chunk.last; ++t) bytes += shares_.touches[t].bytes;
  if (bytes != box_bytes(array_, shares_.grid.box(chunk.number))) return false;
  for (std::size_t t = chunk.first; t < chunk.last; ++t) {
    for (std::size_t u = t + 1; u < chunk.last; ++u) {
      if (overlapping(shares_.touches[t].selection, shares_.touches[u].selection)) return false;
    }
  }
  return true;
}

void ChunkWriting::pack(std::size_t first, std::size_t last, PartExchange& exchange) const {
  for (std::size_t c = first; c < last; ++c) {
    const TouchedChunk& chunk = shares_.chunks[c];
    if (chunk.owner == ranks_.rank()) continue;
    for (std::size_t t = chunk.first; t < chunk.last; ++t) {
      const Selection& selection = selections_[shares_.touches[t].selection];
      if (selection.rank != ranks_.rank()) continue;
      ChunkPart(array_.description, selection.spans, shares_.grid.begin_of(chunk.number))
          .memory_to_packed(static_cast<const std::byte*>(parts_[selection.number].from), exchange.at_selector(t));
    }
  }
}

std::vector<ChunkWriting::Encoded> ChunkWriting::encode(std::size_t first, std::size_t last, PartExchange& exchange,
                                                        const Options& options, Asked& asked) const {
  std::vector<std::size_t> mine;
  for (std::size_t c = first; c < last; ++c) {
    if (shares_.chunks[c].owner == ranks_.rank()) mine.push_back(c);
  }
  std::vector<Encoded> encoded(mine.size());
  if (!mine.empty()) {
    share(mine.size(), options, [&] { return Work(*this, mine, exchange, encoded, asked); });
  }
  return encoded;
}

void ChunkWriting::put(std::uint64_t number, bool plain, const void* bytes, std::size_t count) const {
  const auto begin = shares_.grid.begin_of(number);
  const Dataset::Open& dataset = opened(array_);
  const Changing changing(dataset.file->changes);
  const Locked locked;
  herr_t done = 0;
  if (plain) {
    const Selected selected(dataset.id.get(), shares_.grid.box(number));
    done =
        H5Dwrite(dataset.id.get(), dataset.type.get(), selected.memory.get(), selected.file.get(), H5P_DEFAULT, bytes);
  } else {
    done = H5Dwrite_chunk(dataset.id.get(), H5P_DEFAULT, 0, begin.data(), count, bytes);
  }
  if (done < 0) throw FileError(where(array_, begin) + " cannot be written: " + Locked::reason());
}

Failure ChunkWriting::hand_over(const std::vector<Encoded>& own, std::uint64_t& sent) const {
  // For each chunk its number, whether it is plain, and its size. The bytes of all chunks follow in a second message.
  std::vector<std::uint64_t> facts;
  if (ranks_.rank() != 0) {
    std::vector<std::byte> bytes;
    for (const Encoded& one : own) {
      facts.insert(facts.end(), {one.number, std::uint64_t{one.plain}, one.bytes.size});
      const auto* const from = static_cast<const std::byte*>(one.bytes.data);
      bytes.insert(bytes.end(), from, from + one.bytes.size);
    }
    MPI_Send(facts.data(), static_cast<int>(facts.size()), MPI_UINT64_T, 0, facts_tag, ranks_.get());
    MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, 0, bytes_tag, ranks_.get());
    sent += bytes.size();
    return {};
  }
  Failure failure = failure_of([&] {
    for (const Encoded& one : own) put(one.number, one.plain, one.bytes.data, one.bytes.size);
  });
  std::vector<std::byte> bytes;
  for (int rank = 1; rank < ranks_.size(); ++rank) {
    MPI_Status status;
    int count = 0;
    MPI_Probe(rank, facts_tag, ranks_.get(), &status);
    MPI_Get_count(&status, MPI_UINT64_T, &count);
    facts.resize(static_cast<std::size_t>(count));
    MPI_Recv(facts.data(), count, MPI_UINT64_T, rank, facts_tag, ranks_.get(), MPI_STATUS_IGNORE);
    MPI_Probe(rank, bytes_tag, ranks_.get(), &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    bytes.resize(static_cast<std::size_t>(count));
    MPI_Recv(bytes.data(), count, MPI_BYTE, rank, bytes_tag, ranks_.get(), MPI_STATUS_IGNORE);
    if (failure) continue;
    failure = failure_of([&] {
      std::size_t at = 0;
      for (std::size_t i = 0; i < facts.size(); i += 3) {
        put(facts[i], facts[i + 1] != 0, bytes.data() + at, facts[i + 2]);
        at += facts[i + 2];
      }
    });
  }
  return failure;
}

std::uint64_t ChunkWriting::write(const Options& options, Asked& asked) {
  std::uint64_t sent = 0;
  const auto rounds = shares_.rounds();
  for (std::size_t round = 0; round + 1 < rounds.size(); ++round) {
    const std::size_t first = rounds[round], last = rounds[round + 1];
    std::optional<PartExchange> exchange;
    ranks_.together([&] {
      exchange.emplace(ranks_, shares_, first, last);
      pack(first, last, *exchange);
    });
    sent += exchange->send_to_owners();
    std::vector<Encoded> encoded;
    ranks_.together([&] { encoded = encode(first, last, *exchange, options, asked); });
    ranks_.agree(hand_over(encoded, sent));
  }
  return sent;
}

}  // namespace rooftop::h5io::internal
