// environment.cpp: the environment below, what was set since above it.
#include "isthmus/base/environment.h"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <vector>

#include "isthmus/base/format.h"
#include "isthmus/base/log.h"
#include "isthmus/base/mutex.h"

namespace isthmus::inline ISTHMUS_ABI {

using detail::format;

namespace {

using Values = std::map<std::string, std::string, std::less<>>;

/// Replaced as a whole and never freed, so that reading takes no lock that a fork could inherit;
/// settings change seldom.
std::atomic<const Values*> changed{nullptr};
Mutex changing;

}  // namespace

std::string variable(std::string_view name) {
  if (const Values* values = changed.load(std::memory_order_acquire))
    if (const auto at = values->find(name); at != values->end()) return at->second;
  const char* text = std::getenv(std::string(name).c_str());
  return text ? text : "";
}

void set_variable(std::string_view name, std::string_view value) {
  const std::lock_guard lock(changing);
  static auto& all = *new std::deque<Values>;  // old ones too: somebody may read them
  Values& values = all.empty() ? all.emplace_back() : all.emplace_back(all.back());
  values.insert_or_assign(std::string(name), std::string(value));
  changed.store(&values, std::memory_order_release);
}

void set_process_variable(std::string_view name, std::string_view value) {
  static Mutex lock;
  static auto& texts = *new std::deque<std::string>;  // leaked, as the lists: others read them
  static auto& lists = *new std::deque<std::vector<char*>>;
  const std::lock_guard guard(lock);
  std::string& text = texts.emplace_back(format("{}={}", name, value));
  const std::string_view start = std::string_view(text).substr(0, name.size() + 1);
  std::vector<char*>& list = lists.emplace_back();
  for (char** entry = environ; entry && *entry; ++entry)
    if (!std::string_view(*entry).starts_with(start)) list.push_back(*entry);
  list.push_back(text.data());
  list.push_back(nullptr);
  std::atomic_ref(environ).store(list.data(), std::memory_order_release);
}

void warn_of_setting(const std::string& text) noexcept {
  try {
    static Mutex& lock = *new Mutex;
    static auto& said = *new std::set<std::string>;
    {
      const std::lock_guard guard(lock);
      if (!said.insert(text).second) return;
    }
    detail::write_log(Channel::runtime, Level::warning, text);
  } catch (const std::bad_alloc&) {
    return;  // no memory for a warning
  }
}

int choose(std::string_view name, std::initializer_list<std::string_view> words) {
  const std::string value = variable(name);
  if (value.empty()) return 0;
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words.begin()[i] == value) return static_cast<int>(i);
  std::string list;
  for (const std::string_view word : words) list += format("{}{}", list.empty() ? "" : ", ", word);
  warn_of_setting(
      format("{}: '{}' is none of {}; taken as {}", name, value, list, words.begin()[0]));
  return 0;
}

}  // namespace isthmus::inline ISTHMUS_ABI
