/// Writes selections: chooses between chunks, direct writes and the HDF5 library.
#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "chunk_pieces.hpp"
#include "contiguous.hpp"
#include "encoder.hpp"
#include "open_file.hpp"
#include "padding.hpp"
#include "rooftop/h5io.hpp"
#include "runs.hpp"
#include "team.hpp"

namespace rooftop::h5io {
namespace {

using internal::Asked;
using internal::Locked;

/// The work of one thread: gathers chunks, encodes them, and passes them to the library.
class ChunkWriter {
 public:
  ChunkWriter(const Dataset::Open& dataset, const std::vector<Span>& spans, const internal::TouchedChunks& touched,
              const std::vector<std::uint64_t>& memory, const std::byte* from, Asked& asked)
      : dataset_(dataset),
        spans_(spans),
        touched_(touched),
        memory_(memory),
        from_(from),
        asked_(asked),
        encoder_(*dataset.pipeline),
        begin_(spans.size()),
        pieces_(spans.size()) {}

  void task(std::uint64_t i) {
    const Description& description = dataset_.description;
    touched_.begin_of(i, begin_);
    for (std::size_t d = 0; d < spans_.size(); ++d) {
      internal::pieces_in_chunk(spans_[d], begin_[d], description.chunk[d], pieces_[d]);
    }
    chunk_.make_room(dataset_.pipeline->chunk_bytes());
    chunk_.size = dataset_.pipeline->chunk_bytes();
    if (dataset_.is_plain(begin_)) {
      const Locked locked;
      return write_by_library();
    }
    // Zeros beyond the edge of the array make files reproducible.
    std::memset(chunk_.data, 0, chunk_.size);
    internal::copy_to_chunk({pieces_, description.chunk, memory_, description.element_bytes}, from_,
                            static_cast<std::byte*>(chunk_.data));
    const std::uint32_t skipped = encoder_.apply(chunk_, where());
    const Locked locked;
    require_open();
    // HDF5 1.10 loses the filter mask passed to H5Dwrite_chunk(), and cannot read such a chunk until the file is
    // closed.
    if (skipped != 0) return write_by_library();
    if (H5Dwrite_chunk(dataset_.id.get(), H5P_DEFAULT, 0, begin_.data(), chunk_.size, chunk_.data) < 0) {
      throw FileError(where() + " cannot be written: " + Locked::reason());
    }
    asked_.bytes.fetch_add(chunk_.size, std::memory_order_relaxed);
    asked_.reads.fetch_add(1, std::memory_order_relaxed);
  }

 private:
  void require_open() const {
    if (!dataset_.file->id.valid()) throw InvalidArgument(dataset_.file->path + " is closed; expected an open file");
  }

  void write_by_library() {
    require_open();
    std::vector<Span> region;
    std::vector<std::uint64_t> shape;
    std::uint64_t bytes = dataset_.description.element_bytes;
    for (std::size_t d = 0; d < begin_.size(); ++d) {
      shape.push_back(
          std::min<std::uint64_t>(dataset_.description.chunk[d], dataset_.description.shape[d] - begin_[d]));
      region.push_back({begin_[d], 1, shape[d], shape[d]});
      bytes *= shape[d];
    }
    chunk_.make_room(bytes);
    internal::copy_to_chunk({pieces_, shape, memory_, dataset_.description.element_bytes}, from_,
                            static_cast<std::byte*>(chunk_.data));
    const internal::Selected selected(dataset_.id.get(), region);
    if (H5Dwrite(dataset_.id.get(), dataset_.type.get(), selected.memory.get(), selected.file.get(), H5P_DEFAULT,
                 chunk_.data) < 0) {
      throw FileError(where() + " cannot be written: " + Locked::reason());
    }
  }

  [[nodiscard]] std::string where() const {
    std::string text = dataset_.where() + ": the chunk at";
    for (const hsize_t at : begin_) text.append(1, ' ').append(std::to_string(at));
    return text;
  }

  const Dataset::Open& dataset_;
  const std::vector<Span>& spans_;
  const internal::TouchedChunks& touched_;
  const std::vector<std::uint64_t>& memory_;
  const std::byte* from_;
  Asked& asked_;
  internal::Encoder encoder_;
  internal::Bytes chunk_;
  std::vector<hsize_t> begin_;
  std::vector<std::vector<internal::Piece>> pieces_;
};

/// Whether every chunk is selected as a whole or not at all.
bool whole_chunks(const Description& description, const std::vector<Span>& spans) {
  for (std::size_t d = 0; d < spans.size(); ++d) {
    const Span& span = spans[d];
    if (span.count > 1 && span.stride != span.block) return false;
    const std::uint64_t end = span.start + span.size(), chunk = description.chunk[d];
    if (span.start % chunk != 0 || (end % chunk != 0 && end != description.shape[d])) return false;
  }
  return true;
}

void write_by_library(const Dataset::Open& dataset, const std::vector<Span>& spans, const void* from) {
  const Locked locked;
  if (!dataset.file->id.valid()) throw InvalidArgument(dataset.file->path + " is closed; expected an open file");
  const internal::Selected selected(dataset.id.get(), spans);
  if (H5Dwrite(dataset.id.get(), dataset.type.get(), selected.memory.get(), selected.file.get(), H5P_DEFAULT, from) <
      0) {
    throw FileError(dataset.where() + " cannot be written: " + Locked::reason());
  }
}

}  // namespace

const Description& OutputDataset::description() const { return open_->description; }

std::vector<Span> OutputDataset::all() const { return open_->all(); }

Report OutputDataset::write(const std::vector<Span>& spans, const void* from, std::size_t from_bytes,
                            const Options& options) const {
  Report report;
  report.selected_bytes = open_->writable_bytes(spans, from_bytes, options);
  if (report.selected_bytes == 0) return report;
  open_->file->io.finish();
  std::vector<std::byte> ended;
  if (open_->padding == H5T_STR_SPACEPAD) {
    ended =
        internal::ended_with_spaces(open_->description.element_bytes, static_cast<const std::byte*>(from), from_bytes);
    from = ended.data();
  }
  const auto* const bytes = static_cast<const std::byte*>(from);
  const internal::Changing changing(open_->file->changes);
  Asked asked;
  if (!options.library && open_->pipeline && whole_chunks(open_->description, spans)) {
    report.way = Way::chunks;
    const internal::TouchedChunks touched(spans, open_->description.chunk);
    std::vector<std::uint64_t> memory;
    for (const Span& span : spans) memory.push_back(span.size());
    internal::share(touched.count(), options,
                    [&] { return ChunkWriter(*open_, spans, touched, memory, bytes, asked); });
  } else if (!options.library && open_->address) {
    if (!open_->file->id.valid()) throw InvalidArgument(open_->file->path + " is closed; expected an open file");
    report.way = Way::direct;
    const internal::Runs runs(open_->description.shape, spans, open_->description.element_bytes);
    internal::write_contiguous(*open_->file->source, *open_->address, runs, bytes, options, asked);
  } else {
    report.way = Way::library;
    write_by_library(*open_, spans, from);
  }
  report.read_bytes = asked.bytes;
  report.reads = asked.reads;
  return report;
}

OutputFile::OutputFile(const std::string& path, bool replace)
    : open_(std::make_shared<File::Open>(path, replace ? internal::Opening::replace : internal::Opening::create)) {}

OutputFile::OutputFile(std::shared_ptr<File::Open> open) : open_(std::move(open)) {}

OutputFile OutputFile::existing(const std::string& path) {
  return OutputFile(std::make_shared<File::Open>(path, internal::Opening::change));
}

const std::string& OutputFile::path() const { return open_->path; }

OutputDataset OutputFile::dataset(const std::string& name, const Creation& creation) {
  return OutputDataset(std::make_shared<const Dataset::Open>(open_, name, creation));
}

OutputDataset OutputFile::dataset(const std::string& name) const {
  {
    const Locked locked;
    if (!open_->id.valid()) throw InvalidArgument(open_->path + " is closed; expected an open file");
  }
  auto found = std::make_shared<const Dataset::Open>(open_, name);
  const Description& description = found->description;
  const bool plain = description.structure.front() == '"';
  if (!description.as_stored || !plain) {
    const char* const which = description.variable ? "of variable length"
                              : plain              ? "that are converted when they are read"
                                                   : "that are compounds or arrays";
    throw FileError(found->where() + " has values " + which +
                    ", which are not written; expected numbers, strings of a fixed length or opaque bytes");
  }
  return OutputDataset(std::move(found));
}

void OutputFile::close() { open_->close(); }

}  // namespace rooftop::h5io
