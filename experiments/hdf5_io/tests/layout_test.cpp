// threads: none
#include "layout.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "data.hpp"

namespace {

using hdf5_io::Layout;
using hdf5_io::Parameters;
using hdf5_io::Tunables;

Parameters three_of_ten() {
  Parameters p;
  p.rows = 5, p.columns = 100, p.block = 3, p.stride = 10;
  return p;
}

TEST(Layout, BlocksLieNextToEachOther) {
  const Parameters p = three_of_ten();
  const Layout layout = blocks_of(p);
  EXPECT_EQ(layout.columns, 30);
  for (std::int64_t column = 0; column < layout.columns; ++column) {
    EXPECT_EQ(layout.column_of(p, column), column / 3 * 10 + column % 3);
  }
  const Parameters in_file = selection_in(layout, p);
  EXPECT_EQ(in_file.blocks(), p.blocks());
  EXPECT_EQ(in_file.stride, in_file.block);
}

TEST(Layout, OfThePartOfARankBeginsWhereThatDoes) {
  Layout layout = layout_of(three_of_ten());
  layout.column = 40, layout.columns = 33;
  EXPECT_EQ(layout.column_of(three_of_ten(), 7), 47);
}

TEST(Layout, WhateverDiffersHasAnotherPath) {
  const Parameters p = three_of_ten();
  std::vector<Layout> layouts(9, layout_of(p));
  layouts[1].row = 1, layouts[1].rows = 4;
  layouts[2].chunk_rows = 2, layouts[2].chunk_columns = 10;
  layouts[3] = layouts[2], layouts[3].filter = "deflate";
  layouts[4] = layouts[3], layouts[4].level = 4;
  layouts[5] = blocks_of(p);
  layouts[6].alignment = 4096;
  layouts[7].latest = true;
  layouts[8].column = 10, layouts[8].columns = 90;
  std::set<std::string> paths;
  for (const Layout& layout : layouts) paths.insert(path_of("files", p, layout));
  EXPECT_EQ(paths.size(), layouts.size());
}

TEST(Layout, BlocksOfAnotherSelectionHaveAnotherPath) {
  Parameters p = three_of_ten(), q = p;
  p.stride = 30, q.stride = 31;
  ASSERT_EQ(p.blocks(), q.blocks());
  EXPECT_NE(path_of("files", p, blocks_of(p)), path_of("files", q, blocks_of(q)));
}

TEST(Layout, ChunksAreNoLargerThanTheArray) {
  const Layout layout = in_chunks(three_of_ten(), "deflate");
  EXPECT_EQ(layout.chunk_rows, 5);
  EXPECT_EQ(layout.chunk_columns, 100);
  Parameters chunked = three_of_ten();
  chunked.chunk_rows = 1, chunked.chunk_columns = 1;
  EXPECT_THROW(in_chunks(chunked, "none"), rooftop::Skip);
}

TEST(Tunables, AreTakenOutOfTheParameters) {
  Tunables tunables;
  const auto others = hdf5_io::take_tunables(
      {{"rows", 5}, {"mode", "collective"}, {"chunk", 64}, {"compression", "deflate"}}, tunables);
  EXPECT_EQ(others, nlohmann::json({{"rows", 5}}));
  EXPECT_EQ(tunables.mode, "collective");
  EXPECT_EQ(tunables.chunk, 64);
  EXPECT_EQ(tunables.pattern, "array");
}

TEST(Tunables, ThatMakeNoSenseAreRefused) {
  const std::vector<std::pair<nlohmann::json, std::string>> wrong{
      {{{"mode", "both"}}, R"('mode' is "both": expected one of "independent", "collective")"},
      {{{"compression", "deflate"}}, R"('compression' is "deflate" and 'chunk' 0: expected chunks with it)"},
      {{{"level", 10}}, "'level' is 10: expected a whole number from 0 to 9"},
      {{{"chunk", 8}, {"compression", "bitshuffle_lz4"}, {"metadata", "latest"}},
       R"('compression' is "bitshuffle_lz4": expected an 'alignment' of 1 and no 'latest' metadata with it)"},
  };
  for (const auto& [given, says] : wrong) {
    Tunables tunables;
    try {
      hdf5_io::take_tunables(given, tunables);
      ADD_FAILURE() << given;
    } catch (const std::invalid_argument& error) {
      EXPECT_EQ(error.what(), says);
    }
  }
}

}  // namespace
