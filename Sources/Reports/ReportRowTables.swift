internal import Domain
internal import JobCore

/// The folded tables of the rows behind the figures.
extension ReportPage {
  /// What stands above the folded tables.
  var behind: [String: Any] {
    let links =
      console == nil
      ? "A figure that is a link opens its table here." : "Ids and sums that are links lead to the review console."
    return [
      "title": "Rows behind the figures", "anchor": ReportSection.anchor(of: "Rows behind the figures"),
      "note": "\(links) Each has at most \(ReportJob.pageRowsMax) rows and names the command "
        + "for the others. On paper stand those that are open.",
    ]
  }

  private static let dayTitle = "Charges and orders of the day"
  private static let pendingTitle = "Inside their grace time"
  private static let identityTitle = "Every identity"

  /// All of them, in the order of the figures.
  var rowTables: [ReportSection] {
    get throws {
      var tables: [ReportSection?] = []
      if header.kind.hasDaily { tables += try [dayRowTable, pendingTable, identityRows] }
      if header.kind.hasBreaks { tables += try [oldTable] + contents.classes.keys.sorted().map(classTable) }
      return tables.compactMap(\.self)
    }
  }

  /// Where the rows of a count of the daily summary stand; nil where the page has none.
  func rowsBehind(_ name: String, scope: String) -> String? {
    if scope == "day" { return contents.dayRows.rows.isEmpty ? nil : ReportSection.rowsAnchor(of: Self.dayTitle) }
    switch name {
    case "ambiguous": return classAnchor("AMBIGUOUS_MATCH")
    case "pending": return contents.pending.rows.isEmpty ? nil : ReportSection.rowsAnchor(of: Self.pendingTitle)
    case "broken": return header.kind.hasBreaks ? ReportSection.anchor(of: "Break list") : nil
    default: return nil
    }
  }

  /// Where the breaks of a class stand; nil where the page lists none of it.
  func classAnchor(_ name: String) -> String? { contents.classes[name].map { _ in ReportSection.rowsAnchor(of: name) } }

  /// Where all checks stand; nil where there are none.
  var identityAnchor: String? { contents.identities.isEmpty ? nil : ReportSection.rowsAnchor(of: Self.identityTitle) }

  /// What a class means and what to do about it, in one sentence; empty for a class without listed breaks.
  func explanation(of name: String) throws -> String {
    guard let cells = contents.classes[name]?.rows.first else { return "" }
    let runbook = try ReportTable(columns: contents.breaks.columns, rows: [cells]).records[0].text("runbook")
    return runbook.prefix(1).uppercased() + runbook.dropFirst() + "."
  }

  private func classTable(_ name: String) throws -> ReportSection? {
    try breakRows(
      name, contents.classes[name] ?? KeptRows(), note: explanation(of: name), command: "breaks list --class \(name)")
  }

  var oldTable: ReportSection? {
    get throws {
      try breakRows(
        "Undecided for more than 30 days", contents.oldBreaks, note: "Most severe first, then oldest.", command: "breaks list")
    }
  }

  private func breakRows(_ title: String, _ kept: KeptRows, note: String, command: String) throws -> ReportSection? {
    let records = ReportTable(columns: contents.breaks.columns, rows: kept.rows).records
    return try folded(
      title, note: note, head: Self.breakHead, rows: records.map(breakRow), count: Int128(kept.count), command: command)
  }

  /// - Returns: nil when there are no rows.
  private func folded(
    _ title: String, note: String, head: [Cell], rows: [(cells: [Cell], style: String)], count: Int128, command: String
  ) -> ReportSection? {
    guard !rows.isEmpty else { return nil }
    let rest = count - Int128(rows.count)
    let more = " \(Self.grouped(rest)) more: payrecon \(command) --as-of \(header.asOf.rfc3339)"
    return ReportSection(
      title: title, note: note + (rest > 0 ? more : ""), head: head, rows: rows, empty: "",
      folded: "\(Self.grouped(count)) row\(count == 1 ? "" : "s")")
  }

  /// An order and whose it is.
  func order(_ row: ReportRecord) throws -> Cell {
    try .id(row["order_id"] ?? "no order", small: row.text("user_id"))
      .opening(console?.search(row["order_id"]), small: console?.search(row["user_id"]))
  }

  var dayRowTable: ReportSection? {
    get throws {
      let records = contents.dayRows.records
      let money = { (row: ReportRecord, name: String, currency: String) in
        try row["\(name)_milliunits"].map { _ in try Self.money(row.int("\(name)_milliunits"), row.text(currency)) } ?? "–"
      }
      let rows = try records.map { row in
        try (
          cells: [
            Cell(text: row.text("part")), .id(Self.minute(row.text("at")), small: row.text("bundle_id")),
            .id(row["transaction_id"] ?? "no charge", small: row.text("product_id")).opening(console?.search(row["transaction_id"])),
            Cell(text: money(row, "charged", "currency"), style: "n"),
            order(row), Cell(text: row.text("status")),
            Cell(text: money(row, "booked", "booked_currency"), style: "n"),
          ], style: ""
        )
      }
      return try folded(
        Self.dayTitle,
        note: "Production; orders without charge and what is broken first, each from the latest on.",
        head: [
          Cell(text: "What became of it"), Cell(text: "When and app"), Cell(text: "Transaction and product"),
          Cell(text: "Apple charged", style: "n"), Cell(text: "Order and user"), Cell(text: "Status"),
          Cell(text: "We booked", style: "n"),
        ], rows: rows, count: records.first?.int("total_count") ?? 0, command: "export charges")
    }
  }

  var pendingTable: ReportSection? {
    get throws {
      let rows = try contents.pending.records.map { row in
        try (
          cells: [
            .id(row.text("class"), small: String(row.text("break_id").prefix(12))),
            Cell(text: Self.minute(row.text("breaks_at")), style: "fix"),
            .id(row.text("bundle_id")),
            Cell(
              text: row["amount_milliunits"].map { _ in
                try Self.money(row.int("amount_milliunits"), row.text("currency"))
              } ?? "–", style: "n"), order(row),
            .id(row["transaction_id"] ?? "no transaction").opening(console?.search(row["transaction_id"])),
            Cell(text: row.text("detail")),
          ], style: ""
        )
      }
      return folded(
        Self.pendingTitle, note: "Each becomes a break at its instant unless it resolves before.",
        head: [
          Cell(text: "Class and id"), Cell(text: "Breaks at"), Cell(text: "App"), Cell(text: "Amount", style: "n"),
          Cell(text: "Order and user"), Cell(text: "Transaction"), Cell(text: "What"),
        ], rows: rows, count: Int128(contents.pendingCount), command: "breaks pending")
    }
  }

  var identityRows: ReportSection? {
    get throws {
      let rows = try contents.identities.prefix(ReportJob.pageRowsMax).map { check in
        let place = try ["scope", "bundle_id", "environment", "currency"].compactMap { try check.slice[$0] }
        return (
          cells: [
            Cell(text: check.name), Cell(text: place.joined(separator: " · ")), Cell(text: check.formula),
            check.holds ? Cell(text: "✓ holds", style: "good") : Cell(text: "✗ fails", style: "alarm"),
          ], style: ""
        )
      }
      return folded(
        Self.identityTitle, note: "One line per sum and slice, with its numbers.",
        head: ["Identity", "Slice", "Sum", "Result"].map { Cell(text: $0) }, rows: rows, count: Int128(contents.identities.count),
        command: "report daily --format csv")
    }
  }
}
