// Any sequence of calls of the C interface with any arguments, of complex and real values in both precisions: statuses
// with a message of one line, and nothing is read or written beyond arrays of exactly the sizes that the plan tells.
#include <cstdlib>
#include <draw.hpp>
#include <initializer_list>
#include <string>
#include <type_traits>

#include "rooftop/fft.h"

namespace {

using rooftop::fuzzing::Draw;

void require(bool kept) {
  if (!kept) std::abort();
}

bool fine(int status, bool may_stop = false) {
  if (status == ROOFTOP_FFT_OK) return true;
  require(status == ROOFTOP_FFT_INVALID_ARGUMENT || (may_stop && status == ROOFTOP_FFT_STOPPED));
  const std::string said = rooftop_fft_last_error();
  require(!said.empty());
  for (const char c : said) require(c >= ' ' && c <= '~');
  return false;
}

constexpr std::int64_t longest = 1 << 12;         // of a line that is planned
constexpr std::uint64_t most_values = 1 << 13;    // of a grid that is transformed
constexpr std::uint64_t most_scratch = 16 << 20;  // bytes

struct Doubles {
  using Real = double;
  using Plan = rooftop_fft_plan;
  static constexpr auto create = rooftop_fft_plan_create;
  static constexpr auto destroy = rooftop_fft_plan_destroy;
  static constexpr auto sizes = rooftop_fft_plan_sizes;
  static constexpr auto instruction_set = rooftop_fft_plan_instruction_set;
  static constexpr auto run = rooftop_fft_run;
  static constexpr auto run_stoppable = rooftop_fft_run_stoppable;
};
struct Singles {
  using Real = float;
  using Plan = rooftop_fft_plan_float;
  static constexpr auto create = rooftop_fft_plan_create_float;
  static constexpr auto destroy = rooftop_fft_plan_destroy_float;
  static constexpr auto sizes = rooftop_fft_plan_sizes_float;
  static constexpr auto instruction_set = rooftop_fft_plan_instruction_set_float;
  static constexpr auto run = rooftop_fft_run_float;
  static constexpr auto run_stoppable = rooftop_fft_run_stoppable_float;
};

struct RealDoubles {
  using Real = double;
  using Plan = rooftop_fft_real_plan;
  static constexpr auto create = rooftop_fft_real_plan_create;
  static constexpr auto destroy = rooftop_fft_real_plan_destroy;
  static constexpr auto sizes = rooftop_fft_real_plan_sizes;
  static constexpr auto instruction_set = rooftop_fft_real_plan_instruction_set;
  static constexpr auto run_stoppable = rooftop_fft_real_run_stoppable;
};
struct RealSingles {
  using Real = float;
  using Plan = rooftop_fft_real_plan_float;
  static constexpr auto create = rooftop_fft_real_plan_create_float;
  static constexpr auto destroy = rooftop_fft_real_plan_destroy_float;
  static constexpr auto sizes = rooftop_fft_real_plan_sizes_float;
  static constexpr auto instruction_set = rooftop_fft_real_plan_instruction_set_float;
  static constexpr auto run_stoppable = rooftop_fft_real_run_stoppable_float;
};
template <typename Kind>
constexpr bool is_real = std::is_same_v<Kind, RealDoubles> || std::is_same_v<Kind, RealSingles>;

/// Memory on a 64-byte boundary, or, rarely, 16 bytes behind it; rarely null.
template <typename Value>
class Array {
 public:
  Array(Draw& draw, std::uint64_t count) {
    const std::size_t astray = draw.rarely() ? 16 : 0;
    const bool null = draw.rarely(32);
    require(posix_memalign(&memory_, 64, count * sizeof(Value) + astray + (count == 0)) == 0);
    auto* const values = reinterpret_cast<Value*>(static_cast<char*>(memory_) + astray);
    const bool any = draw.below(8) == 0;
    for (std::uint64_t i = 0; i < count; ++i) {
      [[maybe_unused]] const double value = any ? draw.real() : double(i % 7);
      // Bytes of scratch memory, which need no values: NaN fits no integer.
      if constexpr (std::is_floating_point_v<Value>) {
        values[i] = static_cast<Value>(value);
      } else {
        values[i] = static_cast<Value>(i % 7);
      }
    }
    values_ = null ? nullptr : values;
  }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  ~Array() { std::free(memory_); }
  [[nodiscard]] Value* data() const { return values_; }

 private:
  void* memory_ = nullptr;
  Value* values_;
};

std::int64_t draw_length(Draw& draw) {
  constexpr std::int64_t lengths[] = {1,   2,   64,  97,   101,  127,  128,  210, 243,
                                      257, 509, 625, 1021, 1024, 2401, 4093, 4096};
  const unsigned kind = draw.below(4);
  if (kind == 0) return 1;
  return kind == 1 ? lengths[draw.below(std::size(lengths))] : draw.integer<std::int64_t>(1, 40);
}

/// A plan of the interface's, and the shape that it was made of.
template <typename Kind>
struct Planned {
  typename Kind::Plan* plan = nullptr;
  rooftop_fft_shape shape{};
};

template <typename Kind>
void make(Draw& draw, Planned<Kind>& planned) {
  Kind::destroy(planned.plan);
  planned.plan = nullptr;
  planned.shape = {draw_length(draw), draw_length(draw), draw_length(draw)};
  rooftop_fft_options options;
  rooftop_fft_default_options(&options);
  options.axes = draw.integer<std::int32_t>(1, 3);
  options.threads = draw.integer<std::int32_t>(1, 2);
  if (draw.rarely(4)) options.forward_scale = draw.real();
  if (draw.rarely(4)) options.backward_scale = draw.real();
  if (draw.rarely(16)) options.measure = 1;
  if (draw.rarely(8)) options.first_axis = draw.integer<std::int32_t>(0, 2);
  // As many threads as a user may ask for are not started for every input; lines that are longer take seconds.
  if (options.threads == 0 || (options.threads > 2 && options.threads <= 4096)) options.threads = 2;
  for (const std::int64_t length : {planned.shape.nx, planned.shape.ny, planned.shape.nz}) {
    if (length > longest && length <= std::int64_t{1} << 24) return;
  }
  typename Kind::Plan* plan = reinterpret_cast<typename Kind::Plan*>(1);
  typename Kind::Plan** const there = draw.rarely(64) ? nullptr : &plan;
  const bool made = fine(Kind::create(draw.rarely(64) ? nullptr : &planned.shape, &options, there));
  require(!made || (there != nullptr && plan != nullptr));
  require(made || there == nullptr || plan == nullptr);
  if (made) planned.plan = plan;
}

/// Of real values and their modes, in arrays apart.
template <typename Kind>
void run_real(Draw& draw, const Planned<Kind>& planned, std::uint64_t values, std::uint64_t scratch_bytes) {
  using Real = typename Kind::Real;
  const auto modes = static_cast<std::uint64_t>((planned.shape.nx / 2 + 1) * planned.shape.ny * planned.shape.nz);
  const std::int32_t direction = draw.integer<std::int32_t>(0, 1);
  const bool back = direction == ROOFTOP_FFT_BACKWARD;
  const Array<Real> in(draw, back ? 2 * modes : values), out(draw, back ? values : 2 * modes);
  const Array<char> scratch(draw, scratch_bytes);
  const std::int32_t stop = draw.rarely(2) ? 1 : 0;
  const std::int32_t* const flag = draw.rarely(4) ? &stop : nullptr;
  (void)fine(Kind::run_stoppable(planned.plan, direction, in.data(), out.data(), scratch.data(), flag),
             flag != nullptr && stop != 0);
}

template <typename Kind>
void run_complex(Draw& draw, const Planned<Kind>& planned, std::uint64_t values, std::uint64_t scratch_bytes) {
  const auto& [nx, ny, nz] = planned.shape;
  using Real = typename Kind::Real;
  const Array<Real> in(draw, 2 * values), out(draw, 2 * values);
  const Array<char> scratch(draw, scratch_bytes);
  const bool in_place = draw.rarely(2);
  const std::int32_t direction = draw.integer<std::int32_t>(0, 1);
  Real* const to = in_place ? in.data() : out.data();
  if (draw.rarely(4)) {
    const std::int32_t stop = draw.rarely(2) ? 1 : 0;
    (void)fine(Kind::run_stoppable(planned.plan, direction, in.data(), to, scratch.data(), nullptr, &stop), stop != 0);
    return;
  }
  if (!draw.rarely(4)) {
    (void)fine(Kind::run(planned.plan, direction, in.data(), to, scratch.data(), nullptr));
    return;
  }
  const Array<double> x(draw, static_cast<std::uint64_t>(nx)), y(draw, static_cast<std::uint64_t>(ny));
  const Array<double> z(draw, static_cast<std::uint64_t>(nz));
  const rooftop_fft_factors factors{x.data(), y.data(), z.data()};
  (void)fine(Kind::run(planned.plan, direction, in.data(), to, scratch.data(), &factors));
}

template <typename Kind>
void run(Draw& draw, const Planned<Kind>& planned) {
  rooftop_fft_sizes sizes;
  if (!fine(Kind::sizes(planned.plan, &sizes))) {
    require(planned.plan == nullptr);
    return;
  }
  const auto& [nx, ny, nz] = planned.shape;
  require(sizes.values == static_cast<std::uint64_t>(nx * ny * nz));
  if (sizes.values > most_values || sizes.scratch_bytes > most_scratch) return;
  if constexpr (is_real<Kind>) {
    run_real(draw, planned, sizes.values, sizes.scratch_bytes);
  } else {
    run_complex(draw, planned, sizes.values, sizes.scratch_bytes);
  }
}

template <typename Kind>
void call(Draw& draw, Planned<Kind>& planned) {
  switch (draw.below(4)) {
    case 0:
    case 1:
      return make(draw, planned);
    case 2:
      return run(draw, planned);
    default:
      require((Kind::instruction_set(planned.plan) == nullptr) == (planned.plan == nullptr));
      require(!fine(Kind::sizes(planned.plan, nullptr)));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Draw draw(data, size);
  Planned<Doubles> doubles;
  Planned<Singles> singles;
  Planned<RealDoubles> real_doubles;
  Planned<RealSingles> real_singles;
  for (int calls = 0; calls < 6 && !draw.empty(); ++calls) {
    switch (draw.below(4)) {
      case 0:
        call(draw, doubles);
        break;
      case 1:
        call(draw, real_doubles);
        break;
      case 2:
        call(draw, real_singles);
        break;
      default:
        call(draw, singles);
    }
  }
  Doubles::destroy(doubles.plan);
  Singles::destroy(singles.plan);
  RealDoubles::destroy(real_doubles.plan);
  RealSingles::destroy(real_singles.plan);
  return 0;
}
