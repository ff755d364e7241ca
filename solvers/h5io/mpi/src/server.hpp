/// A delegate: performs the requests of computing ranks, together with the other delegates.
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

  /// Serves requests until all clients of all delegates have finished.
  void serve();

 private:
  /// The current request of one client.
  struct Asked {
    int rank = 0;
    bool finished = false;
    std::vector<std::uint64_t> words;
    internal::Bytes values;
  };

  void receive(Asked& asked);
  void receive_values(Asked& asked, std::size_t bytes);
  /// Returns the request that all clients of all delegates have sent, or `differing` if they are not the same.
  [[nodiscard]] internal::Command agreed() const;
  /// Performs a request. Collective among delegates; throws on all of them or on none.
  void perform(internal::Command request);
  void create();
  void make();
  void write();
  void close();
  void answer() const;

  const Delegates::Ranks& ranks_;
  const internal::Ranks delegates_;
  std::vector<Asked> clients_;
  std::vector<std::byte> unused_;  ///< receives values for which memory could not be allocated
  std::unique_ptr<internal::OutputByRanks> file_;
  std::vector<std::shared_ptr<const internal::OutputArray>> arrays_;
  internal::Failure own_;      ///< of this delegate, not yet known to the others
  internal::Failure failure_;  ///< the file's first failure, the same on all delegates
};

}  // namespace rooftop::h5io
