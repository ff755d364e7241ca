/// Whether a test is run for what the thread sanitizer sees.
#pragma once

namespace rooftop::running {

/// It sees races, and takes up to twenty times as long. Shapes whose work threads share in one way have the same races:
/// some of them are enough there, and all of them run without it.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool races_only = true;
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
inline constexpr bool races_only = true;
#else
inline constexpr bool races_only = false;
#endif
#else
inline constexpr bool races_only = false;
#endif

}  // namespace rooftop::running
