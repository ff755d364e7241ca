/// A delegate: it does what the ranks that compute ask for, together with the other delegates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "delegation.hpp"
#include "output_by_ranks.hpp"

namespace rooftop::h5io {

class Delegates::Server {
 public:
  explicit Server(const Delegates::Ranks& ranks);

  /// Returns when all clients of all delegates have finished.
  void serve();

 private:
  /// What one client asks for.
  struct Asked {
    int rank = 0;
    bool finished = false;
    std::vector<std::uint64_t> words;
    internal::Bytes values;
  };

  void receive(Asked& asked);
  void receive_values(Asked& asked, std::size_t bytes);
  /// The request that all clients of all delegates have sent, or `differing`.
  [[nodiscard]] internal::Command agreed() const;
  /// Collective among delegates, and fails on all of them or on none.
  void perform(internal::Command request);
  void create();
  void make();
  void write();
  void close();
  void answer() const;

  const Delegates::Ranks& ranks_;
  const internal::Ranks delegates_;
  std::vector<Asked> clients_;
  std::vector<std::byte> unused_;  ///< where values go that there is no memory for
  std::unique_ptr<internal::OutputByRanks> file_;
  std::vector<std::shared_ptr<const internal::OutputArray>> arrays_;
  internal::Failure own_;      ///< of this delegate, not known to the others yet
  internal::Failure failure_;  ///< the first one of the file, the same on all delegates
};

}  // namespace rooftop::h5io
