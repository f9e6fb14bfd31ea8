internal import Domain
internal import Wording

/// Reads the values of a report: days, codes, numbers and marks.
enum FinanceValues {
  /// Returns the value in the rows' format; nil for an empty one.
  ///
  /// - Throws: `RowFault` with the reason, without the column.
  static func read(_ text: String, as kind: FinanceColumn.Kind) throws(RowFault) -> String? {
    guard !text.isEmpty else { return nil }
    switch kind {
    case .text: return try short(text)
    case .decimal, .money: return try decimal(text).description
    case .units: return try units(text)
    case .day: return try day(text)
    case .currency: return try currency(text)
    case .country: return try country(text)
    case .saleOrReturn: return try saleOrReturn(text)
    }
  }

  static func trimmed(_ text: String) -> String {
    String(text.trimmed { $0 == " " || $0 == "\u{A0}" || $0 == "\t" || $0 == "\r" })
  }

  /// Returns a value for a message.
  static func quoted(_ text: String) -> String { "\"\(FlatObject.shown(Array(text.utf8)))\"" }

  /// Returns a fault whose reason quotes the value.
  private static func refused(_ text: String, _ key: String) -> RowFault {
    RowFault(Phrase(key, ["value": .plain(quoted(text))]))
  }

  private static func short(_ text: String) throws(RowFault) -> String {
    guard text.utf8.count <= textBytesMax else {
      throw RowFault(Phrase("intake.finance_long", ["max": .plain(textBytesMax)]))
    }
    // PostgreSQL text cannot contain a zero byte.
    return text.utf8.contains(0) ? String(text.unicodeScalars.filter { $0.value != 0 }.map(Character.init)) : text
  }

  /// Maximum length of a title, an id or another text in bytes.
  static let textBytesMax = 2000

  private static func decimal(_ text: String) throws(RowFault) -> ExactDecimal {
    guard let value = ExactDecimal(text) else {
      throw RowFault(Phrase("intake.finance_number", ["value": .plain(quoted(text)), "max": .plain(ExactDecimal.digitsMax)]))
    }
    return value
  }

  /// Reads an amount by the decimals of its currency. A single mark before three digits is a decimal mark if the currency has three
  /// decimals. Otherwise it groups thousands, as in `15.906` yen.
  static func money(_ text: String, currency: String) -> ExactDecimal? {
    guard ExactDecimal.isAmbiguous(text) else { return ExactDecimal(text) }
    let isFraction = Money.fractionDigits(currency: currency) == 3
    return ExactDecimal(isFraction ? text.replacing(",", with: ".") : text.replacing(".", with: ","))
  }

  /// Checks an amount of a bank, whose files have no standard format: an ambiguous amount is refused.
  ///
  /// - Throws: `RowFault` with both readings, without the column.
  static func bankAmount(_ text: String, currency: String) throws(RowFault) {
    guard let plain = ExactDecimal(text), let own = money(text, currency: currency), !plain.equals(own) else { return }
    throw RowFault(
      Phrase(
        "intake.finance_digits",
        [
          "value": .plain(quoted(text)), "one": .plain("\(plain)"), "other": .plain("\(own) \(currency)"),
          "count": .plain(Money.fractionDigits(currency: currency)),
        ]))
  }

  /// Maximum number of digits of a row's units, far beyond the monthly sales of one product.
  private static let unitsDigitsMax = 12

  private static func units(_ text: String) throws(RowFault) -> String {
    // A whole number has no decimal mark: the points of `1.000` group thousands.
    let groups = text.split(separator: ".", omittingEmptySubsequences: false)
    let isGrouped = groups.count > 1 && groups.dropFirst().allSatisfy { $0.utf8.count == 3 } && !text.contains(",")
    let value = try decimal(isGrouped ? groups.joined() : text)
    guard value.isWhole else { throw refused(text, "intake.finance_whole") }
    let whole = String(value.description.prefix { $0 != "." })
    guard whole.utf8.count <= unitsDigitsMax else {
      throw RowFault(Phrase("intake.finance_units", ["value": .plain(quoted(text)), "max": .plain(unitsDigitsMax)]))
    }
    return whole
  }

  /// Reads a day: `MM/DD/YYYY`, as Apple's reports format it, or `YYYY-MM-DD`.
  private static func day(_ text: String) throws(RowFault) -> String {
    let isISO = text.contains("-")
    let parts = text.split(separator: isISO ? "-" : "/").map { Int($0) }
    if parts.count == 3, let first = parts[0], let second = parts[1], let third = parts[2] {
      let (year, month, date) = isISO ? (first, second, third) : (third, first, second)
      if SaneLimits.years.contains(year), (1...12).contains(month),
        (1...CivilDate.daysIn(month: month, year: year)).contains(date)
      {
        return CivilDate(year: year, month: month, day: date).description
      }
    }
    throw refused(text, "intake.finance_day")
  }

  private static func currency(_ text: String) throws(RowFault) -> String {
    let code = text.uppercased()
    guard isCurrency(code) else { throw refused(text, "intake.finance_currency") }
    return code
  }

  private static func country(_ text: String) throws(RowFault) -> String {
    let code = text.uppercased()
    guard (2...3).contains(code.utf8.count), code.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
      throw refused(text, "intake.finance_country")
    }
    return code
  }

  private static func saleOrReturn(_ text: String) throws(RowFault) -> String {
    let mark = text.uppercased().prefix(1)
    guard mark == "S" || mark == "R" else { throw refused(text, "intake.finance_return") }
    return String(mark)
  }

  static func isCurrency(_ code: String) -> Bool { Money.isKnown(currency: code) || olderCurrencies.contains(code) }

  /// Codes of ISO 4217 that only older reports have, and codes of funds.
  private static let olderCurrencies = Set(
    """
    AZM BOV BYR CHE CHW CLF COU CUC CYP EEK GHC LVL MRO MTL MXV MZM ROL SDD SIT SKK STD TMM TRL USN UYI UYW VEB VEF ZMK ZWD
    """.split(separator: " ").map(String.init))
}
