/// Files whose chunks went through bitshuffle, a filter that comes as a plugin. Source: Masui et al., A compression
/// scheme for radio data in high performance computing, Astronomy and Computing 12, 2015.
#pragma once

#include <hdf5.h>

#include <rooftop/h5io.hpp>
#include <rooftop/rung.hpp>
#include <string>
#include <vector>

#include "sample_file.hpp"

namespace hdf5_io {

inline constexpr int bitshuffle = 32008;  ///< HDF5's number for it

/// Lets the library find the plugin in the Python environment of the build, too. Throws rooftop::Skip where there is
/// none.
inline void require_bitshuffle() {
#ifdef ROOFTOP_HDF5_PLUGINS
  // In front: behind a folder that is not there, such as its default one, the library looks nowhere (issue 3248).
  static const herr_t added = H5PLprepend(ROOFTOP_HDF5_PLUGINS);
  static_cast<void>(added);
#endif
  if (H5Zfilter_avail(bitshuffle) > 0) return;
  throw rooftop::Skip(
      "the filter bitshuffle is missing: install the Python package hdf5plugin and build again, or name the folder of "
      "its plugin in HDF5_PLUGIN_PATH");
}

/// The same, for the first argument of a constructor.
inline const Problem& with_bitshuffle(const Problem& problem) {
  require_bitshuffle();
  return problem;
}

/// The filter's parameters: blocks of its own choice, and LZ4 or Zstandard.
inline std::vector<unsigned> bitshuffle_parameters(const Layout& layout) {
  constexpr unsigned lz4 = 2, zstd = 3, usual_level = 3;
  if (layout.filter == "bitshuffle_lz4") return {0, lz4};
  return {0, zstd, layout.level > 0 ? static_cast<unsigned>(layout.level) : usual_level};
}

/// Writes a file by the solver, which encodes chunks by all threads.
inline void write_bitshuffled(const std::string& path, const Parameters& p, const Layout& layout) {
  namespace h5io = rooftop::h5io;
  const auto size = [](std::int64_t n) { return static_cast<std::uint64_t>(n); };
  require_bitshuffle();
  h5io::OutputFile file(path, true);
  h5io::Creation creation;
  creation.shape = {size(layout.rows), size(layout.columns)};
  creation.type = "<f4";
  creation.chunk = {size(layout.chunk_rows), size(layout.chunk_columns)};
  creation.filters.push_back({bitshuffle, "", bitshuffle_parameters(layout), true});
  const auto dataset = file.dataset("x", creation);
  in_pieces(p, layout, [&](const Piece& piece, const std::vector<float>& values) {
    const std::vector<h5io::Span> spans{{size(piece.row), 1, 1, size(piece.rows)},
                                        {size(piece.column), 1, 1, size(piece.columns)}};
    dataset.write(spans, values.data(), values.size() * sizeof(float));
  });
  file.close();
}

}  // namespace hdf5_io
