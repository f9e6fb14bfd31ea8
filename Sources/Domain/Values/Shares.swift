/// Shares of parts in their sum, and rates, in tenths of a percent.
public enum Shares {
  /// The tenths of a percent of each part. They add up to 1000: what rounding leaves over goes to the largest remainders.
  ///
  /// A part that is not 0 has at least one tenth, so that 0 means none and 1000 means all. Nothing but 0 has shares of 0.
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

  /// Hundredths of a percent, rounded once to tenths: 1000 means all, which 9999 hundredths are not.
  public static func tenths(basisPoints: Int128) -> Int128 {
    let rounded = (basisPoints + 5) / 10
    return basisPoints < 10_000 ? min(rounded, 999) : rounded
  }
}
