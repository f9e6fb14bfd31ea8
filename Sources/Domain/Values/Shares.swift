/// Shares of parts in their sum, and rates, in tenths of a percent.
public enum Shares {
  /// Returns the share of each part. The shares add up to 1000; the remainder of rounding goes to the largest fractions.
  ///
  /// A part that is not 0 has at least one tenth, so 0 means none and 1000 means all. If the sum is 0, all shares are 0.
  ///
  /// - Parameter parts: each 0 or more.
  public static func tenths(of parts: [Int128]) -> [Int128] {
    let whole = parts.reduce(0, +)
    guard whole > 0 else { return parts.map { _ in 0 } }
    var shares = parts.map { max($0 * 1000 / whole, $0.signum()) }
    let remainders = parts.map { $0 * 1000 < whole ? 0 : $0 * 1000 % whole }
    let rest = 1000 - shares.reduce(0, +)
    let order = parts.indices.sorted { (remainders[$1], $0) < (remainders[$0], $1) }
    for place in order.prefix(Int(max(rest, 0))) { shares[place] += 1 }
    if rest < 0, let largest = shares.indices.max(by: { (shares[$0], $1) < (shares[$1], $0) }) { shares[largest] += rest }
    return shares
  }

  /// Rounds hundredths of a percent to tenths. Less than 10000 hundredths stay below 1000, which means all.
  public static func tenths(basisPoints: Int128) -> Int128 {
    let rounded = (basisPoints + 5) / 10
    return basisPoints < 10_000 ? min(rounded, 999) : rounded
  }
}
