/// The connected components of rows that share keys, found in bounded memory.
///
/// Rows are numbered from 0 in the order in which they are added. If the keys do not fit into memory, the caller adds all rows again in
/// each pass, in the same order. Each pass compares one range of keys. Keys are compared by hash. Two keys with one hash join separate
/// components, which changes no decision.
package struct RowComponents {
  /// A key as a number.
  package struct Key {
    var hash: UInt64
    /// Whether the key connects only with rows that were added before.
    var isPassive: Bool
    /// Whether the partition of a component depends on the key.
    var decidesPartition: Bool

    package init(hash: UInt64, isPassive: Bool = false, decidesPartition: Bool = true) {
      (self.hash, self.isPassive, self.decidesPartition) = (hash, isPassive, decidesPartition)
    }
  }

  /// Maximum number of slots for keys, of 12 bytes each. A quarter stays free.
  package static let slotsMax = 1 << 23
  /// Number of keys that are looked up together, so that the processor reads their slots at the same time.
  private static let waitingMax = 256

  private let keysMax: Int
  /// The smallest row connected with each row so far, or a row on the way to it.
  private var parents: [UInt32] = []
  /// The hash that decides each row's partition: the smallest of its keys. After the last pass, the smallest of the component, at its
  /// smallest row.
  private var partitionHashes: [UInt32] = []
  /// Slots by hash with open addressing, each with the first row that has the key; hash 0 is a free slot.
  private var hashes: [UInt64]
  private var rows: [UInt32]
  private var keyCount = 0
  /// Keys of the newest rows, not yet looked up.
  private var waiting: [(key: Key, row: UInt32)] = []
  /// Combination of all slots that were read ahead. Nothing uses it; without it the compiler would drop the reads.
  private var seenSlots: UInt64 = 0
  /// The hashes that the current pass compares.
  private var range: ClosedRange<UInt64> = 1...UInt64.max
  private var row = 0

  /// - Parameter slots: number of slots; the next power of two is used, at most `slotsMax`.
  package init(slots: Int) {
    var count = 16
    while count < min(slots, Self.slotsMax) { count *= 2 }
    keysMax = count / 4 * 3
    (hashes, rows) = (Array(repeating: 0, count: count), Array(repeating: 0, count: count))
  }

  /// Number of rows of the first pass.
  package var rowCount: Int { parents.count }

  /// Adds the next row, which has at least one key in common with each row that it is connected with.
  package mutating func add(_ keys: [Key]) {
    if row == parents.count {
      parents.append(UInt32(row))
      partitionHashes.append(keys.lazy.filter(\.decidesPartition).map { UInt32($0.hash >> 32) }.min() ?? .max)
    }
    for var key in keys {
      key.hash = max(1, key.hash)
      if range.contains(key.hash) { waiting.append((key, UInt32(row))) }
    }
    if waiting.count >= Self.waitingMax { connectWaiting() }
    row += 1
  }

  /// Ends a pass.
  ///
  /// - Returns: whether all rows have to be added once more.
  package mutating func endPass() -> Bool {
    connectWaiting()
    row = 0
    guard range.upperBound < .max else {
      (hashes, rows) = ([], [])
      for row in partitionHashes.indices {
        let root = Int(root(of: UInt32(row)))
        partitionHashes[root] = min(partitionHashes[root], partitionHashes[row])
      }
      return false
    }
    range = range.upperBound + 1...UInt64.max
    keyCount = 0
    for slot in hashes.indices { hashes[slot] = 0 }
    return true
  }

  /// Returns the partition of a row's component, from 0, after the last pass. It depends only on the keys of the
  /// component that decide it, not on the order of the rows.
  package mutating func partition(ofRow row: Int, of count: Int) -> Int {
    // Smallest hashes are small, so they are mixed. Source: SplitMix64.
    var number = UInt64(partitionHashes[Int(root(of: UInt32(row)))]) &+ 0x9E37_79B9_7F4A_7C15
    number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
    number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((number ^ (number >> 31)) % UInt64(count))
  }

  /// Returns the smallest row of a row's component.
  package mutating func root(of row: UInt32) -> UInt32 {
    var row = row
    while parents[Int(row)] != row {
      parents[Int(row)] = parents[Int(parents[Int(row)])]
      row = parents[Int(row)]
    }
    return row
  }

  private mutating func connectWaiting() {
    for (key, _) in waiting {
      let slot = firstSlot(of: key.hash)
      seenSlots |= hashes[slot] | UInt64(rows[slot])
    }
    for (key, row) in waiting { connect(key, row) }
    waiting.removeAll(keepingCapacity: true)
  }

  private mutating func connect(_ key: Key, _ row: UInt32) {
    let slot = slot(of: key.hash)
    if hashes[slot] == key.hash {
      let (one, other) = (root(of: rows[slot]), root(of: row))
      parents[Int(max(one, other))] = min(one, other)
    } else if !key.isPassive {
      while keyCount == keysMax { narrowRange() }
      if range.contains(key.hash) { insert(key.hash, row) }
    }
  }

  private mutating func insert(_ hash: UInt64, _ row: UInt32) {
    let slot = slot(of: hash)
    (hashes[slot], rows[slot]) = (hash, row)
    keyCount += 1
  }

  /// Leaves the upper half of the range to the next pass. Connections found so far remain valid.
  private mutating func narrowRange() {
    range = range.lowerBound...range.lowerBound + (range.upperBound - range.lowerBound) / 2
    for slot in hashes.indices {
      while hashes[slot] != 0, !range.contains(hashes[slot]) { remove(slot) }
    }
  }

  /// Frees a slot and closes the gap, so that every later key of the same run of slots is still found.
  private mutating func remove(_ slot: Int) {
    let mask = hashes.count - 1
    var (free, next) = (slot, (slot + 1) & mask)
    while hashes[next] != 0 {
      // A key may move to the free slot unless its first slot lies between both.
      if (next - firstSlot(of: hashes[next])) & mask >= (next - free) & mask {
        (hashes[free], rows[free]) = (hashes[next], rows[next])
        free = next
      }
      next = (next + 1) & mask
    }
    hashes[free] = 0
    keyCount -= 1
  }

  private func firstSlot(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (hashes.count - 1) }

  private func slot(of hash: UInt64) -> Int {
    var slot = firstSlot(of: hash)
    while hashes[slot] != 0, hashes[slot] != hash { slot = (slot + 1) & (hashes.count - 1) }
    return slot
  }
}
