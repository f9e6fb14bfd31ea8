package import Ladder

/// Distinct texts, numbered from 0 in the order of first appearance.
package struct TextNumbers: Sendable {
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  /// The number and the upper half of the hash of each text, with open addressing.
  private var slots: [Slot] = Array(repeating: .free, count: 16)

  private struct Slot {
    static let free = Slot(number: -1, hash: 0)

    var number: ID
    var hash: UInt32
  }

  /// Others cannot choose texts of one hash.
  private static let seed = UInt64.random(in: 0...UInt64.max)

  package init() {}

  package var count: Int { ends.count }

  package func bytes(_ number: Int) -> ArraySlice<UInt8> { bytes[(number == 0 ? 0 : ends[number - 1])..<ends[number]] }

  package subscript(number: Int) -> String { String(decoding: bytes(number), as: UTF8.self) }

  /// Returns the number of a text, and adds the text if it is new.
  package mutating func number(_ text: ArraySlice<UInt8>) -> ID {
    if ends.count * 2 >= slots.count { grow() }
    let hash = text.hash(seed: Self.seed)
    let slot = slot(of: text, hash)
    if slots[slot].number >= 0 { return slots[slot].number }
    let number = ID(ends.count)
    slots[slot] = Slot(number: number, hash: UInt32(hash >> 32))
    bytes += text
    ends.append(bytes.count)
    return number
  }

  /// Returns nil for nil, because a missing fact equals no other.
  package mutating func number(_ text: ArraySlice<UInt8>?) -> ID? {
    guard let text else { return nil }
    return number(text) as ID
  }

  /// Returns the number of a text; nil if it was never added.
  package func known(_ text: ArraySlice<UInt8>) -> Int? {
    let number = slots[slot(of: text, text.hash(seed: Self.seed))].number
    return number < 0 ? nil : Int(number)
  }

  /// Returns the number of a text; nil if it was never added.
  package func firstIndex(of text: String) -> Int? { known(Array(text.utf8)[...]) }

  /// Numbers the texts in byte order, and moves the element of each text along.
  package mutating func sort<Element>(with elements: inout [Element]) {
    let order = order
    elements = order.map { elements[$0] }
    self = renumbered(order)
  }

  /// Returns the same texts, numbered in byte order.
  package func sorted() -> TextNumbers { renumbered(order) }

  private func renumbered(_ order: [Int]) -> TextNumbers {
    var renumbered = TextNumbers()
    for number in order { _ = renumbered.number(bytes(number)) as ID }
    return renumbered
  }

  /// The numbers in byte order of their texts.
  private var order: [Int] {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      (0..<count).sorted { one, other in
        var (left, right) = (one == 0 ? 0 : ends[one - 1], other == 0 ? 0 : ends[other - 1])
        let (leftEnd, rightEnd) = (ends[one], ends[other])
        while left < leftEnd, right < rightEnd, unsafe buffer[left] == buffer[right] { (left, right) = (left + 1, right + 1) }
        if left == leftEnd || right == rightEnd { return leftEnd - left < rightEnd - right }
        return unsafe buffer[left] < buffer[right]
      }
    }
  }

  private func slot(of text: ArraySlice<UInt8>, _ hash: UInt64) -> Int {
    let upper = UInt32(hash >> 32)
    var slot = place(of: upper, in: slots.count)
    while slots[slot].number >= 0 {
      if slots[slot].hash == upper, isEqual(Int(slots[slot].number), text) { return slot }
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  /// Returns the first slot of a hash.
  private func place(of hash: UInt32, in count: Int) -> Int { Int(hash) & (count - 1) }

  private func isEqual(_ number: Int, _ text: ArraySlice<UInt8>) -> Bool {
    let start = number == 0 ? 0 : ends[number - 1]
    guard ends[number] - start == text.count else { return false }
    return unsafe bytes.withUnsafeBytes { bytes in
      unsafe text.withUnsafeBytes { unsafe bytes[start..<start + $0.count].elementsEqual($0) }
    }
  }

  private mutating func grow() {
    let held = slots
    slots = Array(repeating: .free, count: held.count * 2)
    for entry in held where entry.number >= 0 {
      var slot = place(of: entry.hash, in: slots.count)
      while slots[slot].number >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = entry
    }
  }
}
