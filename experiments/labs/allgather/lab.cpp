// needs: MPI
/// Allgather, written from messages, beside the library's own.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <bit>
#include <rooftop/lab.hpp>
#include <rooftop/rank_messages.hpp>
#include <string>
#include <vector>

namespace {

using rooftop::as_just_written;

/// All ranks need the block of each.
class Gathering final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t elements;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::elements>("elements", 1, 1 << 22)};
  static std::vector<Parameters> checks() { return {{.elements = 1}, {.elements = 211}}; }

  Gathering(const Parameters& given, const rooftop::Setting& setting)
      : elements(static_cast<int>(given.elements)), rank(setting.rank), ranks(setting.ranks) {
    blocks.resize(static_cast<std::size_t>(elements) * ranks);
    shifted = blocks;
    if (rank == 0) all.resize(blocks.size() * ranks);
  }

  void poison() override {
    std::ranges::fill(blocks, -1);
    std::ranges::fill(all, -1);
    for (int i = 0; i < elements; ++i) block(rank)[i] = content(rank * elements + i);
  }
  void spoil() override {
    if (rank == 0) all.back() += 1;
  }
  void collect() {
    const int count = elements * ranks;
    MPI_Gather(blocks.data(), count, MPI_DOUBLE, all.data(), count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  }
  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    for (std::size_t at = 0; at < all.size(); ++at) {
      if (all[at] == content(static_cast<int>(at % blocks.size()))) continue;
      const std::string has = " has a wrong element " + std::to_string(at % blocks.size());
      return rooftop::exact("rank " + std::to_string(at / blocks.size()) + has);
    }
    return rooftop::exact("");
  }

  [[nodiscard]] static double content(int place) { return 3.0 * place + 1; }
  [[nodiscard]] double* block(int owner) { return &blocks[static_cast<std::size_t>(elements) * owner]; }
  void exchange(const double* out, int to, double* in, int from, int count) const {
    MPI_Sendrecv(out, count * elements, MPI_DOUBLE, to, 0, in, count * elements, MPI_DOUBLE, from, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }

  const int elements, rank, ranks;
  std::vector<double> blocks;   ///< of all ranks, as this one has them
  std::vector<double> shifted;  ///< the same, from the own block on
  std::vector<double> all;      ///< the blocks of every rank, on rank 0
};

void ring(Gathering& lab) {
  const int left = (lab.rank + lab.ranks - 1) % lab.ranks;
  const int right = (lab.rank + 1) % lab.ranks;
  for (int step = 1, held = lab.rank; step < lab.ranks; ++step) {
    const int next = (held + lab.ranks - 1) % lab.ranks;
    lab.exchange(lab.block(held), right, lab.block(next), left, 1);
    held = next;
  }
}

/// For a power of two of ranks: what a rank has is aligned to its size.
void doubling(Gathering& lab) {
  for (int held = 1; held < lab.ranks; held *= 2) {
    const int partner = lab.rank ^ held;
    lab.exchange(lab.block(lab.rank & -held), partner, lab.block(partner & -held), partner, held);
  }
}

/// Begins with the own block in front, for any number of ranks, and puts the blocks in their order at the end.
void bruck(Gathering& lab) {
  const std::size_t size = lab.shifted.size() / lab.ranks;
  std::copy_n(lab.block(lab.rank), size, lab.shifted.begin());
  for (int held = 1; held < lab.ranks; held *= 2) {
    const int from = (lab.rank + held) % lab.ranks;
    const int to = (lab.rank + lab.ranks - held) % lab.ranks;
    lab.exchange(&lab.shifted[0], to, &lab.shifted[held * size], from, std::min(held, lab.ranks - held));
  }
  const auto first = lab.shifted.end() - static_cast<std::ptrdiff_t>(lab.rank * size);
  std::rotate_copy(lab.shifted.begin(), first, lab.shifted.end(), lab.blocks.begin());
}

void library(Gathering& lab) {
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DOUBLE, lab.blocks.data(), lab.elements, MPI_DOUBLE, MPI_COMM_WORLD);
}

template <void (*gather)(Gathering&)>
class By final : public rooftop::LabRung {
 public:
  explicit By(Gathering& lab) : lab_(lab) {
    const bool power_of_two = std::has_single_bit(static_cast<unsigned>(lab.ranks));
    if (gather == doubling && !power_of_two) throw rooftop::Skip("for a power of two of ranks");
  }
  void run() override {
    as_just_written(lab_.block(lab_.rank), static_cast<std::size_t>(lab_.elements));
    gather(lab_);
  }
  void finish() override { lab_.collect(); }

 private:
  Gathering& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Gathering, variant<By<ring>, Gathering>("10-ring", "Each block travels once round the ring."),
            variant<By<doubling>, Gathering>("20-recursive-doubling", "Pairs at doubling distances exchange all."),
            variant<By<bruck>, Gathering>("30-bruck", "Twice as many blocks in each step, for any number of ranks."),
            variant<By<library>, Gathering>("90-library", "MPI_Allgather."));
