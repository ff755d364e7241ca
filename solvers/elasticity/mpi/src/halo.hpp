/// Fields at the nodes beside a part, from the ranks that have them.
#pragma once

#include <mpi.h>

#include <memory>
#include <vector>

#include "communicator.hpp"
#include "grid.hpp"
#include "neighbours.hpp"

namespace rooftop::elasticity {

/// Exchanges fields of one grid, one at a time.
template <class T>
class Halo {
 public:
  Halo(std::vector<Neighbour> neighbours, const Communicator& ranks);
  Halo(Halo&& other) noexcept = default;
  Halo& operator=(Halo&&) = delete;
  Halo(const Halo&) = delete;
  Halo& operator=(const Halo&) = delete;
  ~Halo();

  /// Sends this rank's values on their way.
  void start(const Field<T>& field);
  /// Waits for the others' values, and puts them into the field.
  void finish(const Field<T>& field);
  void exchange(const Field<T>& field) {
    start(field);
    finish(field);
  }
  /// Nodes of other ranks become zero.
  void clear(const Field<T>& field) const;

 private:
  /// What is exchanged with one neighbour.
  struct Message {
    std::vector<Run> sent, received;
    std::unique_ptr<T[]> sending, receiving;
  };

  std::vector<Message> messages_;
  std::vector<MPI_Request> requests_;  // that are started again and again: receiving ones first
};

}  // namespace rooftop::elasticity
