// needs: MPI
/// Scatter and gather, written from messages, beside the library's own.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <rooftop/lab.hpp>
#include <rooftop/rank_messages.hpp>
#include <string>
#include <vector>

namespace {

using rooftop::as_just_written;
using rooftop::receive;
using rooftop::send;

/// Rank 0 has a block for each rank, and gets it back from there.
class Blocks final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t elements;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::elements>("elements", 1, 1 << 22)};
  static std::vector<Parameters> checks() { return {{.elements = 1}, {.elements = 211}}; }

  Blocks(const Parameters& given, const rooftop::Setting& setting)
      : elements(static_cast<int>(given.elements)), rank(setting.rank), ranks(setting.ranks) {
    out.resize(at(ranks));
    std::iota(out.begin(), out.end(), 7);
    held = in = out;
  }

  void poison() override {
    std::ranges::fill(held, -1);
    std::ranges::fill(in, -1);
  }
  void spoil() override { in.back() += 1; }

  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    const auto wrong = std::ranges::mismatch(in, out).in1;
    if (wrong == in.end()) return rooftop::exact("");
    const auto block = static_cast<std::size_t>(wrong - in.begin()) / at(1);
    return rooftop::exact("the block of rank " + std::to_string(block) + " has come back changed");
  }

  [[nodiscard]] std::size_t at(int block) const { return static_cast<std::size_t>(elements) * block; }
  /// The elements of so many blocks, as far as there are ranks.
  [[nodiscard]] int count(int first, int blocks) const { return elements * std::min(blocks, ranks - first); }

  const int elements, rank, ranks;
  std::vector<double> out, in;  ///< the blocks on rank 0, and what has come back
  std::vector<double> held;     ///< this rank's block, and those that it passes on
};

void scatter_linear(Blocks& lab) {
  if (lab.rank != 0) return receive(lab.held.data(), lab.elements, 0);
  for (int to = 1; to < lab.ranks; ++to) send(&lab.out[lab.at(to)], lab.elements, to);
}

void gather_linear(Blocks& lab) {
  if (lab.rank != 0) return send(lab.held.data(), lab.elements, 0);
  for (int from = 1; from < lab.ranks; ++from) receive(&lab.in[lab.at(from)], lab.elements, from);
}

enum class First : bool { near, far };

/// A binomial tree: the rank's subtree reaches to `span` ranks from it, and its children are at the distances 1, 2, 4
/// and so on. Calls step(distance) for each, in this order or the reverse, and returns the span.
template <First first, typename Step>
int for_children(const Blocks& lab, const Step& step) {
  int span = 1;
  while (span < lab.ranks && (lab.rank & span) == 0) span *= 2;
  for (int low = 1, high = span / 2; high > 0; low *= 2, high /= 2) {
    const int distance = first == First::near ? low : high;
    if (lab.rank + distance < lab.ranks) step(distance);
  }
  return span;
}

template <First first>
void scatter_tree(Blocks& lab) {
  const int span = for_children<first>(lab, [](int) {});
  if (lab.rank != 0) receive(lab.held.data(), lab.count(lab.rank, span), lab.rank - span);
  const double* blocks = lab.rank == 0 ? lab.out.data() : lab.held.data();
  for_children<first>(lab, [&](int distance) {
    send(blocks + lab.at(distance), lab.count(lab.rank + distance, distance), lab.rank + distance);
  });
}

template <First first>
void gather_tree(Blocks& lab) {
  double* blocks = lab.rank == 0 ? lab.in.data() : lab.held.data();
  const int span = for_children<first>(lab, [&](int distance) {
    receive(blocks + lab.at(distance), lab.count(lab.rank + distance, distance), lab.rank + distance);
  });
  if (lab.rank != 0) send(blocks, lab.count(lab.rank, span), lab.rank - span);
}

void scatter_library(Blocks& lab) {
  MPI_Scatter(lab.out.data(), lab.elements, MPI_DOUBLE, lab.held.data(), lab.elements, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

void gather_library(Blocks& lab) {
  MPI_Gather(lab.held.data(), lab.elements, MPI_DOUBLE, lab.in.data(), lab.elements, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

template <void (*scatter)(Blocks&), void (*gather)(Blocks&)>
class By final : public rooftop::LabRung {
 public:
  explicit By(Blocks& lab) : lab_(lab) {}
  void run() override {
    if (lab_.rank == 0) as_just_written(lab_.out.data(), lab_.out.size());
    scatter(lab_);
    if (lab_.rank == 0) std::copy_n(lab_.out.begin(), lab_.elements, lab_.in.begin());
    gather(lab_);
  }

 private:
  Blocks& lab_;
};

using rooftop::variant;
using Linear = By<scatter_linear, gather_linear>;
using WrongWay = By<scatter_tree<First::near>, gather_tree<First::far>>;
using Tree = By<scatter_tree<First::far>, gather_tree<First::near>>;
using Library = By<scatter_library, gather_library>;

}  // namespace

ROOFTOP_LAB(Blocks, variant<Linear, Blocks>("10-linear", "Rank 0 sends to each, and receives from each."),
            variant<WrongWay, Blocks>("20-tree-wrong-order",
                                      "Trees; the largest subtree is sent to last, and awaited first."),
            variant<Tree, Blocks>("30-tree", "Trees; the largest subtree is sent to first, and awaited last."),
            variant<Library, Blocks>("90-library", "MPI_Scatter and MPI_Gather."));
