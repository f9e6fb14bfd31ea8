/// The sum of decimals given as text, exact to nine decimals.
package struct ExactSum: Sendable {
  private static let places = 9
  private var units: Int128 = 0
  /// Whether every text was a number within the range.
  package private(set) var isExact = true

  package init() {}

  package mutating func add(_ text: String) {
    let isNegative = text.hasPrefix("-")
    let parts = (isNegative ? text.dropFirst() : text[...]).split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let fraction = parts.count > 1 ? parts[1] : ""
    guard let whole = parts.first, !whole.isEmpty, fraction.utf8.count <= Self.places,
      (whole + fraction).utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let value = Int128(whole + fraction + String(repeating: "0", count: Self.places - fraction.utf8.count))
    else { return isExact = false }
    let (sum, isTooLarge) = units.addingReportingOverflow(isNegative ? -value : value)
    units = sum
    if isTooLarge { isExact = false }
  }

  mutating func multiply(by factor: Int128) {
    let (product, isTooLarge) = units.multipliedReportingOverflow(by: factor)
    units = product
    if isTooLarge { isExact = false }
  }

  /// The sum without trailing zeros of its decimals.
  package var text: String {
    let digits = String(units.magnitude)
    let padded = String(repeating: "0", count: max(0, Self.places + 1 - digits.utf8.count)) + digits
    let fraction = padded.suffix(Self.places).reversed().drop { $0 == "0" }.reversed()
    return (units < 0 ? "-" : "") + padded.dropLast(Self.places) + (fraction.isEmpty ? "" : ".\(String(fraction))")
  }
}
