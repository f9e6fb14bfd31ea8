internal import Domain

extension MoneyUnit {
  /// Returns an amount in thousandths of the currency unit.
  ///
  /// - Parameters:
  ///   - text: a decimal number, with a point or a comma.
  ///   - currency: ISO 4217 code; needed for minor units.
  /// - Throws: `ConversionFault` for another text, and for an amount that is not a whole number of thousandths.
  func milliunits(_ text: [UInt8], currency: String?) throws(ConversionFault) -> Int64 {
    let isPlain = text.allSatisfy { ASCII.isDigit($0) || [ASCII.point, ASCII.comma, ASCII.minus, ASCII.plus].contains($0) }
    let plain = String(decoding: text, as: UTF8.self)
    guard isPlain, let amount = ExactDecimal(plain) else { throw ConversionFault("is not an amount in digits") }
    guard text.contains(ASCII.point) || !ExactDecimal.isAmbiguousInstant(plain) else {
      throw ConversionFault("is ambiguous: its comma may separate thousands or decimals")
    }
    guard !amount.isNegative else { throw ConversionFault("is negative") }
    // Spreadsheets and data frames add one zero to a whole number; 68.00 is an amount in another unit.
    guard self == .decimal || amount.scale == 0 || amount.scale == 1 && amount.digits % 10 == 0 else {
      throw ConversionFault("is not a whole number in digits")
    }
    var value = amount.digits * Int128(try factor(currency))
    for _ in 0..<amount.scale {
      guard value % 10 == 0 else { throw ConversionFault("is not a whole number of thousandths of the currency unit") }
      value /= 10
    }
    guard let milliunits = Int64(exactly: value), SaneLimits.milliunits.contains(milliunits) else {
      throw ConversionFault("is more than \(SaneLimits.milliunits.upperBound) thousandths")
    }
    return milliunits
  }

  /// Returns the number of thousandths per unit.
  private func factor(_ currency: String?) throws(ConversionFault) -> Int64 {
    switch self {
    case .milliunits: return 1
    case .decimal: return 1000
    case .minor:
      guard let currency else { throw ConversionFault("is in minor units, and the row has no currency that says how small they are") }
      return (Money.fractionDigits(currency: currency)..<3).reduce(1) { factor, _ in factor * 10 }
    }
  }
}
