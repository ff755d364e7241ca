#include <cstdint>

#include "rank_transform.hpp"
#include "rooftop/fft_mpi.hpp"

namespace rooftop::fft {

using internal::RankTransform;
using internal::ValueKind;

namespace {

double* checked_modes(const std::complex<double>* modes) {
  if (modes == nullptr) throw InvalidArgument("modes is a null pointer");
  if (reinterpret_cast<std::uintptr_t>(modes) % 64 != 0) throw InvalidArgument("modes is not aligned to 64 bytes");
  return const_cast<double*>(reinterpret_cast<const double*>(modes));
}

}  // namespace

DistributedPlan::DistributedPlan(const Shape& shape, MPI_Comm communicator, const DistributedOptions& options)
    : own_(std::make_unique<RankTransform>(shape, ValueKind::complex, communicator, options)) {}
DistributedPlan::DistributedPlan(DistributedPlan&&) noexcept = default;
DistributedPlan& DistributedPlan::operator=(DistributedPlan&&) noexcept = default;
DistributedPlan::~DistributedPlan() = default;

Part DistributedPlan::planes() const { return own_->planes(); }
Part DistributedPlan::rows() const { return own_->rows(); }
std::complex<double>* DistributedPlan::space() { return reinterpret_cast<std::complex<double>*>(own_->space()); }
std::int64_t DistributedPlan::mode_values() const { return own_->mode_values(); }
std::size_t DistributedPlan::memory_bytes() const { return own_->memory_bytes(); }
int DistributedPlan::node_ranks() const { return own_->node_ranks(); }
double DistributedPlan::multiply_add_flops() const { return own_->operations().fused; }
double DistributedPlan::lone_flops() const { return own_->operations().lone; }

void DistributedPlan::forward(std::complex<double>* modes) { own_->forward(checked_modes(modes)); }

void DistributedPlan::backward(const std::complex<double>* modes, const Factors* factors) {
  own_->backward(checked_modes(modes), factors);
}

void DistributedPlan::backward_each(const std::complex<double>* modes, const Series& series) {
  own_->backward_each(checked_modes(modes), series);
}

DistributedRealPlan::DistributedRealPlan(const Shape& shape, MPI_Comm communicator, const DistributedOptions& options)
    : own_(std::make_unique<RankTransform>(shape, ValueKind::real, communicator, options)) {}
DistributedRealPlan::DistributedRealPlan(DistributedRealPlan&&) noexcept = default;
DistributedRealPlan& DistributedRealPlan::operator=(DistributedRealPlan&&) noexcept = default;
DistributedRealPlan::~DistributedRealPlan() = default;

Part DistributedRealPlan::planes() const { return own_->planes(); }
Part DistributedRealPlan::rows() const { return own_->rows(); }
double* DistributedRealPlan::values() { return own_->values(); }
std::int64_t DistributedRealPlan::mode_values() const { return own_->mode_values(); }
std::size_t DistributedRealPlan::memory_bytes() const { return own_->memory_bytes(); }
int DistributedRealPlan::node_ranks() const { return own_->node_ranks(); }
double DistributedRealPlan::multiply_add_flops() const { return own_->operations().fused; }
double DistributedRealPlan::lone_flops() const { return own_->operations().lone; }

void DistributedRealPlan::forward(std::complex<double>* modes) { own_->forward(checked_modes(modes)); }

void DistributedRealPlan::backward(const std::complex<double>* modes, const Factors* factors) {
  own_->backward(checked_modes(modes), factors);
}

}  // namespace rooftop::fft
