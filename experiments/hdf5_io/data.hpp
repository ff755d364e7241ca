/// The experiment behind the driver: owns the memory that is read into.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <rooftop/aligned.hpp>
#include <rooftop/experiment.hpp>
#include <rooftop/parameters.hpp>

#include "problem.hpp"

namespace hdf5_io {

inline constexpr double most_elements = 1e12;
inline constexpr rooftop::Field fields[] = {
    rooftop::field<&Parameters::rows>("rows", 1, most_elements),
    rooftop::field<&Parameters::columns>("columns", 1, most_elements),
    rooftop::field<&Parameters::block>("block", 1, most_elements),
    rooftop::field<&Parameters::stride>("stride", 1, most_elements),
    rooftop::field<&Parameters::chunk_rows>("chunk_rows", 0, most_elements),
    rooftop::field<&Parameters::chunk_columns>("chunk_columns", 0, most_elements),
    rooftop::field<&Parameters::filter>("filter"),
    rooftop::field<&Parameters::cold>("cold", 0, 1),
};

/// Any of these may be missing.
inline constexpr rooftop::Field tunable_fields[] = {
    rooftop::field<&Tunables::mode>("mode"),
    rooftop::field<&Tunables::pattern>("pattern"),
    rooftop::field<&Tunables::chunk>("chunk", 0, most_elements),
    rooftop::field<&Tunables::compression>("compression"),
    rooftop::field<&Tunables::level>("level", 0, 9),
    rooftop::field<&Tunables::cache_kib>("cache_kib", 0, 1e9),
    rooftop::field<&Tunables::cache_slots>("cache_slots", 1, 1e9),
    rooftop::field<&Tunables::alignment>("alignment", 1, 1e9),
    rooftop::field<&Tunables::cb_nodes>("cb_nodes", 0, 1e6),
    rooftop::field<&Tunables::cb_buffer_kib>("cb_buffer_kib", 0, 1e6),
    rooftop::field<&Tunables::romio_ds_read>("romio_ds_read"),
    rooftop::field<&Tunables::romio_cb_read>("romio_cb_read"),
    rooftop::field<&Tunables::metadata>("metadata"),
};

/// Reads those that are there, and returns the other parameters. Throws std::invalid_argument for values that make no
/// sense, or do not go together.
nlohmann::json take_tunables(const nlohmann::json& parameters, Tunables& tunables);

class Reading : public rooftop::Experiment {
 public:
  void set_ranks(int rank, int ranks) override { rank_ = rank, ranks_ = ranks; }
  /// Parameters: those of `fields`, all of them, and any of `tunable_fields`. Throws std::invalid_argument for others,
  /// and where they do not go together.
  void set_up(const nlohmann::json& parameters, std::uint64_t seed, int threads) override;
  [[nodiscard]] const void* problem() const override { return &problem_; }
  [[nodiscard]] std::string_view problem_type() const override { return "hdf5_io::Problem"; }
  void poison() override;
  [[nodiscard]] rooftop::Verdict verify(std::string_view algorithm) override;

 private:
  rooftop::AlignedArray<float> out_;
  Problem problem_{};
  int rank_ = 0, ranks_ = 1;
};

}  // namespace hdf5_io
