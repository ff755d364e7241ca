/// oneDNN's convolution, given its best: every algorithm, layout and implementation that it offers is tried, untimed,
/// and the fastest is the one that is timed. Serves both versions of the interface.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <dnnl.hpp>
#include <optional>
#include <rooftop/rung.hpp>
#include <string>
#include <vector>

#include "problem.hpp"

class OneDnnConvolution : public rooftop::Rung {
 public:
  explicit OneDnnConvolution(const winograd::Problem& problem)
      : p_(held(problem)),
        image_dims_{p_.n, p_.c, p_.h, p_.w},
        filter_dims_{p_.k, p_.c, 3, 3},
        output_dims_{p_.n, p_.k, p_.out_h(), p_.out_w()},
        image_md_(image_dims_, Type::f32, Tag::nchw),
        filter_md_(filter_dims_, Type::f32, Tag::oihw),
        output_md_(output_dims_, Type::f32, Tag::nchw),
        image_(image_md_, engine_, const_cast<float*>(p_.image)),
        filter_(filter_md_, engine_, const_cast<float*>(p_.filter)),
        output_(output_md_, engine_, p_.output) {}

  void prepare() override {
    using Algorithm = dnnl::algorithm;
    for (const auto algorithm :
         {Algorithm::convolution_auto, Algorithm::convolution_direct, Algorithm::convolution_winograd}) {
      for (const auto in : {Tag::any, Tag::nchw, Tag::nhwc}) {
        for (const auto out : {Tag::any, Tag::nchw, Tag::nhwc}) try_implementations(algorithm, in, out);
      }
    }
    if (!best_) throw rooftop::Skip("oneDNN offers no fp32 convolution for this layer on this processor");
  }

  void run() override {
    execute(*best_);
    stream_.wait();
  }

  void finish() override {
    if (p_.layout == winograd::Layout::nchw || !best_->output_reorder) return;
    best_->output_reorder.execute(stream_, best_->output, output_);
    stream_.wait();
  }

  [[nodiscard]] rooftop::Work work() const override {
    const double image = 1.0 * p_.n * p_.c * p_.h * p_.w;
    const double output = 1.0 * p_.n * p_.k * p_.out_h() * p_.out_w();
    const double filter = 9.0 * p_.k * p_.c;
    const bool nchw = p_.layout == winograd::Layout::nchw;
    const bool timed = p_.filter_terms == winograd::Filter::timed;
    // A change of layout reads and writes what it changes once more.
    const double moved = (nchw && best_->image_reorder ? 2 * image : 0) +
                         (nchw && best_->output_reorder ? 2 * output : 0) +
                         (timed && best_->filter_reorder ? 2 * filter : 0);
    rooftop::Work work;
    work.memory_bytes = 4 * (image + output + filter + moved);
    work.working_set_bytes = 4 * (image + output + filter + moved / 2);
    const int tile = winograd_tile(best_->name);
    if (tile == 0) {
      work.fma_flops = p_.direct_flops();
      work.algorithm = "direct";
      return work;
    }
    const double tiles = 1.0 * p_.n * ((p_.out_h() + tile - 1) / tile) * ((p_.out_w() + tile - 1) / tile);
    work.fma_flops = 2.0 * (tile + 2) * (tile + 2) * p_.k * p_.c * tiles;
    // Additions of the transforms of one tile of the image and of the output (Lavin and Gray, CVPR 2016, section 4).
    work.add_flops = tiles * (tile == 2 ? 32.0 * p_.c + 24.0 * p_.k : 144.0 * p_.c + 100.0 * p_.k);
    work.algorithm = tile == 2 ? "F(2)" : "F(4)";
    return work;
  }

 private:
  using Tag = dnnl::memory::format_tag;
  using Type = dnnl::memory::data_type;
  using Seconds = std::chrono::duration<double>;

  // Outputs in a row of a tile of its Winograd forms, which are named "wino_2x3" and "wino_4x3"; 0 for the others.
  static int winograd_tile(const std::string& name) {
    if (name.find("wino_2x3") != std::string::npos) return 2;
    return name.find("wino") != std::string::npos ? 4 : 0;
  }

  // The library holds to it for the whole process, if it was told before it looked at the processor.
  static const winograd::Problem& held(const winograd::Problem& p) {
    if (p.instructions == winograd::Instructions::any) return p;
    try {
      dnnl::set_max_cpu_isa(dnnl::cpu_isa::avx2);
    } catch (const dnnl::error& error) {
      throw rooftop::Skip(std::string("oneDNN cannot be held to AVX2: ") + error.what());
    }
    return p;
  }

  struct Candidate {
    std::string name;
    dnnl::memory image, filter, output;
    dnnl::reorder image_reorder, filter_reorder, output_reorder;  // empty where the layout is the caller's already
    dnnl::convolution_forward convolution;
  };

  void try_implementations(dnnl::algorithm algorithm, Tag in, Tag out) {
    const dnnl::memory::dims strides{1, 1};
    const dnnl::memory::dims padding{p_.padding, p_.padding};
    const dnnl::memory::desc image(image_dims_, Type::f32, in);
    const dnnl::memory::desc filter(filter_dims_, Type::f32, Tag::any);
    const dnnl::memory::desc output(output_dims_, Type::f32, out);
    constexpr auto purpose = dnnl::prop_kind::forward_inference;
    try {
#if DNNL_VERSION_MAJOR >= 3
      dnnl::convolution_forward::primitive_desc pd(engine_, purpose, algorithm, image, filter, output, strides, padding,
                                                   padding);
#else
      // next_impl() reads it again: it must live as long as pd.
      const dnnl::convolution_forward::desc desc(purpose, algorithm, image, filter, output, strides, padding, padding);
      dnnl::convolution_forward::primitive_desc pd(desc, engine_);
#endif
      try_each(pd);
    } catch (const dnnl::error&) {
      // This combination is not offered.
    }
  }

  void try_each(dnnl::convolution_forward::primitive_desc& pd) {
    // The library may offer many; those after the first few are its own fallbacks.
    constexpr int most_implementations = 4;
    constexpr Seconds patience{2.0};
    for (int i = 0; i < most_implementations; ++i) {
      const std::string name = pd.impl_info_str();
      if (best_ && (name.starts_with("ref") || Clock::now() - start_ > patience)) return;
      // The strict terms allow no more than F(2).
      if (p_.accuracy != winograd::Accuracy::strict || winograd_tile(name) <= 2) consider(pd, name);
      if (!pd.next_impl()) return;
    }
  }

  void consider(const dnnl::convolution_forward::primitive_desc& pd, const std::string& name) {
    for (const Seen& seen : seen_) {
      if (seen.name == name && seen.image == pd.src_desc() && seen.filter == pd.weights_desc() &&
          seen.output == pd.dst_desc()) {
        return;
      }
    }
    seen_.push_back({name, pd.src_desc(), pd.weights_desc(), pd.dst_desc()});
    Candidate candidate;
    candidate.name = name;
    candidate.convolution = dnnl::convolution_forward(pd);
    candidate.image = in_layout(pd.src_desc(), image_, image_md_);
    candidate.filter = in_layout(pd.weights_desc(), filter_, filter_md_);
    candidate.output = in_layout(pd.dst_desc(), output_, output_md_);
    if (pd.src_desc() != image_md_) candidate.image_reorder = dnnl::reorder(image_, candidate.image);
    if (pd.weights_desc() != filter_md_) candidate.filter_reorder = dnnl::reorder(filter_, candidate.filter);
    if (pd.dst_desc() != output_md_) candidate.output_reorder = dnnl::reorder(candidate.output, output_);
    // What the terms leave untimed.
    if (candidate.image_reorder) candidate.image_reorder.execute(stream_, image_, candidate.image);
    if (candidate.filter_reorder) candidate.filter_reorder.execute(stream_, filter_, candidate.filter);
    stream_.wait();
    const Seconds time = fastest(candidate);
    if (!best_ || time < best_time_) {
      best_ = std::move(candidate);
      best_time_ = time;
    }
  }

  dnnl::memory in_layout(const dnnl::memory::desc& wanted, const dnnl::memory& given,
                         const dnnl::memory::desc& given_md) {
    return wanted == given_md ? given : dnnl::memory(wanted, engine_);
  }

  Seconds fastest(Candidate& candidate) {
    Seconds least{1e9};
    for (int i = 0; i < 5; ++i) {
      const auto start = Clock::now();
      execute(candidate);
      stream_.wait();
      const Seconds time = Clock::now() - start;
      least = std::min(least, time);
      if (best_ && i == 1 && least > 2 * best_time_) break;
    }
    return least;
  }

  void execute(Candidate& candidate) {
    const bool nchw = p_.layout == winograd::Layout::nchw;
    if (nchw && candidate.image_reorder) candidate.image_reorder.execute(stream_, image_, candidate.image);
    if (p_.filter_terms == winograd::Filter::timed && candidate.filter_reorder) {
      candidate.filter_reorder.execute(stream_, filter_, candidate.filter);
    }
    candidate.convolution.execute(
        stream_,
        {{DNNL_ARG_SRC, candidate.image}, {DNNL_ARG_WEIGHTS, candidate.filter}, {DNNL_ARG_DST, candidate.output}});
    if (nchw && candidate.output_reorder) candidate.output_reorder.execute(stream_, candidate.output, output_);
  }

  using Clock = std::chrono::steady_clock;
  struct Seen {
    std::string name;
    dnnl::memory::desc image, filter, output;
  };

  winograd::Problem p_;
  dnnl::engine engine_{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream_{engine_};
  dnnl::memory::dims image_dims_, filter_dims_, output_dims_;
  dnnl::memory::desc image_md_, filter_md_, output_md_;
  dnnl::memory image_, filter_, output_;
  std::vector<Seen> seen_;
  std::optional<Candidate> best_;
  Seconds best_time_{};
  Clock::time_point start_ = Clock::now();
};
