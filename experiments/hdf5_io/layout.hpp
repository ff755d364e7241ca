/// How the array lies in a file: which elements of it, in which order, in which chunks.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <rooftop/rung.hpp>
#include <sstream>
#include <string>

#include "problem.hpp"

namespace hdf5_io {

struct Layout {
  std::int64_t row = 0, rows = 0, column = 0, columns = 0;  ///< the part of the array that the file has
  bool blocks = false;  ///< of each row only what is selected, block after block, which `columns` then counts
  std::int64_t chunk_rows = 0, chunk_columns = 0;  ///< 0: in one piece
  std::string filter = "none";                     ///< of chunks: a case's, or "bitshuffle_lz4" or "bitshuffle_zstd"
  std::int64_t level = 0;                          ///< as Tunables have it
  std::int64_t alignment = 1;                      ///< of what lies in the file, in bytes
  bool latest = false;                             ///< in the latest format of the library

  [[nodiscard]] bool chunked() const { return chunk_rows > 0; }
  [[nodiscard]] std::size_t chunk_bytes() const {
    return static_cast<std::size_t>(chunk_rows * chunk_columns) * sizeof(float);
  }

  /// Which column of the array a column of the file is.
  [[nodiscard]] std::int64_t column_of(const Parameters& p, std::int64_t in_file) const {
    return blocks ? in_file / p.block * p.stride + in_file % p.block : column + in_file;
  }
};

/// All of the array, as the case has it.
inline Layout layout_of(const Parameters& p) {
  Layout layout;
  layout.rows = p.rows, layout.columns = p.columns;
  layout.chunk_rows = p.chunk_rows, layout.chunk_columns = p.chunk_columns;
  layout.filter = p.filter;
  return layout;
}

/// The chunks of h5bench's contest: 1 Mi elements of an array of one row, else 512 x 256. Throws rooftop::Skip for
/// cases whose file has chunks already.
inline Layout in_chunks(const Parameters& p, const std::string& filter) {
  if (p.chunked()) throw rooftop::Skip("the case's own file has chunks");
  constexpr std::int64_t in_one_row = 1 << 20, rows = 512, columns = 256;
  Layout layout = layout_of(p);
  layout.chunk_rows = std::min(p.rows, rows);
  layout.chunk_columns = std::min(p.columns, p.rows == 1 ? in_one_row : columns);
  layout.filter = filter;
  return layout;
}

/// What is selected and nothing else, block after block.
inline Layout blocks_of(const Parameters& p) {
  Layout layout;
  layout.rows = p.rows, layout.columns = p.blocks() * p.block;
  layout.blocks = true;
  return layout;
}

/// The selection as it lies in a file: of one that has blocks alone, all is read.
inline Parameters selection_in(const Layout& layout, Parameters p) {
  if (layout.blocks) p.columns = layout.columns, p.stride = p.block;
  return p;
}

/// One path for all files that have the same content, whichever rung needs them.
inline std::string path_of(const std::filesystem::path& folder, const Parameters& p, const Layout& layout) {
  std::ostringstream name;
  name << layout.rows << 'x' << layout.columns;
  if (layout.blocks) {
    name << "-blocks-" << p.block << 'x' << p.stride;
  } else if (layout.rows != p.rows || layout.columns != p.columns) {
    name << "-at-" << layout.row << 'x' << layout.column << "-of-" << p.rows << 'x' << p.columns;
  }
  if (layout.chunked()) name << "-in-" << layout.chunk_rows << 'x' << layout.chunk_columns << '-' << layout.filter;
  if (layout.level > 0) name << "-level-" << layout.level;
  if (layout.alignment > 1) name << "-aligned-" << layout.alignment;
  if (layout.latest) name << "-latest";
  name << ".h5";
  return folder / name.str();
}

/// The same beside a problem's own file.
inline std::string path_of(const Problem& problem, const Layout& layout) {
  return path_of(std::filesystem::path(problem.file).parent_path(), problem.parameters, layout);
}

}  // namespace hdf5_io
