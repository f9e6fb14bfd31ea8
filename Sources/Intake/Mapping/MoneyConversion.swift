internal import Domain

extension MoneyUnit {
  /// Returns an amount in thousandths of the currency unit.
  ///
  /// - Parameters:
  ///   - text: a decimal number, with or without a currency sign and blanks between thousands.
  ///   - currency: ISO 4217 code; needed for minor units.
  ///   - mark: character before its decimals; nil if only the text itself can show it.
  /// - Throws: `ConversionFault` for another text, for an amount that is not a whole number of thousandths, and for an unknown currency.
  func milliunits(_ text: [UInt8], currency: String?, mark: DecimalMark? = nil) throws(ConversionFault) -> Int64 {
    let stated = AmountText(String(decoding: text, as: UTF8.self))
    if let sign = stated.sign, let currency, !stated.agrees(with: currency) {
      throw ConversionFault("has the sign \(sign), which is no sign of \(ConversionFault.quoted(Array(currency.utf8)))")
    }
    let text = Array(stated.digits.utf8)
    let isPlain = text.allSatisfy { ASCII.isDigit($0) || [ASCII.point, ASCII.comma, ASCII.minus, ASCII.plus].contains($0) }
    let plain = try mark.map { mark throws(ConversionFault) in try mark.pointed(text) } ?? String(decoding: text, as: UTF8.self)
    guard isPlain, let amount = ExactDecimal(plain) else { throw ConversionFault("is not an amount in digits") }
    guard mark != nil || !ExactDecimal.isAmbiguous(plain) else {
      throw ConversionFault("is ambiguous: it may be thousands or decimals, until \"decimal_mark\" in the mapping says which")
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
    guard self != .milliunits else { return 1 }
    if let currency, !Money.isKnown(currency: currency) {
      throw ConversionFault("is an amount in \(ConversionFault.quoted(Array(currency.utf8))), which is no currency of ISO 4217")
    }
    guard self == .minor else { return 1000 }
    guard let currency else { throw ConversionFault("is in minor units, and the row has no currency that says how small they are") }
    return Money.unit(currency: currency)
  }
}

extension DecimalMark {
  /// Returns an amount with a decimal point and commas between thousands.
  ///
  /// - Throws: `ConversionFault` for an amount with the other mark.
  fileprivate func pointed(_ text: [UInt8]) throws(ConversionFault) -> String {
    let swapped = text.map { byte in
      guard self == .comma else { return byte }
      return byte == ASCII.comma ? ASCII.point : byte == ASCII.point ? ASCII.comma : byte
    }
    let plain = String(decoding: swapped, as: UTF8.self)
    let points = swapped.count { $0 == ASCII.point }
    let commas = swapped.count { $0 == ASCII.comma }
    let isGrouped = commas == 0 || points == 1 || commas > 1 || ExactDecimal.isAmbiguous(plain)
    guard points <= 1, isGrouped, points == 0 || !swapped.reversed().prefix(while: { $0 != ASCII.point }).contains(ASCII.comma) else {
      throw ConversionFault("does not have the decimal \(rawValue) that the settings state")
    }
    return plain
  }

  /// Returns the mark that a text shows without doubt; nil for any other text.
  init?(shownBy text: String) {
    let marks = text.filter { $0 == "." || $0 == "," }
    guard let last = marks.last, ExactDecimal(text) != nil, !ExactDecimal.isAmbiguous(text) else { return nil }
    // A mark that occurs twice groups thousands.
    let isRepeated = marks.count { $0 == last } > 1
    self = (last == ".") == isRepeated ? .comma : .point
  }
}
