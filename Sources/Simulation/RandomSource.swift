/// A counter-based random source: the same seed and stream give the same numbers everywhere.
///
/// - Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (SplitMix64).
struct RandomSource {
  private var state: UInt64

  init(seed: UInt64, stream: UInt64) {
    state = Self.mix(seed &+ 0x9E37_79B9_7F4A_7C15) ^ Self.mix(stream &* 0xD134_2543_DE82_EF95 &+ 1)
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mix(state)
  }

  /// Returns a number from 0 to below `bound`.
  mutating func below(_ bound: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(max(1, bound))).high) }

  /// Returns a number from `low` to `high`, inclusive.
  mutating func between(_ low: Int64, _ high: Int64) -> Int64 { low + Int64(below(Int(high - low + 1))) }

  mutating func percent(_ chance: Int) -> Bool { below(100) < chance }

  mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }

  /// Returns an index with a probability proportional to its weight.
  mutating func weighted(_ weights: [Int]) -> Int {
    var rest = below(weights.reduce(0, +))
    for (index, weight) in weights.enumerated() {
      if rest < weight { return index }
      rest -= weight
    }
    return weights.count - 1
  }

  /// Returns a version 4 UUID in lower case.
  mutating func uuid() -> String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(36)
    var bits: UInt64 = 0
    for place in 0..<32 {
      if place % 16 == 0 { bits = next() }
      if place == 8 || place == 12 || place == 16 || place == 20 { text.append(0x2D) }
      var digit = Int(bits & 15)
      bits >>= 4
      if place == 12 { digit = 4 }
      if place == 16 { digit = digit & 3 | 8 }
      text.append(digits[digit])
    }
    return String(decoding: text, as: UTF8.self)
  }

  mutating func shuffle<Element>(_ elements: inout [Element]) {
    guard elements.count > 1 else { return }
    for index in stride(from: elements.count - 1, to: 0, by: -1) { elements.swapAt(index, below(index + 1)) }
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
