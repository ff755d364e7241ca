/// Whether a search goes on.
#pragma once

namespace rooftop::routing {

/// Asked now and then, by several threads at once. Once it is out it stays so.
class Patience {
 public:
  virtual ~Patience() = default;
  [[nodiscard]] virtual bool left() = 0;
};

class Endless final : public Patience {
 public:
  [[nodiscard]] bool left() override { return true; }
};
inline Endless endless;

/// Asks for one thread, once in `every` steps: a look at the clock takes as long as some of them.
class Asking {
 public:
  Asking(Patience& patience, int every) : patience_(&patience), every_(every) {}

  [[nodiscard]] bool left() {
    if (left_ && steps_++ % every_ == 0) left_ = patience_->left();
    return left_;
  }

 private:
  Patience* patience_;
  int every_, steps_ = 0;
  bool left_ = true;
};

}  // namespace rooftop::routing
