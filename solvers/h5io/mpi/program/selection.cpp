#include "selection.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace h5bench {

namespace {

/// Returns two-dimensional blocks with their first corners at `starts`.
std::vector<Slab> blocks_at(const std::vector<std::array<std::uint64_t, 2>>& starts,
                            const std::array<std::uint64_t, 2>& block) {
  std::vector<Slab> slabs;
  for (const auto& start : starts)
    slabs.push_back({{start[0], start[1], 0}, {1, 1, 1}, {1, 1, 1}, {block[0], block[1], 1}});
  return slabs;
}

/// Returns the parts of an array that one rank reads; the others read nothing. As in h5bench, the extent is that of
/// each rank.
std::vector<Slab> parts_of_two_dimensions(const Asked& asked) {
  const auto& [rows, columns, depth] = asked.extent;
  const auto& [height, width] = asked.block;
  const std::uint64_t last_row = rows - height, last_column = columns - width;
  switch (asked.part) {
    case Part::left_diagonal:
      return blocks_at({{0, 0}, {last_row, last_column}}, asked.block);
    case Part::right_diagonal:
      return blocks_at({{0, last_column}, {last_row, 0}}, asked.block);
    case Part::frame: {
      std::vector<Slab> slabs = blocks_at({{0, 0}, {0, last_column}}, {rows, width});
      for (const Slab& slab : blocks_at({{0, width}, {last_row, width}}, {height, columns - 2 * width})) {
        slabs.push_back(slab);
      }
      return slabs;
    }
    default: {
      std::vector<std::array<std::uint64_t, 2>> starts{{0, 0}};
      for (std::uint64_t row = asked.stride[0], column = asked.stride[1];
           row + height < rows && column + width < columns; row += asked.stride[0], column += asked.stride[1]) {
        starts.push_back({row, column});
      }
      return blocks_at(starts, asked.block);
    }
  }
}

}  // namespace

Selection::Selection(const Asked& asked, const Extent& whole, int rank, int ranks)
    : dimensions_(asked.dimensions), whole_(whole), unlimited_(asked.unlimited) {
  const auto own = static_cast<std::uint64_t>(rank);
  if (asked.part == Part::whole) {
    Slab slab{.block = asked.extent};
    // In one dimension, all ranks have equal shares of the file, and may read only the beginning of theirs.
    slab.start[0] = own * (dimensions_ == 1 ? whole[0] / static_cast<std::uint64_t>(ranks) : asked.extent[0]);
    if (asked.elements > 0) slab.block[0] = asked.elements;
    if (asked.append) slab.start[0] = whole[0] - (static_cast<std::uint64_t>(ranks) - own) * asked.extent[0];
    if (!asked.shares.empty()) {
      const auto share = asked.shares.begin() + rank;
      slab.start[0] = std::accumulate(asked.shares.begin(), share, std::uint64_t{0});
      slab.block[0] = *share;
    }
    add(slab);
  } else if (asked.part == Part::strided) {
    add({{own * (whole[0] / static_cast<std::uint64_t>(ranks)), 0, 0},
         {asked.stride[0], 1, 1},
         {asked.count, 1, 1},
         {asked.block[0], 1, 1}});
  } else if (rank == 0) {
    for (const Slab& slab : parts_of_two_dimensions(asked)) add(slab);
  }
  find_runs();
}

Selection::Selection(int dimensions, const Extent& whole, const Slab& slab) : dimensions_(dimensions), whole_(whole) {
  add(slab);
  find_runs();
}

void Selection::add(const Slab& slab) {
  for (std::size_t d = 0; d < 3; ++d) {
    const std::uint64_t end = slab.start[d] + (slab.count[d] - 1) * slab.stride[d] + slab.block[d];
    if (end > whole_[d]) {
      throw std::invalid_argument("dimension " + std::to_string(d + 1) + " of the file has " +
                                  std::to_string(whole_[d]) + " elements, and the configuration asks for element " +
                                  std::to_string(end - 1));
    }
  }
  slabs_.push_back(slab);
}

void Selection::find_runs() {
  for (const Slab& slab : slabs_) {
    for (std::uint64_t i = 0; i < slab.count[0] * slab.block[0]; ++i) {
      const std::uint64_t x = slab.start[0] + i / slab.block[0] * slab.stride[0] + i % slab.block[0];
      for (std::uint64_t y = slab.start[1]; y < slab.start[1] + slab.block[1]; ++y) {
        const Run run{(x * whole_[1] + y) * whole_[2] + slab.start[2], slab.block[2]};
        if (!runs_.empty() && runs_.back().first + runs_.back().length == run.first) {
          runs_.back().length += run.length;
        } else {
          runs_.push_back(run);
        }
      }
    }
  }
  std::sort(runs_.begin(), runs_.end(), [](const Run& a, const Run& b) { return a.first < b.first; });
  std::vector<Run> joined;
  for (const Run& run : runs_) {
    if (!joined.empty() && run.first <= joined.back().first + joined.back().length) {
      joined.back().length = std::max(joined.back().length, run.first + run.length - joined.back().first);
    } else {
      joined.push_back(run);
    }
  }
  runs_ = std::move(joined);
  for (const Run& run : runs_) elements_ += run.length;
}

Space Selection::in_file() const {
  Extent sizes = whole_;
  Extent most = whole_;
  if (unlimited_) most[0] = H5S_UNLIMITED;
  Space space(H5Screate_simple(dimensions_, sizes.data(), most.data()), "the file's space");
  H5Sselect_none(space);
  for (const Slab& slab : slabs_) {
    const H5S_seloper_t how = &slab == slabs_.data() ? H5S_SELECT_SET : H5S_SELECT_OR;
    checked(
        H5Sselect_hyperslab(space, how, slab.start.data(), slab.stride.data(), slab.count.data(), slab.block.data()),
        "a selection");
  }
  return space;
}

Space Selection::in_memory() const {
  const bool box = slabs_.size() == 1 && dimensions_ > 1;
  const Extent sizes = box ? slabs_[0].block : Extent{std::max<std::uint64_t>(elements_, 1), 1, 1};
  Space space(H5Screate_simple(box ? dimensions_ : 1, sizes.data(), nullptr), "the memory's space");
  if (elements_ == 0) H5Sselect_none(space);
  return space;
}

}  // namespace h5bench
