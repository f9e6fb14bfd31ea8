/// Random numbers determined by a seed, the same on every machine (SplitMix64).
public struct Dice: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  public mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
  public mutating func number(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }
  public mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
  public mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }

  public mutating func shuffled<Element>(_ list: [Element]) -> [Element] {
    var rest = list
    var result: [Element] = []
    while !rest.isEmpty { result.append(rest.remove(at: below(rest.count))) }
    return result
  }
}
