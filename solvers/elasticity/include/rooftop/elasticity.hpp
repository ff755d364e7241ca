/// Linear elasticity on finite elements: the displacement under a load, by preconditioned conjugate gradients.
///
/// A box consists of trilinear hexahedra, a mesh of elements of the kinds below. Nodes may have any coordinates, as
/// long as no element is inverted.
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

/// Invalid input. what() is one line: what is wrong, the value seen, and what is expected.
class InvalidInput : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// A box of hexahedra. Nodes and elements are numbered with x fastest, then y, then z. Spans must stay valid during a
/// call.
struct Body {
  std::array<std::int64_t, 3> nodes{};  ///< in each direction, 2 or more
  std::span<const double> coordinates;  ///< x, y and z of each node; empty: elements are cubes with edges of 1
  std::span<const double> young;        ///< Young's modulus, above 0: one value, or one for each element
  std::span<const double> poisson;      ///< Poisson's ratio, above -1 and below 0.5: one value, or one for each element
  std::span<const double> load;         ///< three forces for each node
  std::span<const std::uint8_t> held;   ///< three for each node: nonzero if the displacement is prescribed
};

/// Kinds of elements of a mesh. Nodes are in VTK's order, which is also that of Abaqus and CalculiX.
enum class ElementKind : std::int32_t {
  tetrahedron = 0,  ///< linear, 4 nodes: the fourth on the side from which the first three go anticlockwise
  wedge = 1,        ///< 6 nodes: around a triangle, then around the one on the side from which these go anticlockwise
  hexahedron = 2,   ///< trilinear, 8 nodes: around the bottom, then around the top; 2 x 2 x 2 points of integration
  hexahedron_incompatible = 3,  ///< the same with incompatible modes, for bending; integrated as in CalculiX
  tetrahedron10 = 4,            ///< quadratic, 10 nodes: corners, then middles of edges 01, 12, 20, 03, 13 and 23
  wedge15 = 5,               ///< quadratic, 15 nodes: middles of the bottom's edges, of the top's, and of those between
  hexahedron20 = 6,          ///< quadratic, 20 nodes: middles likewise; 3 x 3 x 3 points of integration
  hexahedron20_reduced = 7,  ///< the same with 2 x 2 x 2 points; a single one has six zero-energy modes
};

/// Elements of one kind. `nodes` lists the nodes of each element, numbered from 0.
struct ElementBlock {
  ElementKind kind;
  std::span<const std::int64_t> nodes;
};

/// Dependent displacements, as in equations, ties and rigid bodies. Each is a linear combination of other displacements
/// plus a constant; the terms of dependence i are start[i] to start[i + 1] - 1. Displacements are numbered 3 * node +
/// component. A dependent displacement must not be held, and none may depend on another dependent one.
struct Dependences {
  std::span<const std::int64_t> dependent;    ///< dependent displacements, without repetition
  std::span<const std::int64_t> start;        ///< first term of each, and the number of terms; empty if there are none
  std::span<const std::int64_t> independent;  ///< displacement of each term
  std::span<const double> factor;             ///< factor of each term
  std::span<const double> constant;           ///< one for each dependent displacement
};

/// An unstructured mesh. Elements are numbered block by block. A node without elements must be held or take part in
/// dependences; a load on it acts on the displacements that depend on it.
struct Mesh {
  std::span<const double> coordinates;  ///< x, y and z of each node
  std::vector<ElementBlock> blocks;     ///< their spans must stay valid, too
  std::span<const double> young;        ///< Young's modulus, above 0: one value, or one for each element
  std::span<const double> poisson;      ///< Poisson's ratio, above -1 and below 0.5: likewise
  std::span<const double> load;         ///< three forces for each node
  std::span<const std::uint8_t> held;   ///< three for each node: nonzero if the displacement is prescribed
  Dependences dependences{};            ///< dependent displacements, if any
  /// Anisotropic stiffness, or empty. Replaces young and poisson, which are then ignored. 21 values for all elements,
  /// for each element, or for each integration point, element by element: the upper triangle, column by column, of the
  /// positive definite matrix that maps strains xx, yy, zz, 2 xy, 2 xz, 2 yz to stresses xx, yy, zz, xy, xz, yz, in
  /// global coordinates. Integration points are in CalculiX's order: the element's first local coordinate is the
  /// fastest.
  std::span<const double> stiffness = {};
};

/// Number of values of an anisotropic stiffness.
inline constexpr std::size_t stiffness_values = 21;
/// Returns the number of integration points of a kind of element. Throws InvalidInput for an unknown kind.
[[nodiscard]] std::size_t points_of_integration(ElementKind kind);

enum class Preconditioner {
  none,
  block_jacobi,  ///< inverses of the 3 x 3 blocks of the diagonal
  chebyshev,     ///< a polynomial in the matrix, scaled by its diagonal
  multigrid,     ///< geometric on boxes; smoothed aggregation with rigid-body modes on meshes
};

/// Progress of the iteration.
struct Progress {
  double seconds;           ///< since the call
  std::int64_t iterations;  ///< so far
  double residual;          ///< norm, relative to that of the load
};

struct Options {
  Preconditioner preconditioner = Preconditioner::multigrid;
  /// Whether products read the assembled matrix in single precision, which moves half the bytes. The tolerance still
  /// applies to the true residual. Takes more memory, as both precisions are kept, and a few more iterations.
  bool single_values = false;
  double tolerance = 1e-8;            ///< norm of the residual relative to that of the load at which to stop; above 0
  std::int64_t iterations = 100'000;  ///< maximum
  double seconds = std::numeric_limits<double>::infinity();  ///< time limit, set-up included; infinity: no limit
  int threads = 0;                                           ///< 0: OpenMP's default
  const std::int32_t* stop = nullptr;                        ///< optional flag: a nonzero value soon ends the iteration
  std::function<bool(const Progress&)> watch;  ///< called regularly on the calling thread; return false to end
};

enum class Outcome {
  converged,
  iteration_limit,
  time_limit,
  stopped,    ///< by `stop` or `watch`
  stagnated,  ///< rounding keeps the true residual above the tolerance
};

struct Result {
  Outcome outcome;
  std::int64_t iterations;
  double residual;                ///< norm of the true residual of the displacement, relative to that of the load
  double setup_seconds, seconds;  ///< for matrices and preconditioner; in total
  std::vector<double> residuals;  ///< relative residuals of the iteration: before the first one and after each
  double bytes;                   ///< memory for matrices and vectors
  /// If the residual is above the tolerance: the residual caused by rounding the displacement to double precision,
  /// below which hardly any displacement can get. Otherwise 0.
  double rounding;
  /// Whether the body is so thin, or its elements so elongated, that multigrid smoothed whole columns of nodes, in
  /// double precision. A box is then solved as a mesh.
  bool stretched;
  /// Whether the preconditioner failed and block Jacobi was used instead.
  bool replaced;
  double product_bytes = 0;   ///< of the matrix that an iteration multiplies by
  double smoother_bytes = 0;  ///< of what smooths aggregation's finest level; 0 for other preconditioners
  int sweeps = 0;             ///< times that an iteration reads those
};

/// Solves for the displacement of a box, three values for each node. On entry it has the prescribed values where `held`
/// is nonzero, and elsewhere an initial guess, such as zeros. Throws InvalidInput for wrong sizes, values that are not
/// finite or out of range, inverted elements and bodies that are free to move; std::bad_alloc.
Result solve(const Body& body, const Options& options, std::span<double> displacement);
/// Solves for the displacement of a mesh. Also throws InvalidInput for unused nodes without dependences, elements with
/// unknown nodes, and separate parts that are free to move.
Result solve(const Mesh& mesh, const Options& options, std::span<double> displacement);

}  // namespace rooftop::elasticity
