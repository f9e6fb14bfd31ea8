internal import Domain
internal import JobCore
internal import Workbooks

/// The workbook value of a cell that is not text.
enum WorkbookValue {
  case flag(Bool)
  /// A number with its display format.
  case number(Double, format: String)

  /// Largest whole number without loss of digits in every spreadsheet (15 digits).
  private static let wholeMax: Int64 = 1_000_000_000_000_000
  /// Serial number of 1970-01-01 in the date system that starts in 1900.
  private static let epochDay = 25_569.0
  private static let dayMicroseconds = 86_400_000_000.0
  /// First valid serial number. Smaller ones count 1900 as a leap year.
  private static let firstDay = 61.0

  /// Returns nil if a workbook can only store the cell as text without losing digits.
  init?(_ cell: String, _ word: ColumnWord, currency: String?) {
    switch word.kind {
    case .string: return nil
    case .boolean:
      guard ["true", "false", "t", "f"].contains(cell) else { return nil }
      self = .flag(cell.hasPrefix("t"))
    case .date:
      guard let day = Self.serial("\(cell)T00:00:00Z") else { return nil }
      self = .number(day, format: "yyyy-mm-dd")
    case .datetime:
      guard let instant = Self.serial(cell) else { return nil }
      self = .number(instant, format: cell.contains(".") ? "yyyy-mm-dd hh:mm:ss.000" : "yyyy-mm-dd hh:mm:ss")
    case .integer:
      guard let whole = Int64(cell) else { return nil }
      let isMoney = word.currencyColumn != nil
      // Whole currency units need no digits for the thousandths.
      let kept = isMoney && whole.isMultiple(of: 1000) ? whole / 1000 : whole
      guard (-Self.wholeMax...Self.wholeMax).contains(kept) else { return nil }
      self =
        isMoney
        ? Self.money(Int128(whole), currency: currency ?? "") : .number(Double(whole), format: word.adds ? "#,##0" : "0")
    case .number:
      guard let decimal = Double(cell), cell.count(where: \.isNumber) <= 15 else { return nil }
      self = word.isDecimalMoney ? Self.money(cell, decimal, currency: currency ?? "") : .number(decimal, format: "")
    }
  }

  /// Returns a decimal amount with the currency's number of decimals, or more if the amount needs them.
  static func money(_ text: String, _ value: Double, currency: String) -> WorkbookValue {
    .number(value, format: format(digits: digits(text, currency: currency)))
  }

  /// Returns the number of displayed decimals of an amount.
  static func digits(_ text: String, currency: String) -> Int {
    let least = decimals(Money.text(milliunits: 0, currency: currency)).utf8.count
    return max(least, decimals(text).reversed().drop { $0 == "0" }.count)
  }

  private static func decimals(_ text: String) -> Substring { text.split(separator: ".").dropFirst().first ?? "" }

  private static func format(digits: Int) -> String { digits == 0 ? "#,##0" : "#,##0." + String(repeating: "0", count: digits) }

  /// Returns an amount in currency units with the currency's number of decimals, or more if the amount needs them.
  static func money(_ milliunits: Int128, currency: String) -> WorkbookValue {
    let digits = decimals(Money.text(milliunits: milliunits, currency: currency)).utf8.count
    return .number(Double(milliunits) / 1000, format: format(digits: digits))
  }

  private static func serial(_ instant: String) -> Double? {
    guard let microseconds = Timestamp(rfc3339: instant)?.microseconds else { return nil }
    let serial = Double(microseconds) / dayMicroseconds + epochDay
    return serial >= firstDay ? serial : nil
  }
}

/// A total of one column over the rows of one group: a formula with its value.
struct WorkbookTotal {
  struct Key: Hashable, Comparable {
    var place: Int
    var group: [String]
    /// nil for a column without currency.
    var currency: String?

    static func < (a: Key, b: Key) -> Bool {
      if a.place != b.place { return a.place < b.place }
      return (a.group + [a.currency ?? ""]).lexicographicallyPrecedes(b.group + [b.currency ?? ""])
    }
  }

  /// A column and its value in all rows of the group.
  struct Condition {
    var column: String
    var place: Int
    var value: String
  }

  var table: String
  var title: String
  var place: Int
  var conditions: [Condition]
  /// The sum as exact text.
  var sum: String
  var word: ColumnWord
  var currency: String?
  /// Whether every cell of the column is a number that a formula can add.
  var isComputed: Bool

  var value: WorkbookValue {
    guard let currency else { return .number(Double(sum) ?? 0, format: "#,##0") }
    return word.isDecimalMoney
      ? WorkbookValue.money(sum, Double(sum) ?? 0, currency: currency) : WorkbookValue.money(Int128(sum) ?? 0, currency: currency)
  }

  /// Returns `=SUMIFS(…)` over all sheets of the table.
  ///
  /// - Parameter criteria: for each condition the cell with its value, or `"="` for rows without a value.
  func formula(parts: [WorkbookTable.Part], criteria: [String]) -> String {
    let sums = parts.filter { $0.rowCount > 1 }.map { part in
      let rows = 1...(part.rowCount - 1)
      let range = { (place: Int) in CellPlace.range(sheet: part.sheet.name, column: place, rows: rows) }
      guard !conditions.isEmpty else { return "SUM(\(range(place)))" }
      let tests = zip(conditions, criteria).map { "\(range($0.place)),\($1)" }.joined(separator: ",")
      return "SUMIFS(\(range(place)),\(tests))"
    }
    let sum = sums.joined(separator: "+")
    // Sums of decimals are rounded, because doubles are not exact.
    guard let currency else { return "=\(sum)" }
    return "=ROUND(\(sum),\(word.isDecimalMoney ? WorkbookValue.digits(self.sum, currency: currency) : 3))"
  }
}
