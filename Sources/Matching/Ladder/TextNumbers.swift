package import Ladder

/// Distinct texts, numbered from 0 in the order of first appearance.
package struct TextNumbers: Sendable {
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  private var hashes: [UInt32] = []
  /// The numbers by hash, with open addressing; -1 is a free slot.
  private var slots: [ID] = Array(repeating: -1, count: 16)

  package init() {}

  package var count: Int { ends.count }

  package func bytes(_ number: Int) -> ArraySlice<UInt8> { bytes[(number == 0 ? 0 : ends[number - 1])..<ends[number]] }

  package subscript(number: Int) -> String { String(decoding: bytes(number), as: UTF8.self) }

  /// Returns the number of a text, and adds the text if it is new.
  package mutating func number(_ text: ArraySlice<UInt8>) -> ID {
    if ends.count * 2 >= slots.count { grow() }
    let hash = Self.hash(text)
    let slot = slot(of: text, hash)
    if slots[slot] >= 0 { return slots[slot] }
    let number = ID(ends.count)
    slots[slot] = number
    bytes += text
    ends.append(bytes.count)
    hashes.append(hash)
    return number
  }

  /// Returns nil for nil, because a missing fact equals no other.
  package mutating func number(_ text: ArraySlice<UInt8>?) -> ID? {
    guard let text else { return nil }
    return number(text) as ID
  }

  /// Returns the number of a text; nil if it was never added.
  package func known(_ text: ArraySlice<UInt8>) -> Int? {
    let number = slots[slot(of: text, Self.hash(text))]
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

  private func slot(of text: ArraySlice<UInt8>, _ hash: UInt32) -> Int {
    var slot = Int(hash) & (slots.count - 1)
    while slots[slot] >= 0 {
      let number = Int(slots[slot])
      if hashes[number] == hash, bytes(number) == text { return slot }
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  private mutating func grow() {
    slots = Array(repeating: -1, count: slots.count * 2)
    for (number, hash) in hashes.enumerated() {
      var slot = Int(hash) & (slots.count - 1)
      while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = ID(number)
    }
  }

  private static func hash(_ text: ArraySlice<UInt8>) -> UInt32 {
    var hasher = Hasher()
    unsafe text.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
    return UInt32(truncatingIfNeeded: hasher.finalize())
  }
}
