internal import Ladder

/// Numbers texts: equal texts have equal numbers.
struct Numbering {
  private var numbers: [String: ID] = [:]
  /// The texts by number.
  private(set) var texts: [String] = []

  mutating func number(_ text: String) -> ID {
    if let known = numbers[text] { return known }
    let next = ID(numbers.count)
    numbers[text] = next
    texts.append(text)
    return next
  }

  mutating func number(_ text: String?) -> ID? {
    // Nil stands for a missing fact, which equals no other.
    guard let text else { return nil }
    return number(text) as ID
  }
}
