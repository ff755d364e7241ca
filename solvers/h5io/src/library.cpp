#include "library.hpp"

#include <pthread.h>

#include <atomic>

namespace rooftop::h5io::internal {
namespace {

// Recursive: an Id that goes out of scope while the lock is held locks it again to close itself.
std::recursive_mutex* library_mutex = nullptr;
std::atomic<unsigned> forks_so_far{0};

/// Prevents forks while a thread, such as a file's I/O thread, is in the library: in the child process the lock would
/// stay locked, and the library's state might be inconsistent. The child gets a new mutex, since the thread that locked
/// this one has another id there.
void guard_forks() {
  library_mutex = new std::recursive_mutex;
  pthread_atfork([] { library_mutex->lock(); }, [] { library_mutex->unlock(); },
                 [] {
                   library_mutex = new std::recursive_mutex;
                   ++forks_so_far;
                 });
}

std::recursive_mutex& the_mutex() {
  static std::once_flag made;
  std::call_once(made, guard_forks);
  return *library_mutex;
}

herr_t keep_innermost(unsigned, const H5E_error2_t* error, void* text) {
  if (error->desc != nullptr && *error->desc != '\0') *static_cast<std::string*>(text) = error->desc;
  return 0;
}

}  // namespace

Locked::Locked() : lock_(the_mutex()) {
  H5Eget_auto2(H5E_DEFAULT, &print_, &print_with_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

std::unique_lock<std::recursive_mutex> Locked::attempt() { return std::unique_lock(the_mutex(), std::try_to_lock); }

unsigned forks() { return forks_so_far; }

Locked::~Locked() { H5Eset_auto2(H5E_DEFAULT, print_, print_with_); }

std::string Locked::reason(const std::string& otherwise) {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, keep_innermost, &text);
  // Each part of the file format has a version number. This is the library's only message for a version that it does
  // not know.
  if (text.find("version number") != std::string::npos) {
    unsigned major = 0, minor = 0, release = 0;
    H5get_libversion(&major, &minor, &release);
    text += " (HDF5 " + std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(release) +
            " does not know it: the file is damaged, or of a newer HDF5, which is taken where Rooftop is built with "
            "hdf5_ROOT; or rewrite it with 'rooftop h5 repack', or for libver=\"v110\")";
  }
  return text.empty() ? otherwise : text;
}

}  // namespace rooftop::h5io::internal
