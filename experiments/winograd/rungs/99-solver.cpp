/// The solver: the library that users link, which chooses algorithm, blocks and instructions for each layer.
///
/// Changed from 95-fused: direct, F(2), F(4) or F(6) per layer, interpolation points chosen for accuracy, blocks in
/// registers and caches fitted to the processor, layouts changed within the transforms.
/// Limit attacked: what is left to the roof of its own algorithm.
/// Evidence: at least three quarters of that roof on 128 and more channels; errors below those of 80-f4x4; on the
/// terms "blocked" and "prepared" it stands against what inference libraries do between layers.
/// Source: solvers/conv and the sources that it names.
// needs: rooftop_conv
#include <hwy/targets.h>

#include <cstddef>
#include <rooftop/aligned.hpp>
#include <rooftop/conv.hpp>
#include <rooftop/rung.hpp>

#include "problem.hpp"

namespace {

namespace conv = rooftop::conv;

conv::Options options_of(const winograd::Problem& p) {
  conv::Options options;
  const bool blocked = p.layout == winograd::Layout::blocked;
  // An image of a few channels is smaller as planes than in blocks filled up with zeros: libraries take it so too.
  options.input = blocked && p.c >= conv::channel_block ? conv::Layout::blocked : conv::Layout::nchw;
  options.output = blocked ? conv::Layout::blocked : conv::Layout::nchw;
  options.accuracy = p.accuracy == winograd::Accuracy::strict     ? conv::Accuracy::strict
                     : p.accuracy == winograd::Accuracy::balanced ? conv::Accuracy::balanced
                                                                  : conv::Accuracy::relaxed;
  options.filter = p.filter_terms == winograd::Filter::timed ? conv::FilterForm::plain : conv::FilterForm::transformed;
  options.measure = true;
  options.threads = p.threads;
  return options;
}

// The best instructions that the terms allow, from here on: a target's number is the smaller the better it is.
const winograd::Problem& held(const winograd::Problem& p) {
  const bool avx2 = p.instructions == winograd::Instructions::avx2;
  if (avx2 && (hwy::SupportedTargets() & HWY_AVX2) == 0) throw rooftop::Skip("this processor has no AVX2");
  hwy::DisableTargets(avx2 ? HWY_AVX2 - 1 : 0);
  return p;
}

const char* name_of(conv::Algorithm algorithm) {
  switch (algorithm) {
    case conv::Algorithm::direct:
      return "direct";
    case conv::Algorithm::f2:
      return "F(2)";
    case conv::Algorithm::f4:
      return "F(4)";
    case conv::Algorithm::f6:
      return "F(6)";
    case conv::Algorithm::automatic:
      break;
  }
  return "not chosen";
}

class Solver : public rooftop::Rung {
 public:
  explicit Solver(const winograd::Problem& problem)
      : p_(held(problem)),
        blocked_input_(options_of(p_).input == conv::Layout::blocked),
        blocked_output_(options_of(p_).output == conv::Layout::blocked),
        plan_({p_.n, p_.c, p_.h, p_.w, p_.k, p_.padding}, options_of(p_)),
        filter_(p_.filter_terms == winograd::Filter::prepared ? plan_.filter_floats() : 0),
        scratch_(plan_.scratch_bytes()),
        image_(blocked_input_ ? plan_.image_floats() : 0),
        output_(blocked_output_ ? plan_.output_floats() : 0) {}

  void prepare() override {
    if (p_.filter_terms == winograd::Filter::prepared) plan_.transform_filter(p_.filter, filter_.data());
    if (blocked_input_) conv::to_blocked(p_.image, image_.data(), p_.n, p_.c, p_.h, p_.w, p_.threads);
  }

  void run() override {
    plan_.run(blocked_input_ ? image_.data() : p_.image,
              p_.filter_terms == winograd::Filter::prepared ? filter_.data() : p_.filter,
              blocked_output_ ? output_.data() : p_.output, scratch_.data());
  }

  void finish() override {
    if (blocked_output_) conv::from_blocked(output_.data(), p_.output, p_.n, p_.k, p_.out_h(), p_.out_w(), p_.threads);
  }

  [[nodiscard]] rooftop::Work work() const override {
    const double image = 1.0 * p_.n * p_.c * p_.h * p_.w;
    const double output = 1.0 * p_.n * p_.k * p_.out_h() * p_.out_w();
    const auto filter = static_cast<double>(plan_.filter_floats());
    rooftop::Work work;
    work.fma_flops = plan_.multiply_add_flops();
    work.add_flops = plan_.transform_flops();
    work.memory_bytes = 4 * (image + output + filter);
    work.working_set_bytes = work.memory_bytes + static_cast<double>(plan_.scratch_bytes());
    work.algorithm = name_of(plan_.algorithm());
    return work;
  }

 private:
  winograd::Problem p_;
  bool blocked_input_, blocked_output_;
  conv::Plan plan_;
  rooftop::AlignedArray<float> filter_;
  rooftop::AlignedArray<std::byte> scratch_;
  rooftop::AlignedArray<float> image_, output_;  // in the solver's layout, on blocked terms
};

}  // namespace

ROOFTOP_RUNG(winograd::Problem, Solver);
