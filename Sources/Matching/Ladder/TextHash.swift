extension ArraySlice<UInt8> {
  /// Returns a hash of the bytes, the same in every process.
  ///
  /// - Source: fasthash64 by Zilong Tan, with words in the machine's byte order.
  func hash(seed: UInt64) -> UInt64 {
    let factor: UInt64 = 0x8803_55F2_1E6D_1965
    func mixed(_ word: UInt64) -> UInt64 {
      let product = (word ^ word >> 23) &* 0x2127_599B_F432_5C37
      return product ^ product >> 47
    }
    return unsafe withUnsafeBytes { bytes in
      var (hash, position) = (seed ^ UInt64(bytes.count) &* factor, 0)
      while position + 8 <= bytes.count {
        hash = unsafe (hash ^ mixed(bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))) &* factor
        position += 8
      }
      if position < bytes.count {
        var rest: UInt64 = 0
        while position < bytes.count {
          unsafe rest = rest << 8 | UInt64(bytes[position])
          position += 1
        }
        hash = (hash ^ mixed(rest)) &* factor
      }
      return mixed(hash)
    }
  }
}
