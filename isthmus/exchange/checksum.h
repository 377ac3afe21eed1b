// checksum.h: the CRC-32 of zip files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace isthmus::inline ISTHMUS_ABI {

/// Eight tables, so that eight bytes are taken at a time.
inline constexpr std::array<std::array<std::uint32_t, 256>, 8> crc_tables = [] {
  std::array<std::array<std::uint32_t, 256>, 8> tables{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t c = i;
    for (int k = 0; k < 8; ++k) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
    tables[0][i] = c;
  }
  for (std::size_t t = 1; t < 8; ++t)
    for (std::size_t i = 0; i < 256; ++i) {
      const std::uint32_t c = tables[t - 1][i];
      tables[t][i] = c >> 8 ^ tables[0][c & 0xff];
    }
  return tables;
}();

/// Of bytes that follow those whose CRC is `so_far`, at first 0.
inline std::uint32_t crc32(std::uint32_t so_far, const void* bytes, std::size_t count) {
  const auto& t = crc_tables;
  const auto* at = static_cast<const unsigned char*>(bytes);
  std::uint32_t c = ~so_far;
  for (; count >= 8; count -= 8, at += 8) {
    std::uint32_t low, high;
    std::memcpy(&low, at, 4);
    std::memcpy(&high, at + 4, 4);
    low ^= c;
    c = t[7][low & 0xff] ^ t[6][low >> 8 & 0xff] ^ t[5][low >> 16 & 0xff] ^ t[4][low >> 24] ^
        t[3][high & 0xff] ^ t[2][high >> 8 & 0xff] ^ t[1][high >> 16 & 0xff] ^ t[0][high >> 24];
  }
  for (; count > 0; --count, ++at) c = c >> 8 ^ t[0][(c ^ *at) & 0xff];
  return ~c;
}

}  // namespace isthmus::inline ISTHMUS_ABI
