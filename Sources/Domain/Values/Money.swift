/// Money as Apple signs it: thousandths of a currency unit.
public enum Money {
  /// Decimal text of `milliunits` with the currency's own number of digits, or as many as the value needs.
  ///
  /// 10990 USD is `10.99`, 300000 JPY is `300`, 1500 KWD is `1.500`.
  /// - Source: ISO 4217 minor units.
  public static func text(milliunits: Int64, currency: String) -> String {
    let magnitude = milliunits.magnitude
    let whole = magnitude / 1000
    var digits = padded(magnitude % 1000, 3)
    let least = fractionDigits(currency: currency)
    while digits.utf8.count > least, digits.last == "0" { digits.removeLast() }
    let sign = milliunits < 0 ? "-" : ""
    return digits.isEmpty ? "\(sign)\(whole)" : "\(sign)\(whole).\(digits)"
  }

  /// Digits after the point that the currency is written with: 0, 2 or 3.
  public static func fractionDigits(currency: String) -> Int {
    if zeroDecimal.contains(currency) { return 0 }
    return threeDecimal.contains(currency) ? 3 : 2
  }

  private static let zeroDecimal: Set<String> = [
    "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV",
    "XAF", "XOF", "XPF",
  ]
  private static let threeDecimal: Set<String> = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]

  /// Part of a price that a revocation percentage gives back, rounded to the currency's unit.
  ///
  /// - Parameter percentage: thousandths of a percent, 0 to 100000; nil is a full refund.
  /// - Source: App Store Server API, revocationPercentage.
  public static func refunded(milliunits: Int64, percentage: Int64?, currency: String) -> Int64 {
    guard let percentage, percentage < 100_000 else { return milliunits }
    var unit: Int64 = 1000
    for _ in 0..<fractionDigits(currency: currency) { unit /= 10 }
    let exact = Int128(milliunits) * Int128(max(0, percentage))
    let step = Int128(unit) * 100_000
    return Int64((exact + step / 2) / step) * unit
  }
}
