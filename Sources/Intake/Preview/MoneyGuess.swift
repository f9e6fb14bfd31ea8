internal import Domain

/// Guesses the unit of whole or decimal amounts.
struct UnitGuess {
  let source: String
  let values: [String]
  /// Currency of all amounts; nil if it is unknown or there are several.
  let currency: String?

  private static let hundredYen: Int64 = 10_000

  /// A sentence if amounts of a currency without decimals may be hundredths of its unit.
  var hundredths: String? {
    let amounts = values.compactMap { Int64($0) }.filter { $0 > 0 }
    guard let currency, Money.fractionDigits(currency: currency) == 0, !amounts.isEmpty,
      amounts.allSatisfy({ $0 % 100 == 0 && $0 >= Self.hundredYen })
    else { return nil }
    return "all are hundreds of \(currency), which has no decimals. If they are hundredths, let the export divide them."
  }

  /// By decimals or by the column's name; nil if neither states the unit.
  var byForm: MoneyUnit? {
    if values.contains(where: { $0.contains(".") || $0.contains(",") }) { return .decimal }
    let name = source.lowercased()
    if name.contains("milli") { return .milliunits }
    if ["fen", "cent", "minor", "分", "kopeck", "копе"].contains(where: name.contains) { return .minor }
    if ["yuan", "元", "円", "yen", "руб"].contains(where: name.contains) { return .decimal }
    return currency.map { Money.fractionDigits(currency: $0) == 0 } ?? false ? .decimal : nil
  }

  /// By size: prices of an app are rarely above a thousand currency units or below one.
  var bySize: MoneyUnit {
    let amounts = values.compactMap { Int64($0) }.filter { $0 > 0 }.sorted()
    guard let middle = amounts.isEmpty ? nil : amounts[amounts.count / 2] else { return .decimal }
    if middle < 100 { return .decimal }
    return amounts.allSatisfy { $0 % 10 == 0 } && middle >= 100_000 ? .milliunits : .minor
  }
}

/// Guesses the decimal mark of amounts.
struct MarkGuess {
  /// The mark to state in the mapping; nil if the values need none, or do not show it.
  let mark: DecimalMark?
  /// The rest of a sentence about the values; nil if there is no doubt.
  let doubt: String?

  init(values: [String], currency: String?) {
    let shown = Set(values.compactMap { DecimalMark(shownBy: $0) })
    let open = values.first { ExactDecimal.isAmbiguousInstant($0) }
    let hasComma = values.contains { $0.contains(",") }
    switch (shown.count, open) {
    case (1, _): (mark, doubt) = (open != nil || hasComma ? shown.first : nil, nil)
    case (0, let open?) where currency.map { Money.isKnown(currency: $0) && Money.fractionDigits(currency: $0) == 0 } == true:
      // A currency without decimals has thousands only.
      (mark, doubt) = (open.contains(",") ? .point : .comma, nil)
    case (0, let open?):
      let own: DecimalMark = open.contains(",") ? .comma : .point
      // Decimals of a dinar have three digits.
      let isDinar = currency.map { Money.isKnown(currency: $0) && Money.fractionDigits(currency: $0) == 3 } ?? false
      mark = isDinar ? own : nil
      doubt = isDinar
        ? "\(open) is read with decimals, as \(currency ?? "") has three. Check decimal_mark."
        : "\(open) may have thousands or decimals, and no value shows which. "
          + "Add decimal_mark: comma or point; until then, such rows are parked."
    case (2, let open?):
      (mark, doubt) = (nil, "some values have a decimal comma and some a decimal point, so values such as \(open) are parked.")
    default: (mark, doubt) = (nil, nil)
    }
  }
}
