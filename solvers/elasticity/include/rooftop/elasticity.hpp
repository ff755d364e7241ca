/// Linear elasticity on finite elements: the displacement under a load, by conjugate gradients with a preconditioner.
///
/// A box has trilinear hexahedra, a mesh elements of the kinds below. Nodes may lie anywhere, as long as no element is
/// inverted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <vector>

namespace rooftop::elasticity {

/// A caller's mistake: what was wrong, the value seen, what is expected.
class InvalidInput : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// A box of hexahedra. Nodes are numbered with x fastest, then y, then z; elements likewise. Spans are borrowed for the
/// length of a call.
struct Body {
  std::array<std::int64_t, 3> nodes{};  ///< in each direction, 2 or more
  std::span<const double> coordinates;  ///< x, y and z of each node; empty: elements are cubes with edges of 1
  std::span<const double> young;        ///< Young's modulus, above 0: one value, or one for each element
  std::span<const double> poisson;      ///< Poisson's ratio, above -1 and below 0.5: one value, or one for each element
  std::span<const double> load;         ///< three forces for each node
  std::span<const std::uint8_t> held;   ///< three for each node: other than 0 where a displacement is prescribed
};

/// Kinds of elements of a mesh, with their nodes in VTK's order, which is Abaqus's and CalculiX's, too.
enum class ElementKind : std::int32_t {
  tetrahedron = 0,  ///< linear, 4 nodes: the fourth on the side from which the first three go anticlockwise
  wedge = 1,        ///< 6 nodes: around a triangle, then around the one on the side from which these go anticlockwise
  hexahedron = 2,   ///< trilinear, 8 nodes: around the bottom, then around the top; 2 x 2 x 2 points of integration
  hexahedron_incompatible = 3,  ///< the same with incompatible modes, which bend; integrated as by CalculiX
  tetrahedron10 = 4,            ///< quadratic, 10 nodes: corners, then middles of edges 01, 12, 20, 03, 13 and 23
  wedge15 = 5,               ///< quadratic, 15 nodes: middles of the bottom's edges, of the top's, and of those between
  hexahedron20 = 6,          ///< quadratic, 20 nodes: middles likewise; 3 x 3 x 3 points of integration
  hexahedron20_reduced = 7,  ///< the same with 2 x 2 x 2 points; alone it has six modes without energy
};

/// Elements of one kind, each by its nodes, which count from 0.
struct ElementBlock {
  ElementKind kind;
  std::span<const std::int64_t> nodes;
};

/// Displacements that others determine: of equations, ties and rigid bodies. Each is the sum of factors times others,
/// and a constant: of the i-th these are at start[i] to before start[i + 1]. A displacement's number is three times its
/// node's, and its component. None is held, and none depends on another one that is dependent.
struct Dependences {
  std::span<const std::int64_t> dependent;    ///< each once
  std::span<const std::int64_t> start;        ///< one more than there are, from 0 on; empty where there are none
  std::span<const std::int64_t> independent;  ///< what they depend on
  std::span<const double> factor;             ///< of each of these
  std::span<const double> constant;           ///< one for each dependent displacement
};

/// A body whose elements lie anywhere. Elements are numbered block by block. A node that no element has is held, or has
/// to do with dependences: the load on it acts on what depends on it.
struct Mesh {
  std::span<const double> coordinates;  ///< x, y and z of each node
  std::vector<ElementBlock> blocks;     ///< what they refer to is borrowed, too
  std::span<const double> young;        ///< Young's modulus, above 0: one value, or one for each element
  std::span<const double> poisson;      ///< Poisson's ratio, above -1 and below 0.5: likewise
  std::span<const double> load;         ///< three forces for each node
  std::span<const std::uint8_t> held;   ///< three for each node: other than 0 where a displacement is prescribed
  Dependences dependences{};            ///< usually none
  /// Stiffness that depends on directions, instead of young and poisson, which are then not looked at; or empty. 21
  /// values for all elements, for each, or for each point of integration, element by element: the upper triangle of the
  /// symmetric matrix, column by column, that makes stresses xx, yy, zz, xy, xz, yz of strains xx, yy, zz, 2 xy, 2 xz,
  /// 2 yz, all along the axes of the coordinates. Positive definite. An element's points of integration are in the
  /// order of CalculiX: its own first coordinate is the fastest.
  std::span<const double> stiffness = {};
};

/// Values of a stiffness that depends on directions.
inline constexpr std::size_t stiffness_values = 21;
/// How many points of integration elements of a kind have. Throws InvalidInput for what is no kind.
[[nodiscard]] std::size_t points_of_integration(ElementKind kind);

enum class Preconditioner {
  none,
  block_jacobi,  ///< inverses of the 3 x 3 blocks of the diagonal
  chebyshev,     ///< a polynomial in the matrix, scaled by its diagonal
  multigrid,     ///< of a box: coarser boxes; of a mesh: aggregates of nodes, and their rigid motions
};

/// How the iteration stands.
struct Progress {
  double seconds;           ///< since the call
  std::int64_t iterations;  ///< so far
  double residual;          ///< norm, relative to that of the load
};

struct Options {
  Preconditioner preconditioner = Preconditioner::multigrid;
  /// Whether products read values of an assembled matrix in single precision: half of the bytes, to the same tolerance,
  /// which the true residual is held against; more memory, for both are kept, and a few more iterations.
  bool single_values = false;
  double tolerance = 1e-8;            ///< of the norm of the residual, relative to that of the load; above 0
  std::int64_t iterations = 100'000;  ///< maximum
  double seconds = std::numeric_limits<double>::infinity();  ///< maximum, of all; infinity: no limit
  int threads = 0;                                           ///< 0: as many as OpenMP would take
  const std::int32_t* stop = nullptr;          ///< or a flag: other than 0 ends the iteration soon, with what is known
  std::function<bool(const Progress&)> watch;  ///< called now and then by the thread that called; false ends it
};

enum class Outcome {
  converged,
  iteration_limit,
  time_limit,
  stopped,    ///< by the flag or the watcher
  stagnated,  ///< rounding keeps the true residual above the tolerance
};

struct Result {
  Outcome outcome;
  std::int64_t iterations;
  double residual;                ///< true one, of the displacement returned: norm relative to that of the load
  double setup_seconds, seconds;  ///< of the preconditioner and matrices; of all
  std::vector<double> residuals;  ///< that the iteration told, relative: before the first one and after each
  double bytes;                   ///< of memory for matrices and vectors
  /// Where the residual stayed above the tolerance: the residual that rounding of a displacement such as this one makes
  /// by itself. No other displacement in double precision has a much smaller one. 0 elsewhere.
  double rounding;
  /// Whether the body is so thin, or its elements so much longer than wide, that multigrid smoothed columns of nodes
  /// together, in double precision; of a box, that is a mesh's instead of a box's.
  bool stretched;
  /// Whether the preconditioner failed and block Jacobi was used instead.
  bool replaced;
};

/// Solves for the displacement: three values for each node, which on entry has the prescribed values where `held` says
/// so and elsewhere a first guess, such as zeros. Throws InvalidInput for sizes that do not fit, for values that are
/// not finite or out of range, for inverted elements and for a body that is free to move; std::bad_alloc.
Result solve(const Body& body, const Options& options, std::span<double> displacement);
/// The same for a mesh, of which also nodes without an element that nothing depends on, elements with nodes that are
/// not there, and several parts that do not hang together are refused where these are free to move.
Result solve(const Mesh& mesh, const Options& options, std::span<double> displacement);

}  // namespace rooftop::elasticity
