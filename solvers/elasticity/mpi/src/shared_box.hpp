/// The box that ranks share, as a rank knows it: its own elements, and those that have a node with one of these.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "approximate_inverse.hpp"
#include "check.hpp"
#include "communicator.hpp"
#include "grid.hpp"
#include "halo.hpp"
#include "piece.hpp"

namespace rooftop::elasticity {

/// A part of a box whose nodes lie anywhere. An element's values are those of its first corner.
struct FreePart {
  Field<double> at;        ///< coordinates
  Field<double> material;  ///< lame, shear and 0
};

/// One of `aligned`, which is the whole box on every rank, and `free` is there.
class SharedBox {
 public:
  SharedBox(Piece own, AlignedBox whole) : piece(std::move(own)), aligned(std::move(whole)) {}
  SharedBox(Piece own, FreePart part) : piece(std::move(own)), free(std::move(part)) {}

  /// The elements that have one of these nodes of the local grid only.
  [[nodiscard]] Boxes local(const Range& nodes) const;
  [[nodiscard]] Boxes local() const { return local(all_of(piece.grid())); }
  /// The number in the whole box of an element of local().
  [[nodiscard]] std::int64_t element_in_whole(std::int64_t element) const;

  /// How the whole box becomes coarser, and that box: shared in the same way, or the whole of it on every rank. Where
  /// not all ranks have nodes of it, those beside a rank's own are not known. Collective.
  [[nodiscard]] Coarsenings coarsenings(const Communicator& ranks) const;
  [[nodiscard]] SharedBox coarser(const Coarsenings& by, int threads, const Communicator& ranks) const;
  [[nodiscard]] Boxes gathered(const Communicator& ranks) const;

  Piece piece;
  std::optional<AlignedBox> aligned;
  std::optional<FreePart> free;
};

/// Which box matrices are made of.
[[nodiscard]] inline AnyBox any(const Boxes& boxes) {
  return {boxes.aligned ? &*boxes.aligned : nullptr, boxes.free ? &*boxes.free : nullptr};
}

/// A field of the whole box, on every rank, of one that is shared. Collective.
[[nodiscard]] Field<float> gathered(const Piece& piece, const Field<float>& own, const Communicator& ranks);

}  // namespace rooftop::elasticity
