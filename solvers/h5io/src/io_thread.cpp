#include "io_thread.hpp"

#include <pthread.h>

#include <algorithm>
#include <csignal>
#include <utility>

namespace rooftop::h5io::internal {
namespace {

/// Blocks all signals in this thread while the object lives. A thread started meanwhile inherits that, so that signals
/// are delivered to the program's own threads.
class SignalsBlocked {
 public:
  SignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;
  ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

}  // namespace

bool Job::done_within(std::chrono::nanoseconds time) const {
  return done_ || !line_.is_of_this_process() || line_.done_within(*this, time);
}

Report Job::wait() {
  if (!done_) {
    if (!line_.is_of_this_process()) {
      throw InvalidArgument("the request is of the process that this one was forked from; expected one of its own");
    }
    line_.wait(*this);
  }
  told_ = true;
  if (error_) std::rethrow_exception(error_);
  return report_;
}

Line::~Line() {
  {
    const std::scoped_lock lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

std::shared_ptr<Job> Line::add(std::function<Report()> body, bool must_be_told) {
  auto job = std::make_shared<Job>(*this, std::move(body), must_be_told);
  const std::scoped_lock lock(mutex_);
  if (!thread_.joinable()) {
    const SignalsBlocked blocked;
    thread_ = std::thread([this] { work(); });
  }
  jobs_.push_back(job);
  changed_.notify_all();
  return job;
}

bool Line::done_within(const Job& job, std::chrono::nanoseconds time) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, time, [&] { return job.done_.load(); });
}

void Line::wait(const Job& job) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return job.done_.load(); });
}

void Line::finish() {
  std::unique_lock lock(mutex_);
  if (std::this_thread::get_id() == thread_.get_id()) return;
  changed_.wait(lock, [this] { return jobs_.empty(); });
}

void Line::throw_untold() {
  std::shared_ptr<Job> first;
  {
    const std::scoped_lock lock(mutex_);
    const auto found = std::find_if(failed_.begin(), failed_.end(), [](const auto& job) { return !job->told_; });
    if (found != failed_.end()) first = *found;
    failed_.clear();
  }
  if (first) first->wait();
}

bool Line::others_wait() {
  const std::scoped_lock lock(mutex_);
  return jobs_.size() > 1;
}

void Line::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ended_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    const std::shared_ptr<Job> job = jobs_.front();
    lock.unlock();
    try {
      job->report_ = job->body_();
    } catch (...) {
      job->error_ = std::current_exception();
    }
    // Release the body before the job is marked as done: whoever waits for it may then destroy the file, and with it
    // this thread.
    job->body_ = nullptr;
    lock.lock();
    if (job->error_ && job->must_be_told_) {
      std::erase_if(failed_, [](const auto& one) { return one->told_.load(); });
      failed_.push_back(job);
    }
    jobs_.pop_front();
    job->done_ = true;
    changed_.notify_all();
  }
}

IoThread::~IoThread() {
  Line* const line = line_;
  if (line->is_of_this_process()) delete line;
}

Line& IoThread::line() const {
  Line* line = line_;
  if (line->is_of_this_process()) return *line;
  auto fresh = std::make_unique<Line>();
  // The parent's line is leaked: its thread does not exist in this process and cannot be joined.
  if (line_.compare_exchange_strong(line, fresh.get())) return *fresh.release();
  return *line;
}

}  // namespace rooftop::h5io::internal
