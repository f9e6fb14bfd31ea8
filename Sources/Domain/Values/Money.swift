/// Money in Apple's unit: thousandths of a currency unit.
public enum Money {
  /// Formats `milliunits` as a decimal with the currency's number of digits, or more if the value needs them.
  ///
  /// 10990 USD is `10.99`, 300000 JPY is `300`, 1500 KWD is `1.500`.
  ///
  /// - Source: ISO 4217 minor units.
  public static func text(milliunits: some BinaryInteger & SignedInteger, currency: String) -> String {
    let magnitude = UInt128(milliunits.magnitude)
    let whole = magnitude / 1000
    var digits = padded(UInt64(magnitude % 1000), 3)
    let least = fractionDigits(currency: currency)
    while digits.utf8.count > least, digits.last == "0" { digits.removeLast() }
    let sign = milliunits < 0 ? "-" : ""
    return digits.isEmpty ? "\(sign)\(whole)" : "\(sign)\(whole).\(digits)"
  }

  /// Returns the number of decimal places of a currency: 0, 2 or 3.
  public static func fractionDigits(currency: String) -> Int {
    if zeroDecimal.contains(currency) { return 0 }
    return threeDecimal.contains(currency) ? 3 : 2
  }

  private static let zeroDecimal: Set<String> = [
    "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF",
  ]
  private static let threeDecimal: Set<String> = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]
}
