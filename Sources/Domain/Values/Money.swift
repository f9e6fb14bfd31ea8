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

  /// Returns the smallest amount of a currency in milliunits.
  public static func unit(currency: String) -> Int64 { (fractionDigits(currency: currency)..<3).reduce(1) { unit, _ in unit * 10 } }

  /// Returns a fraction rounded to whole units, halves away from zero.
  ///
  /// - Parameters:
  ///   - over: the denominator, 1 or more.
  ///   - unit: smallest amount of the currency in milliunits, 1 or more.
  public static func rounded(_ numerator: Int128, over denominator: Int128, unit: Int64) -> Int64 {
    let step = denominator * Int128(unit)
    let parts = (2 * Int128(numerator.magnitude) + step) / (2 * step)
    return Int64(clamping: numerator.signum() * parts * Int128(unit))
  }

  /// Returns whether a code is a currency of ISO 4217 whose smallest unit is known; some withdrawn ones count, for older orders.
  ///
  /// - Source: ISO 4217:2015, list one of 2025, without funds codes and units with four decimals.
  public static func isKnown(currency: String) -> Bool {
    twoDecimal.contains(currency) || zeroDecimal.contains(currency) || threeDecimal.contains(currency)
  }

  private static let twoDecimal = Set(
    """
    AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK \
    DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP \
    LKR LRD LSL LTL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD \
    RUB SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD \
    XCG YER ZAR ZMW ZWG ZWL
    """.split(separator: " ").map(String.init))
  private static let zeroDecimal: Set<String> = [
    "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF",
  ]
  private static let threeDecimal: Set<String> = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]
}
