/// Asynchronous requests: how they are made, and waited for.
#include <utility>

#include "io_thread.hpp"
#include "open_file.hpp"
#include "prefetch.hpp"
#include "rooftop/h5io_later.hpp"

namespace rooftop::h5io {
namespace {

bool is_set(const std::int32_t* stop) { return stop != nullptr && __atomic_load_n(stop, __ATOMIC_RELAXED) != 0; }

/// Makes one thread, the I/O thread itself, the default of an asynchronous request.
Options alone_unless_asked(Options options) {
  if (options.threads == 0) options.threads = 1;
  return options;
}

}  // namespace

class Request::State {
 public:
  template <typename Body>
  State(std::shared_ptr<const Dataset::Open> dataset, const Options& options, bool writes, Body body)
      : dataset_(std::move(dataset)),
        job_(dataset_->file->io.add(
            [body = std::move(body), stop = options.stop] {
              if (is_set(stop)) throw Stopped("the request was asked to stop before it began");
              return body();
            },
            writes)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (!job_->done_within(std::chrono::nanoseconds(0))) wait_silently();
  }

  [[nodiscard]] internal::Job& job() const { return *job_; }

 private:
  void wait_silently() {
    while (!job_->done_within(std::chrono::hours(1))) {
    }
  }

  std::shared_ptr<const Dataset::Open> dataset_;  ///< also keeps the I/O thread alive
  std::shared_ptr<internal::Job> job_;
};

Request::Request() = default;
Request::Request(Request&& other) noexcept = default;
Request& Request::operator=(Request&& other) noexcept = default;
Request::~Request() = default;
Request::Request(std::unique_ptr<State> state) : state_(std::move(state)) {}

Report Request::wait() {
  if (!state_) throw InvalidArgument("there is no request to wait for; expected one that was made and not moved away");
  return state_->job().wait();
}

bool Request::wait_for(std::chrono::nanoseconds time) const { return !state_ || state_->job().done_within(time); }

Request Dataset::read_later(const std::vector<Span>& spans, void* to, std::size_t to_bytes,
                            const Options& options) const {
  static_cast<void>(open_->readable_bytes(spans, to_bytes, options));
  return Request(std::make_unique<Request::State>(
      open_, options, false, [dataset = open_, spans, to, to_bytes, own = alone_unless_asked(options)] {
        return dataset->read(spans, to, to_bytes, own);
      }));
}

Request Dataset::prefetch(const std::vector<Span>& spans, const Options& options) const {
  static_cast<void>(open_->selected_bytes(spans));
  return Request(std::make_unique<Request::State>(open_, options, false, [dataset = open_, spans, options] {
    return internal::prefetch(*dataset, spans, options);
  }));
}

Request OutputDataset::write_later(const std::vector<Span>& spans, const void* from, std::size_t from_bytes,
                                   const Options& options) const {
  static_cast<void>(open_->writable_bytes(spans, from_bytes, options));
  return Request(std::make_unique<Request::State>(
      open_, options, true, [dataset = *this, spans, from, from_bytes, own = alone_unless_asked(options)] {
        return dataset.write(spans, from, from_bytes, own);
      }));
}

}  // namespace rooftop::h5io
