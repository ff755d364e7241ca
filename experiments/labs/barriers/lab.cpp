/// Barriers: `single`, `sections` and loops end with one, whether or not the next construct needs it.
///
/// A block that one thread executes keeps the whole team at the barrier behind it. With `nowait` the other threads go
/// on to the next block, and blocks that do not depend on one another run side by side.
#include <omp.h>

#include <array>
#include <rooftop/delay.hpp>
#include <rooftop/lab.hpp>
#include <string>
#include <vector>

namespace {

/// Blocks of `cycles` cycles each, independent of one another.
class Blocks final : public rooftop::Lab {
 public:
  struct Parameters {
    std::int64_t blocks;
    std::int64_t cycles;
  };
  static constexpr std::array fields{rooftop::field<&Parameters::blocks>("blocks", 1, 1 << 20),
                                     rooftop::field<&Parameters::cycles>("cycles", 0, 1 << 30)};
  static std::vector<Parameters> checks() { return {{.blocks = 1, .cycles = 0}, {.blocks = 7, .cycles = 50}}; }

  Blocks(const Parameters& given, const rooftop::Setting& setting)
      : parameters(given), threads(setting.threads), done(static_cast<std::size_t>(given.blocks)) {}

  void poison() override { done.assign(done.size(), -1); }
  void spoil() override { done.back() += 1; }

  [[nodiscard]] rooftop::Verdict verify(std::string_view /*algorithm*/) const override {
    for (std::size_t block = 0; block < done.size(); ++block) {
      const std::int64_t expected = static_cast<std::int64_t>(block) + rooftop::Delay::step * parameters.cycles;
      if (done[block] == expected) continue;
      return rooftop::exact("block " + std::to_string(block) + " is " + std::to_string(done[block]) + ", expected " +
                            std::to_string(expected));
    }
    return rooftop::exact("");
  }

  const Parameters parameters;
  const int threads;
  std::vector<std::int64_t> done;  ///< the result: where each block's additions ended
};

void compute(Blocks& lab, std::int64_t block) {
  lab.done[static_cast<std::size_t>(block)] = rooftop::Delay().after(block, lab.parameters.cycles);
}

void in_single(Blocks& lab, std::int64_t block) {
#pragma omp single
  compute(lab, block);
}

void in_sections(Blocks& lab, std::int64_t block) {
#pragma omp sections
  {
#pragma omp section
    compute(lab, block);
  }
}

/// The same barrier, written out.
void before_barrier(Blocks& lab, std::int64_t block) {
#pragma omp single nowait
  compute(lab, block);
#pragma omp barrier
}

void in_single_nowait(Blocks& lab, std::int64_t block) {
#pragma omp single nowait
  compute(lab, block);
}

/// Each thread takes its own blocks, and ends each with a `simd` loop. If `simd` had a barrier, a team of which one
/// thread alone comes here would hang.
void before_simd(Blocks& lab, std::int64_t block) {
  if (block % omp_get_num_threads() != omp_get_thread_num()) return;
  compute(lab, block);
  std::int64_t sum = -6;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t digit = 0; digit < 4; ++digit) sum += digit;
  lab.done[static_cast<std::size_t>(block)] += sum;
}

/// All threads of a team call `next` for each block.
template <void (*next)(Blocks&, std::int64_t)>
class OneTeam final : public rooftop::LabRung {
 public:
  explicit OneTeam(Blocks& lab) : lab_(lab) {}

  void run() override {
#pragma omp parallel num_threads(lab_.threads)
    for (std::int64_t block = 0; block < lab_.parameters.blocks; ++block) next(lab_, block);
  }

 private:
  Blocks& lab_;
};

using rooftop::variant;

}  // namespace

ROOFTOP_LAB(Blocks, variant<OneTeam<in_single>, Blocks>("10-single", "A single for each block, with its barrier."),
            variant<OneTeam<in_sections>, Blocks>("20-sections", "Sections for each block, with the same barrier."),
            variant<OneTeam<before_barrier>, Blocks>("30-explicit", "single nowait, and the barrier written out."),
            variant<OneTeam<in_single_nowait>, Blocks>("40-nowait", "Who is free takes the next block."),
            variant<OneTeam<before_simd>, Blocks>("50-simd", "Own blocks for each thread, each before a simd loop."));
