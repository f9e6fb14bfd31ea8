internal import Domain
public import JobCore
internal import Logging
internal import Matching
internal import Postgres

/// The rows that add up to a figure of a report.
public struct FigureRows: Sendable {
  /// Maximum number of addresses listed per table.
  private static let addressesMax = 10_000

  private let context: JobContext
  private let table: FigureTable

  public init(context: JobContext, table: FigureTable) {
    self.context = context
    self.table = table
  }

  /// Streams the rows of a figure. The last column, `value`, is the row's part of the figure.
  ///
  /// - Parameters:
  ///   - address: the address of the figure, or its first parts for all figures below.
  ///   - sink: receives the bytes in parts.
  /// - Returns: whether there are rows; a figure of 0 may have none.
  /// - Throws: a usage `JobError` if the table has no such figure at the clock.
  public func run(
    _ address: String, format: ExportFormat, filter: RowFilter, sink: @escaping @Sendable ([UInt8]) throws -> Void
  ) async throws -> Bool {
    let wanted = try wanted(address)
    guard let statements = table.statements else {
      let rows = try await derivedRows(wanted, address)
      try sink(filter.bytes(of: rows, as: format))
      return !rows.rows.isEmpty
    }
    return try await look(of: wanted.parts.first ?? "") { tx, clock in
      let (file, parameters) = try statement(statements.rows, of: wanted, at: clock)
      // The last part is held back, so that nothing is written for an unknown figure.
      var held: [UInt8] = []
      let count = try filter.stream(file, parameters, as: format, tx: &tx) { bytes in
        if !held.isEmpty { try sink(held) }
        held = bytes
      }
      if count == 0 { try checkKnown(wanted, address, in: report(statements.table, at: clock, &tx), at: clock) }
      try sink(held)
      return count > 0
    }
  }

  /// Some of the rows of a figure, and the count and sum of all.
  package struct Part: Sendable {
    package var table = ReportTable()
    package var count = 0
    /// nil if a value has more decimals than the sum supports.
    package var sum: ExactSum? = ExactSum()
  }

  /// Returns the rows of a figure from an offset on, with the count and sum of all.
  ///
  /// - Throws: `JobError` of usage if the table has no such figure at the clock.
  package func part(_ address: String, skipping skipped: Int, rows: Int) async throws -> Part {
    let wanted = try wanted(address)
    guard let statements = table.statements else {
      var part = Part(table: try await derivedRows(wanted, address))
      part.count = part.table.rows.count
      for row in part.table.rows { part.sum?.add(row.last.flatMap(\.self) ?? "") }
      part.table.rows = Array(part.table.rows.dropFirst(skipped).prefix(rows))
      return part
    }
    return try await look(of: wanted.parts.first ?? "") { tx, clock in
      let (file, parameters) = try statement(statements.rows, of: wanted, at: clock)
      var part = Part()
      _ = try tx.stream(
        file, parameters, columns: { part.table.columns = $0 },
        row: { row in
          part.count += 1
          part.sum?.add(row.texts.last.flatMap(\.self) ?? "")
          if part.sum?.isExact == false { part.sum = nil }
          guard part.count > skipped, part.table.rows.count < rows else { return }
          part.table.isNumeric = row.numericColumns
          try part.table.add(row)
        })
      if part.count == 0 { try checkKnown(wanted, address, in: report(statements.table, at: clock, &tx), at: clock) }
      return part
    }
  }

  private func derivedRows(_ wanted: FigureAddress, _ address: String) async throws -> ReportTable {
    try await look { tx, clock in
      let period = wanted.parts.first.flatMap { $0.isEmpty ? nil : $0 }
      let figures = try DerivedTable.read(table, period: period, at: clock, context: context, tx: &tx)
      let rows = try figures.rows(of: wanted, context: context, tx: &tx)
      if rows.rows.isEmpty { try checkKnown(wanted, address, in: figures.report(), at: clock) }
      return rows
    }
  }

  /// - Throws: `JobError` of usage if the address is no figure of the table.
  private func wanted(_ address: String) throws(JobError) -> FigureAddress {
    guard let wanted = FigureAddress(address, in: table) else {
      throw unknown(address, hint: "A figure of it is \(table.form), such as \(table.example).")
    }
    try checkColumn(wanted)
    return wanted
  }

  private func statement(_ rows: Listing, of wanted: FigureAddress, at clock: Timestamp) throws -> (SQLFile, [String: Value]) {
    let file = try context.sql(rows)
    var parameters = file.picking(from: ["as_of": clock.sqlValue])
    for (index, name) in (table.layout.keys + ["figure"]).enumerated() {
      parameters[name] = .text(index < wanted.parts.count ? wanted.parts[index] : "")
    }
    return (file, parameters)
  }

  /// Returns the addresses and values of figures other than 0, at most `addressesMax`, and the number of all.
  package func list() async throws -> (table: ReportTable, count: Int) {
    try await look { tx, clock in
      let report =
        if let statements = table.statements {
          try self.report(statements.table, at: clock, &tx)
        } else {
          try DerivedTable.read(table, period: nil, at: clock, context: context, tx: &tx).report()
        }
      let figures = try Self.figures(of: report, in: table).filter { !Self.isZero($0.value) }
      let listed = ReportTable(
        columns: ["figure", "value"], isNumeric: [false, false], rows: figures.prefix(Self.addressesMax).map { [$0.address, $0.value] })
      return (listed, figures.count)
    }
  }

  // MARK: Reading the report's table

  /// Reads one snapshot as known at the clock, after setting the parameters of the report.
  ///
  /// - Parameter period: the fiscal period, for a table with rows of one period.
  private func look<Result: Sendable>(
    of period: String? = nil, _ body: @escaping @Sendable (inout DatabaseTransaction, Timestamp) throws -> Result
  ) async throws -> Result {
    try await context.readingSnapshot { tx, clock in
      try tx.setViewed(asOf: clock, of: context)
      if table.layout.readsWholeTables {
        tx.joinWholeTables()
        try tx.readSums(of: context)
      }
      if let period, table.layout.isOfOnePeriod { try Self.lookBack(to: period, at: clock, files: context.sql, &tx) }
      return try body(&tx, clock)
    }
  }

  /// Reads the facts known at the clock of a period's tie-out, because the tie-out counted these.
  ///
  /// - Throws: `JobError` of usage if there is no tie-out of the period up to the clock.
  private static func lookBack(to period: String, at clock: Timestamp, files: SQLFiles, _ tx: inout DatabaseTransaction) throws {
    let asOf: [String: Value] = ["as_of": clock.sqlValue]
    let known = try tx.rows(files(RowsSQL.tieoutClocks), asOf).map { (period: $0, clock: Timestamp(microseconds: $1)) }
    guard let tiedOut = known.first(where: { $0.period == period })?.clock else {
      let periods = known.map(\.period).joined(separator: ", ")
      throw JobError(
        "refusal.tieout", ["period": period],
        hint: known.isEmpty ? "Tie a period out first: payrecon tieout." : "There are those of \(periods).", status: .usage)
    }
    try tx.lookBack(to: tiedOut, files: files)
    try tx.setViewedPeriod(["period": .text(period), "as_of": tiedOut.sqlValue], files: files)
  }

  private func report(_ statement: Listing, at clock: Timestamp, _ tx: inout DatabaseTransaction) throws -> ReportTable {
    let asOf = try context.sql(statement).picking(from: ["as_of": clock.sqlValue])
    return try .read(statement, asOf, files: context.sql, tx: &tx)
  }

  static func figures(of report: ReportTable, in table: FigureTable) throws -> [(address: String, value: String)] {
    let columns = report.columns.filter { table.isFigure($0) }
    return try report.records.flatMap { row in
      try columns.map { try (FigureAddress.text(row, $0, in: table), row.text($0)) }
    }
  }

  static func isZero(_ value: String) -> Bool { !value.utf8.contains { (49...57).contains($0) } }

  // MARK: Addresses that are no figure

  private func checkColumn(_ wanted: FigureAddress) throws(JobError) {
    guard wanted.parts.count > table.layout.keys.count, let column = wanted.parts.last else { return }
    if let what = table.layout.computed[column] {
      throw JobError("refusal.no_sum", ["column": column], hint: "It is \(what).", status: .usage)
    }
    if table.layout.texts.contains(column) || table.layout.keys.contains(column) {
      throw JobError("refusal.no_figure", ["column": column], hint: "Figures: payrecon rows \(table.rawValue).", status: .usage)
    }
  }

  /// - Throws: `JobError` with the nearest existing address, unless the figure exists and is 0.
  private func checkKnown(_ wanted: FigureAddress, _ address: String, in report: ReportTable, at clock: Timestamp) throws {
    let known = try Self.figures(of: report, in: table).map(\.address)
    guard !known.contains(where: { FigureAddress($0, in: table)?.parts.starts(with: wanted.parts) == true }) else { return }
    let near = known.map { (address: $0, shared: Self.shared(wanted.parts, FigureAddress($0, in: table)?.parts ?? [])) }
      .min { ($1.shared.parts, $1.shared.letters, $0.address) < ($0.shared.parts, $0.shared.letters, $1.address) }
    let hint = near.map { "Did you mean \($0.address)? All there are: payrecon rows \(table.rawValue)." }
    throw unknown(address, hint: hint ?? "The table is empty at \(clock.rfc3339).")
  }

  /// Returns the number of equal parts of two addresses, and of equal first letters in their first unequal part.
  private static func shared(_ one: [String], _ other: [String]) -> (parts: Int, letters: Int) {
    let pairs = zip(one, other)
    let same = pairs.count { $0 == $1 }
    let letters = pairs.first { $0 != $1 }.map { pair in zip(pair.0.utf8, pair.1.utf8).prefix { $0 == $1 }.count }
    return (same, letters ?? 0)
  }

  private func unknown(_ address: String, hint: String) -> JobError {
    JobError("refusal.figure", ["figure": address, "table": table.rawValue], hint: hint, status: .usage)
  }
}

extension DatabaseTransaction {
  /// Makes the planner hash whole tables, which are joined and grouped into a few slices. By its estimates it would sort millions of rows
  /// repeatedly.
  mutating func joinWholeTables() {
    send("set local enable_nestloop = off; set local enable_mergejoin = off; set local enable_sort = off")
  }

  /// Allows look-ups of few rows in large tables again.
  mutating func joinParts() {
    send("set local enable_nestloop = default; set local enable_mergejoin = default; set local enable_sort = default")
  }

  /// Sets the parameters of a report in the transaction, which its statements and those of its rows read.
  mutating func setViewed(asOf: Timestamp, of context: JobContext) throws {
    let apps = context.settings.apps.sorted { $0.bundleID < $1.bundleID }
    try send(
      context.sql(RowsSQL.setViewed),
      [
        "as_of": asOf.sqlValue, "bundles": .textArray(apps.map(\.bundleID)),
        "zones": .textArray(apps.map(\.timeZone)), "starts": .textArray(apps.map { $0.reconcileFrom?.rfc3339 ?? "" }),
      ])
    try propagateSettings(files: context.sql)
  }

  /// Makes the transaction read stored sums if the same program and SQL computed them.
  mutating func readSums(of context: JobContext) throws {
    try send(context.sql(SumsSQL.setCode), ["code": .text(DecisionState.code(of: context, folders: ["sums"]))])
  }

  /// Sets the fiscal period and the clock of its tie-out in the transaction.
  mutating func setViewedPeriod(_ period: [String: Value], files: SQLFiles) throws {
    try send(files(RowsSQL.setViewedPeriod), period)
    try propagateSettings(files: files)
  }
}
