/// The connected components of rows that share keys, found in bounded memory.
///
/// Rows are numbered from 0 in the order in which they are added. If there are more keys than fit into memory, the caller adds all rows
/// again in the same order, pass by pass, each of which compares a range of keys. Keys are compared by hash, so two keys with one hash
/// connect components that are separate, which changes no decision.
package struct RowComponents {
  /// A key as a number.
  package struct Key {
    var hash: UInt64
    /// Whether the key connects only with rows that were added before.
    var isPassive: Bool
    /// Whether the partition of a component depends on the key.
    var isMark: Bool

    package init(hash: UInt64, isPassive: Bool = false, isMark: Bool = true) {
      (self.hash, self.isPassive, self.isMark) = (hash, isPassive, isMark)
    }
  }

  /// A key and the first row that has it.
  private struct Slot {
    static let free = Slot(hash: 0, row: 0)

    var hash: UInt64
    var row: UInt32
  }

  /// Maximum number of slots for keys, of 16 bytes each. A quarter stays free.
  package static let slotsMax = 1 << 23
  /// Number of keys that are looked up together, so that the processor reads their slots at the same time.
  private static let waitingMax = 256

  private let keysMax: Int
  /// The smallest row connected with each row so far, or a row on the way to it.
  private var parents: [UInt32] = []
  /// The smallest hash of each row's marks; after the last pass, of the component's marks for its smallest row.
  private var marks: [UInt32] = []
  /// Slots by hash with open addressing.
  private var slots: [Slot]
  private var keyCount = 0
  /// Keys of the newest rows, not yet looked up.
  private var waiting: [(key: Key, row: UInt32)] = []
  /// All first slots of the waiting keys, combined so that each of them is read.
  private var seenHashes: UInt64 = 0
  /// The hashes that the current pass compares.
  private var range: ClosedRange<UInt64> = 1...UInt64.max
  private var row = 0

  /// - Parameter slots: number of slots; the next power of two is used, at most `slotsMax`.
  package init(slots: Int) {
    var count = 16
    while count < min(slots, Self.slotsMax) { count *= 2 }
    keysMax = count / 4 * 3
    self.slots = Array(repeating: .free, count: count)
  }

  /// Number of rows of the first pass.
  package var rowCount: Int { parents.count }

  /// Adds the next row, which has at least one key in common with each row that it is connected with.
  package mutating func add(_ keys: [Key]) {
    if row == parents.count {
      parents.append(UInt32(row))
      marks.append(keys.lazy.filter(\.isMark).map { UInt32($0.hash >> 32) }.min() ?? .max)
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
      slots = []
      for row in marks.indices {
        let root = Int(root(of: UInt32(row)))
        marks[root] = min(marks[root], marks[row])
      }
      return false
    }
    range = range.upperBound + 1...UInt64.max
    keyCount = 0
    for slot in slots.indices { slots[slot] = .free }
    return true
  }

  /// Returns the partition of a row's component, from 0, after the last pass. It depends only on the component's marks, not on the order
  /// of the rows.
  package mutating func partition(ofRow row: Int, of count: Int) -> Int {
    // Smallest hashes are small, so they are mixed. Source: SplitMix64.
    var number = UInt64(marks[Int(root(of: UInt32(row)))]) &+ 0x9E37_79B9_7F4A_7C15
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
    for (key, _) in waiting { seenHashes |= slots[firstSlot(of: key.hash)].hash }
    for (key, row) in waiting { connect(key, row) }
    waiting.removeAll(keepingCapacity: true)
  }

  private mutating func connect(_ key: Key, _ row: UInt32) {
    let slot = slot(of: key.hash)
    if slots[slot].hash == key.hash {
      let (one, other) = (root(of: slots[slot].row), root(of: row))
      parents[Int(max(one, other))] = min(one, other)
    } else if !key.isPassive {
      while keyCount == keysMax { narrowRange() }
      if range.contains(key.hash) { insert(Slot(hash: key.hash, row: row)) }
    }
  }

  private mutating func insert(_ new: Slot) {
    slots[slot(of: new.hash)] = new
    keyCount += 1
  }

  /// Leaves the upper half of the range to the next pass. Connections found so far remain valid.
  private mutating func narrowRange() {
    range = range.lowerBound...range.lowerBound + (range.upperBound - range.lowerBound) / 2
    let kept = slots.filter { range.contains($0.hash) }
    for slot in slots.indices { slots[slot] = .free }
    keyCount = 0
    for key in kept { insert(key) }
  }

  private func firstSlot(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (slots.count - 1) }

  private func slot(of hash: UInt64) -> Int {
    var slot = firstSlot(of: hash)
    while slots[slot].hash != 0, slots[slot].hash != hash { slot = (slot + 1) & (slots.count - 1) }
    return slot
  }
}
