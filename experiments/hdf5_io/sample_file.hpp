/// Files that are read: written once, by whoever needs them first.
#pragma once

#include <fcntl.h>
#include <hdf5.h>
#include <sys/file.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <rooftop/require.hpp>
#include <string>
#include <vector>

#include "layout.hpp"

namespace hdf5_io {

/// A descriptor, closed in the end.
class Descriptor {
 public:
  Descriptor(const std::string& path, int flags) : number_(open(path.c_str(), flags | O_CLOEXEC, 0644)) {
    rooftop::require(number_ >= 0, path, " cannot be opened");
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(number_); }
  [[nodiscard]] int get() const { return number_; }

 private:
  int number_;
};

/// A part of a file's rows and columns.
struct Piece {
  std::int64_t row, column, rows, columns;
};

/// Calls `write(piece, values)` for pieces of whole chunks, which have some 16 MiB.
template <typename Write>
void in_pieces(const Parameters& p, const Layout& layout, const Write& write) {
  constexpr std::int64_t at_once = 1 << 22;
  const auto whole = [](std::int64_t most, std::int64_t chunk) {
    return std::max<std::int64_t>({1, chunk, chunk > 0 ? most / chunk * chunk : most});
  };
  const std::int64_t width = std::min(layout.columns, whole(at_once, layout.chunk_columns));
  const std::int64_t height = whole(at_once / width, layout.chunk_rows);
  std::vector<float> values;
  for (std::int64_t row = 0; row < layout.rows; row += height) {
    for (std::int64_t column = 0; column < layout.columns; column += width) {
      const Piece piece{row, column, std::min(height, layout.rows - row), std::min(width, layout.columns - column)};
      values.clear();
      for (std::int64_t i = row; i < row + piece.rows; ++i) {
        for (std::int64_t j = column; j < column + piece.columns; ++j) {
          values.push_back(value(static_cast<std::uint64_t>((layout.row + i) * p.columns + layout.column_of(p, j))));
        }
      }
      write(piece, values);
    }
  }
}

/// The level of deflate: h5bench's gzip is of level 9 and without a shuffle.
inline int deflate_level(const Layout& layout) {
  const std::int64_t usual = layout.filter == "shuffle_deflate" ? 1 : 9;
  return static_cast<int>(layout.level > 0 ? layout.level : usual);
}

inline void add_chunks(hid_t properties, const Layout& layout) {
  const std::array chunk{static_cast<hsize_t>(layout.chunk_rows), static_cast<hsize_t>(layout.chunk_columns)};
  H5Pset_chunk(properties, 2, chunk.data());
  if (layout.filter == "none") return;
  const bool shuffled = layout.filter == "shuffle_deflate";
  if (shuffled) H5Pset_shuffle(properties);
  H5Pset_deflate(properties, static_cast<unsigned>(deflate_level(layout)));
}

/// Returns a chunk of rows x columns values as HDF5's filters shuffle and deflate leave it; `from` begins it in a piece
/// of `width` columns. Empty if zlib fails: threads call it, and must not throw.
inline std::vector<Bytef> deflated(const float* from, std::int64_t width, const Layout& layout) {
  const std::size_t rows = static_cast<std::size_t>(layout.chunk_rows);
  const std::size_t columns = static_cast<std::size_t>(layout.chunk_columns);
  std::vector<Bytef> plain(layout.chunk_bytes());
  for (std::size_t i = 0; i < rows; ++i) {
    std::memcpy(&plain[i * columns * sizeof(float)], from + i * static_cast<std::size_t>(width),
                columns * sizeof(float));
  }
  if (layout.filter == "shuffle_deflate") {
    const std::size_t values = rows * columns;
    std::vector<Bytef> shuffled(plain.size());
    for (std::size_t byte = 0; byte < sizeof(float); ++byte) {
      for (std::size_t i = 0; i < values; ++i) shuffled[byte * values + i] = plain[i * sizeof(float) + byte];
    }
    plain.swap(shuffled);
  }
  uLongf size = compressBound(plain.size());
  std::vector<Bytef> found(size);
  const bool done = compress2(found.data(), &size, plain.data(), plain.size(), deflate_level(layout)) == Z_OK;
  found.resize(done ? size : 0);
  return found;
}

/// Writes the whole chunks of a piece past the library, which would deflate them one after another.
inline void write_chunks(hid_t dataset, const Piece& piece, const std::vector<float>& values, const Layout& layout,
                         const std::string& path) {
  const std::int64_t across = piece.columns / layout.chunk_columns;
  const std::int64_t chunks = piece.rows / layout.chunk_rows * across;
  std::vector<std::vector<Bytef>> found(static_cast<std::size_t>(chunks));
#pragma omp parallel for schedule(dynamic)
  for (std::int64_t c = 0; c < chunks; ++c) {
    const std::int64_t at = c / across * layout.chunk_rows * piece.columns + c % across * layout.chunk_columns;
    found[static_cast<std::size_t>(c)] = deflated(values.data() + at, piece.columns, layout);
  }
  for (std::int64_t c = 0; c < chunks; ++c) {
    const std::array offset{static_cast<hsize_t>(piece.row + c / across * layout.chunk_rows),
                            static_cast<hsize_t>(piece.column + c % across * layout.chunk_columns)};
    const auto& chunk = found[static_cast<std::size_t>(c)];
    rooftop::require(!chunk.empty(), path, ": zlib cannot deflate a chunk");
    rooftop::require(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, offset.data(), chunk.size(), chunk.data()) >= 0, path,
                     " cannot be written");
  }
}

/// Writes a file by the library.
inline void write_file(const std::string& path, const Parameters& p, const Layout& layout) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  constexpr hsize_t smallest_aligned = 4096;
  H5Pset_alignment(access, smallest_aligned, static_cast<hsize_t>(layout.alignment));
  if (layout.latest) H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  H5Pclose(access);
  rooftop::require(file >= 0, path, " cannot be made");
  const std::array shape{static_cast<hsize_t>(layout.rows), static_cast<hsize_t>(layout.columns)};
  const hid_t space = H5Screate_simple(2, shape.data(), nullptr);
  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER);
  if (layout.chunked()) add_chunks(properties, layout);
  const hid_t dataset = H5Dcreate2(file, "x", H5T_IEEE_F32LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  in_pieces(p, layout, [&](const Piece& piece, const std::vector<float>& values) {
    if (layout.chunked() && layout.filter != "none" && piece.rows % layout.chunk_rows == 0 &&
        piece.columns % layout.chunk_columns == 0) {
      return write_chunks(dataset, piece, values, layout, path);
    }
    const std::array start{static_cast<hsize_t>(piece.row), static_cast<hsize_t>(piece.column)};
    const std::array count{static_cast<hsize_t>(piece.rows), static_cast<hsize_t>(piece.columns)};
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr);
    const hid_t memory_space = H5Screate_simple(2, count.data(), nullptr);
    const herr_t done = H5Dwrite(dataset, H5T_NATIVE_FLOAT, memory_space, space, H5P_DEFAULT, values.data());
    H5Sclose(memory_space);
    rooftop::require(done >= 0, path, " cannot be written");
  });
  H5Dclose(dataset), H5Pclose(properties), H5Sclose(space);
  rooftop::require(H5Fclose(file) >= 0, path, " cannot be written");
}

/// Makes the file by `write(unfinished path)` unless it is there. Others wait meanwhile, and see it whole or not at
/// all.
template <typename Write>
void require_file(const std::string& path, const Write& write) {
  const Descriptor lock(std::filesystem::path(path).parent_path() / "lock", O_RDWR | O_CREAT);
  flock(lock.get(), LOCK_EX);
  if (std::filesystem::exists(path)) return;
  const std::string unfinished = path + ".unfinished";
  write(unfinished);
  const Descriptor written(unfinished, O_RDONLY);
  fsync(written.get());
  std::filesystem::rename(unfinished, path);
}

/// Lets the system's cache forget the file. What was written is on the device: pages that are not would stay.
inline void drop_cache(const std::string& path) {
  const Descriptor file(path, O_RDONLY);
  fdatasync(file.get());
  rooftop::require(posix_fadvise(file.get(), 0, 0, POSIX_FADV_DONTNEED) == 0, path, ": the cache keeps it");
}

}  // namespace hdf5_io
