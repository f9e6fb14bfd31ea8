internal import Domain
package import Postgres
internal import Wording

package struct ColumnWord: Sendable {
  /// Types of columns as in Frictionless Table Schema.
  package enum Kind: String, Sendable, CaseIterable {
    case string, integer, number, boolean, date, datetime
  }

  package var kind: Kind
  /// `count`, `days`, `milliunits of currency`, `units of currency`, or for a price its `currency per unit`; empty for none.
  package var unit: String
  package var description: String
  /// Whether the column is a balance at the start or end of a row's period. A sum over periods would count it several times.
  package var isBalance = false

  /// The entry for an instant outside a table.
  package static let instant = ColumnWord(kind: .datetime, unit: "UTC", description: "")

  static let countUnit = "count"
  private static let milliunitsPrefix = "milliunits of "
  private static let unitsPrefix = "units of "
  private static let priceSuffix = " per unit"

  /// Name of the column with the currency of an amount, in milliunits or as a decimal. nil for other columns, including prices, which may
  /// not be added up.
  package var currencyColumn: String? {
    for prefix in [Self.milliunitsPrefix, Self.unitsPrefix] where unit.hasPrefix(prefix) { return String(unit.dropFirst(prefix.count)) }
    return nil
  }

  /// Name of the column with the currency of a decimal: an amount, a price, or a line that may not be added up. nil for other columns and
  /// for milliunits.
  package var decimalCurrencyColumn: String? {
    guard kind == .number else { return nil }
    let column = (isDecimalMoney ? String(unit.dropFirst(Self.unitsPrefix.count)) : unit).replacing(Self.priceSuffix, with: "")
    return column == "currency" || column.hasSuffix("_currency") || column.hasSuffix("_ccy") ? column : nil
  }

  /// Whether an amount is a decimal in its currency instead of milliunits.
  package var isDecimalMoney: Bool { unit.hasPrefix(Self.unitsPrefix) }

  /// Whether the cells of the column may be added up: counts and amounts of one currency, but no balances.
  package var adds: Bool { !isBalance && (unit == Self.countUnit || currencyColumn != nil) }
}

/// The dictionary of columns of reports, exports and views, read from the database's schema.
package struct ColumnDictionary: Sendable {
  private var words: [String: [String: ColumnWord]] = [:]
  private var titles: [String: String] = [:]

  /// Key of the entries that apply to every relation.
  private static let everywhere = ""

  package static func read(files: SQLFiles, tx: inout DatabaseTransaction) throws -> ColumnDictionary {
    var all = ColumnDictionary()
    for (relation, name, type, unit, description, isBalance) in try tx.rows(files(ReportsSQL.columnWords)) {
      guard !name.isEmpty else {
        all.titles[relation] = description
        continue
      }
      guard let kind = ColumnWord.Kind(rawValue: type) else {
        throw JobError("could not read the words for columns: \(relation).\(name) is of type \"\(type)\"")
      }
      all.words[relation, default: [:]][name] = ColumnWord(kind: kind, unit: unit, description: description, isBalance: isBalance)
    }
    return all
  }

  /// Returns the English description of a report's table, an export or a view; empty if there is none.
  package func title(of relation: String) -> String {
    Catalogue.of(.english).name("relation", relation, otherwise: titles[relation] ?? "")
  }

  /// Returns the entry of a column; a text column without description if there is none.
  package func word(_ column: String, in relation: String) -> ColumnWord {
    words[relation]?[column] ?? words[Self.everywhere]?[column] ?? ColumnWord(kind: .string, unit: "", description: "")
  }
}

/// A Frictionless Table Schema, with which pandas, DuckDB and other tools read a CSV with its types.
///
/// - Source: Data Package, Table Schema 2.0.
package enum TableSchema {
  package static let ending = ".schema.json"

  /// Returns the schema as JSON, one line per column.
  package static func json(relation: String, columns: [String], words: ColumnDictionary) -> [UInt8] {
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
