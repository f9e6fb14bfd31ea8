import FoundationEssentials

/// Compares every figure of a report's tables with the sum of its rows.
enum FigureWalk {
  /// Verifies that the rows of every figure add up to it, and that each row belongs to a figure of the report.
  ///
  /// - Parameter least: minimum number of figures other than 0, by table, so that the check is not empty.
  static func expect(_ scenario: Scenario, _ kind: ReportKind, least: [FigureTable: Int], asOf: String) async throws {
    let report = try await tables(kind, scenario, asOf: asOf)
    try await expectTitles(kind, report, scenario, asOf: asOf)
    for (table, count) in least {
      let records = try #require(report[table.rawValue], "\(table)")
      let figures = figures(of: records, in: table)
      let begins = table.layout.isOfOnePeriod ? Set(records.cells("fiscal_period")) : [""]
      let sums = try await sums(of: table, below: begins, scenario, asOf: asOf)
      #expect(figures.count >= count, "\(table)")
      let wrong = Set(figures.keys).union(sums.keys).filter { figures[$0] != sums[$0] }.sorted()
      let printed = wrong.prefix(10).map { "\($0) is \(figures[$0] ?? 0), its rows add up to \(sums[$0] ?? 0)" }
      #expect(printed == [], "\(wrong.count) figures of \(table)")
    }
  }

  /// Verifies that every command on a report's page names an existing figure.
  private static func expectTitles(
    _ kind: ReportKind, _ report: [String: [[String: String]]], _ scenario: Scenario, asOf: String
  ) async throws {
    let page = try await scenario.report(kind, asOf: asOf).first { $0.name.hasSuffix(".html") }?.text ?? ""
    let titles = page.matches(of: /title="payrecon rows (\w+) ([^"]+) --as-of ([^"]+)"/).map(\.output)
    #expect(!titles.isEmpty, "\(kind)")
    var known: [Substring: [String: Decimal]] = [:]
    for table in FigureTable.allCases { known[table.rawValue[...]] = figures(of: report[table.rawValue] ?? [], in: table) }
    for title in titles {
      let address = title.2.replacing("&#39;", with: "")
      let isKnown = known[title.1]?.keys.contains { $0 == address || $0.hasPrefix("\(address)/") } == true
      #expect(isKnown && title.3 == asOf, "\(title.0)")
    }
    // A figure has the same sign on the page, in the table and in its rows.
    for cell in page.matches(of: /<td class="n[^"]*" title="payrecon rows (\w+) ([^"]+) --as-of [^"]+">(?:<a [^>]*>)?([^<]+)/) {
      let address = String(cell.output.2.replacing("&#39;", with: ""))
      guard let figure = known[cell.output.1]?[address] else { continue }
      #expect(cell.output.3.hasPrefix("−") == (figure < 0), "\(address) is \(figure) and shown as \(cell.output.3)")
    }
  }

  static func tables(_ kind: ReportKind, _ scenario: Scenario, asOf: String) async throws -> [String: [[String: String]]] {
    let files = try await scenario.report(kind, asOf: asOf).filter { $0.name.hasSuffix(".json") && $0.name != "manifest.json" }
    var report: [String: [[String: String]]] = [:]
    for file in files where !file.name.hasSuffix(".schema.json") {
      let members = try JSONDecoder().decode([String: Member].self, from: Data(file.text.utf8))
      report.merge(members.compactMapValues(\.rows)) { first, _ in first }
    }
    return report
  }

  static func rows(_ table: FigureTable, _ address: String, _ scenario: Scenario, asOf: String) async throws -> [[String: String]] {
    let printed = ByteCollector()
    let figures = try FigureRows(context: scenario.context(asOf: asOf), table: table)
    _ = try await figures.run(address, format: .ndjson, filter: RowFilter()) { printed.append($0) }
    return try Scenario.rows(printed.all)
  }

  /// Returns the figures other than 0, by address.
  private static func figures(of records: [[String: String]], in table: FigureTable) -> [String: Decimal] {
    let layout = table.layout
    var figures: [String: Decimal] = [:]
    for record in records {
      for (column, text) in record {
        guard !layout.keys.contains(column), !layout.texts.contains(column), layout.computed[column] == nil else { continue }
        let value = text.isEmpty ? 0 : Decimal(string: text)
        #expect(value != nil, "\(table) \(column) is no figure: \(text)")
        if let value, value != 0 { figures[address(record, column, table)] = value }
      }
    }
    return figures
  }

  private static func sums(
    of table: FigureTable, below addresses: Set<String>, _ scenario: Scenario, asOf: String
  ) async throws -> [String: Decimal] {
    var sums: [String: Decimal] = [:]
    for begin in addresses {
      for row in try await rows(table, begin, scenario, asOf: asOf) {
        #expect(!row.values.contains { $0.contains(#"{"key""#) }, "a phrase without its text in \(table): \(row)")
        sums[address(row, row["figure"] ?? "", table), default: 0] += Decimal(string: row["value"] ?? "") ?? 0
      }
    }
    return sums.filter { $0.value != 0 }
  }

  private static func address(_ row: [String: String], _ column: String, _ table: FigureTable) -> String {
    (table.layout.keys.map { key in row[key].flatMap { $0.isEmpty ? nil : $0 } ?? "-" } + [column]).joined(separator: "/")
  }

  private struct Member: Decodable {
    /// The rows of a table; nil if the member is no table.
    var rows: [[String: String]]?

    init(from decoder: any Decoder) throws {
      rows = try? decoder.singleValueContainer().decode([[String: JSONCell]].self).map { $0.mapValues(\.text) }
    }
  }
}
