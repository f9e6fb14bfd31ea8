internal import Domain
package import Postgres

/// What a column holds, as the dictionary says it: its type, its unit and what it means.
package struct ColumnWord: Sendable {
  /// Types of columns, in the words of Frictionless Table Schema.
  package enum Kind: String, Sendable, CaseIterable {
    case string, integer, number, boolean, date, datetime
  }

  package var kind: Kind
  /// `count`, `days`, `milliunits of currency`, `units of currency`; a price is in its `currency per unit`; empty for none.
  package var unit: String
  package var description: String
  /// Whether it holds what stands at the beginning or end of a row's period: a sum over periods would count it twice.
  package var isBalance = false

  /// The word for an instant that is no column.
  package static let instant = ColumnWord(kind: .datetime, unit: "UTC", description: "")

  /// Unit of whatever is counted, which adds up.
  static let countUnit = "count"
  private static let milliunitsPrefix = "milliunits of "
  private static let unitsPrefix = "units of "
  private static let priceSuffix = " per unit"

  /// Column that names the currency of an amount, in milliunits or as a decimal; nil for what is no money, and for prices and the like,
  /// which do not add up.
  package var currencyColumn: String? {
    for prefix in [Self.milliunitsPrefix, Self.unitsPrefix] where unit.hasPrefix(prefix) { return String(unit.dropFirst(prefix.count)) }
    return nil
  }

  /// Column that names the currency in which a decimal is written: an amount, a price, a line that does not add up; nil for what is
  /// no money, and for milliunits.
  package var decimalCurrencyColumn: String? {
    guard kind == .number else { return nil }
    let column = (isDecimalMoney ? String(unit.dropFirst(Self.unitsPrefix.count)) : unit).replacing(Self.priceSuffix, with: "")
    return column == "currency" || column.hasSuffix("_currency") || column.hasSuffix("_ccy") ? column : nil
  }

  /// Whether an amount is written as a decimal of its currency, not in milliunits.
  package var isDecimalMoney: Bool { unit.hasPrefix(Self.unitsPrefix) }

  /// Whether the cells of the column may be added up: counts, and amounts of one currency, but no balances.
  package var adds: Bool { !isBalance && (unit == Self.countUnit || currencyColumn != nil) }
}

/// The words for the columns of reports, exports and views, from their one home in the database's schema.
package struct ColumnWords: Sendable {
  private var words: [String: [String: ColumnWord]] = [:]
  private var titles: [String: String] = [:]

  /// Relation under which the words stand that mean the same everywhere.
  private static let everywhere = ""

  package static func read(files: SQLFiles, tx: inout DatabaseTransaction) throws -> ColumnWords {
    var all = ColumnWords()
    for (relation, name, type, unit, description, isBalance) in try tx.rows(files(ReportsSQL.columnWords)) {
      guard !name.isEmpty else {
        all.titles[relation] = description
        continue
      }
      guard let kind = ColumnWord.Kind(rawValue: type) else {
        throw JobError("could not read the words for columns: \(relation).\(name) is of type \"\(type)\"")
      }
      all.words[relation, default: [:]][name] = ColumnWord(
        kind: kind, unit: unit, description: description, isBalance: isBalance)
    }
    return all
  }

  /// What a relation holds; empty for one that nobody described.
  package func title(of relation: String) -> String { titles[relation] ?? "" }

  /// The word for a column; one that nobody described is text.
  package func word(_ column: String, in relation: String) -> ColumnWord {
    words[relation]?[column] ?? words[Self.everywhere]?[column]
      ?? ColumnWord(kind: .string, unit: "", description: "")
  }
}

/// A Frictionless Table Schema: what pandas, DuckDB and others need to read a CSV as it is meant.
///
/// - Source: Data Package, Table Schema 2.0.
package enum TableSchema {
  /// How the names of schema files end.
  package static let ending = ".schema.json"

  /// The schema as JSON, a line for each column.
  package static func json(relation: String, columns: [String], words: ColumnWords) -> [UInt8] {
    let fields = columns.map { column in
      let word = words.word(column, in: relation)
      var parts = ["\"name\":\(ReportText.quoted(column))", "\"type\":\"\(word.kind.rawValue)\""]
      if word.kind == .datetime { parts.append("\"format\":\"any\"") }
      if !word.unit.isEmpty { parts.append("\"unit\":\(ReportText.quoted(word.unit))") }
      if word.isBalance { parts.append("\"balance\":true") }
      parts.append("\"description\":\(ReportText.quoted(word.description))")
      return "{\(parts.joined(separator: ","))}"
    }
    let title = words.title(of: relation)
    let text = """
      {
      "$schema":"https://datapackage.org/profiles/2.0/tableschema.json",
      "name":\(ReportText.quoted(relation)),
      "description":\(ReportText.quoted(title)),
      "missingValues":[""],
      "fields":[
      \(fields.joined(separator: ",\n"))
      ]
      }

      """
    return Array(text.utf8)
  }
}
