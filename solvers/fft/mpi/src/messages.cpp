#include "messages.hpp"

namespace rooftop::fft::internal {
namespace {

void wait_for(std::vector<MPI_Request>& requests) {
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  requests.clear();
}

}  // namespace

Messages::Messages(MPI_Comm communicator, Index row_doubles, int slots)
    : communicator_(communicator), row_doubles_(row_doubles), sends_(static_cast<std::size_t>(slots)) {
  MPI_Type_contiguous(static_cast<int>(row_doubles), MPI_DOUBLE, &row_);
  MPI_Type_commit(&row_);
}

Messages::~Messages() { MPI_Type_free(&row_); }

MPI_Datatype Messages::type_of(const RowBlocks& blocks) const {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  const MPI_Aint step = static_cast<MPI_Aint>(sizeof(double)) * row_doubles_ * blocks.step;
  MPI_Type_create_hvector(static_cast<int>(blocks.blocks), static_cast<int>(blocks.rows), step, row_, &type);
  MPI_Type_commit(&type);
  return type;
}

void Messages::send(const double* from, const RowBlocks& blocks, int to, int tag, int slot) {
  if (blocks.blocks == 0 || blocks.rows == 0) return;
  MPI_Datatype type = type_of(blocks);
  auto& requests = sends_[static_cast<std::size_t>(slot)];
  MPI_Isend(from, 1, type, to, tag, communicator_, &requests.emplace_back());
  MPI_Type_free(&type);
}

void Messages::receive(double* to, const RowBlocks& blocks, int from, int tag, int set) {
  if (blocks.blocks == 0 || blocks.rows == 0) return;
  MPI_Datatype type = type_of(blocks);
  auto& requests = receives_[static_cast<std::size_t>(set)];
  MPI_Irecv(to, 1, type, from, tag, communicator_, &requests.emplace_back());
  MPI_Type_free(&type);
}

void Messages::go_on() {
  // Nobody sends with this tag: asking for it does nothing but let the library look after everything else.
  constexpr int nobodys = 32767;
  int found = 0;
  MPI_Iprobe(MPI_ANY_SOURCE, nobodys, communicator_, &found, MPI_STATUS_IGNORE);
}

void Messages::sent(int slot) { wait_for(sends_[static_cast<std::size_t>(slot)]); }
void Messages::arrived(int set) { wait_for(receives_[static_cast<std::size_t>(set)]); }

}  // namespace rooftop::fft::internal
