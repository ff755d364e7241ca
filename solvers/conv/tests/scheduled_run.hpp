/// A convolution by a schedule that a test sets, where a plan would choose one.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "convolution.hpp"
#include "schedule.hpp"
#include "team.hpp"

namespace rooftop::conv::internal {

/// The output; empty if the run wrote where it should not have. Of the options only layouts and the filter's form
/// count.
inline std::vector<float> scheduled_run(const Convolution& convolution, const Schedule& schedule,
                                        const Options& options, GuardedArray::Place output_place) {
  const Geometry geometry = make_geometry(convolution.shape(), options);
  const Job job = make_job(geometry, schedule, kernels().panel);
  EXPECT_EQ(job.stream_output, schedule.stream && streamable(geometry, schedule.m));
  using Place = GuardedArray::Place;
  const GuardedArray image(image_floats(geometry) * sizeof(float), geometry.blocked_input ? Place::line : Place::back);
  const GuardedArray filter(filter_floats(job) * sizeof(float), geometry.plain_filter ? Place::back : Place::line);
  const GuardedArray scratch(scratch_floats(job, schedule.threads) * sizeof(float));
  const GuardedArray output(output_floats(geometry) * sizeof(float), output_place);
  filter.poison();
  scratch.poison();
  output.poison();
  const Shape& s = convolution.shape();
  if (geometry.blocked_input) {
    kernels().to_blocked(convolution.image().data(), image.floats().data(), s.n, s.c, s.h * s.w, 0, 1);
  } else {
    std::ranges::copy(convolution.image(), image.floats().begin());
  }
  if (geometry.plain_filter) {
    std::ranges::copy(convolution.filter(), filter.floats().begin());
  } else {
    kernels().transform_filter(job, convolution.filter().data(), filter.floats().data(), 0, 1);
  }
  const Arrays arrays{image.floats().data(), filter.floats().data(), output.floats().data(), scratch.floats().data()};
  on_team(schedule.threads, [&](int thread, int threads) { kernels().run(job, arrays, thread, threads); });
  if (!filter.intact() || !scratch.intact() || !output.intact()) return {};
  return {output.floats().begin(), output.floats().end()};
}

}  // namespace rooftop::conv::internal
