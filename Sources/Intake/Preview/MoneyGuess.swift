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
    let amounts = values.compactMap { Self.whole($0) }.filter { $0 > 0 }
    guard let currency, Money.fractionDigits(currency: currency) == 0, !amounts.isEmpty,
      amounts.allSatisfy({ $0 % 100 == 0 && $0 >= Self.hundredYen })
    else { return nil }
    return "all are hundreds of \(currency), which has no decimals. If they are hundredths, let the export divide them."
  }

  /// The unit of whole numbers that the column's name states; nil if it states none.
  var named: MoneyUnit? {
    let name = source.lowercased()
    if name.contains("milli") { return .milliunits }
    return ["fen", "cent", "minor", "分", "kopeck", "копе"].contains(where: name.contains) ? .minor : nil
  }

  /// Whether the column's name states a unit of whole numbers, and all values are whole numbers.
  var isWholeByName: Bool { named != nil && values.allSatisfy { Self.whole($0) != nil || ExactDecimal.isAmbiguous($0) } }

  /// A sentence if the column's name states a unit without decimals, and values have decimals.
  var contradiction: String? {
    guard let named, !isWholeByName, let value = values.first(where: { Self.whole($0) == nil }) else { return nil }
    return "the name points to unit: \(named.rawValue), but values such as \(value) have decimals. \"decimal\" is a guess."
  }

  /// By the column's name or by decimals; nil if neither states the unit.
  var byForm: MoneyUnit? {
    if isWholeByName { return named }
    if values.contains(where: { ($0.contains(".") || $0.contains(",")) && Self.whole($0) == nil }) { return .decimal }
    if values.contains(where: { ExactDecimal.isAmbiguous($0) }) { return .decimal }
    if ["yuan", "元", "円", "yen", "руб"].contains(where: source.lowercased().contains) { return .decimal }
    return currency.map { Money.fractionDigits(currency: $0) == 0 } ?? false ? .decimal : nil
  }

  /// Returns a whole number. Thousands separators and the one zero that data frames add (`1800.0`) are no decimals.
  private static func whole(_ text: String) -> Int64? {
    guard let amount = ExactDecimal(text), amount.scale <= 1, amount.isWhole else { return nil }
    return Int64(exactly: amount.scale == 0 ? amount.digits : amount.digits / 10)
  }

  /// By size: prices of an app are rarely above a thousand currency units or below one.
  var bySize: MoneyUnit {
    let amounts = values.compactMap { Self.whole($0) }.filter { $0 > 0 }.sorted()
    guard let middle = amounts.isEmpty ? nil : amounts[amounts.count / 2] else { return .decimal }
    if middle < 100 { return .decimal }
    return amounts.allSatisfy { $0 % 10 == 0 } && middle >= 100_000 ? .milliunits : .minor
  }
}

struct MarkGuess {
  /// The mark to state in the mapping; nil if the values need none, or do not show it.
  let mark: DecimalMark?
  /// The rest of a sentence about the values; nil if there is no doubt.
  let doubt: String?

  /// - Parameter isWhole: whether the unit has no decimals, as the column's name states.
  init(values: [String], currency: String?, isWhole: Bool) {
    let shown = Set(values.compactMap { DecimalMark(shownBy: $0) })
    let open = values.first { ExactDecimal.isAmbiguous($0) }
    let hasComma = values.contains { $0.contains(",") }
    switch (shown.count, open) {
    case (1, _): (mark, doubt) = (open != nil || hasComma ? shown.first : nil, nil)
    case (0, let open?) where isWhole || currency.map { Money.isKnown(currency: $0) && Money.fractionDigits(currency: $0) == 0 } == true:
      // A unit without decimals has thousands only.
      (mark, doubt) = (open.contains(",") ? .point : .comma, nil)
    case (0, let open?):
      let own: DecimalMark = open.contains(",") ? .comma : .point
      // Decimals of a dinar have three digits.
      let isDinar = currency.map { Money.isKnown(currency: $0) && Money.fractionDigits(currency: $0) == 3 } ?? false
      mark = isDinar ? own : nil
      doubt =
        isDinar
        ? "\(open) is read with decimals, as \(currency ?? "") has three. Check decimal_mark."
        : "\(open) may have thousands or decimals, and no value shows which. "
          + "Add decimal_mark: comma or point; until then, such rows are parked."
    case (2, let open?):
      (mark, doubt) = (nil, "some values have a decimal comma and some a decimal point, so values such as \(open) are parked.")
    default: (mark, doubt) = (nil, nil)
    }
  }
}
