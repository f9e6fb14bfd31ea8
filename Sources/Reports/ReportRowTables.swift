internal import Domain
internal import JobCore
internal import Wording

/// The folded tables of the rows behind the figures.
extension ReportPage {
  /// The heading of the folded tables.
  var behind: [String: Any] {
    [
      "title": words("behind.title"), "anchor": ReportSection.anchor(of: "behind.title"),
      "note": words(console == nil ? "behind.note" : "behind.note_console", ["max": "\(ReportJob.pageRowsMax)"]),
    ]
  }

  private static let dayTitle: Phrase = "rows.day"
  private static let pendingTitle: Phrase = "rows.pending"
  private static let identityTitle: Phrase = "rows.identities"

  /// Returns all folded tables, in the order of the figures.
  func rowTables() throws -> [ReportSection] {
    var tables: [ReportSection?] = []
    if header.kind.hasDaily { tables += try [dayRowTable(), pendingTable(), identityRows()] }
    if header.kind.hasBreaks { tables += try [oldTable()] + contents.classes.keys.sorted().map(classTable) }
    return tables.compactMap(\.self)
  }

  /// Returns the anchor of the rows behind a count of the daily summary; nil if the page has none.
  func rowsBehind(_ name: String, scope: String) -> String? {
    if scope == "day" { return contents.dayRows.rows.isEmpty ? nil : ReportSection.rowsAnchor(of: Self.dayTitle) }
    switch name {
    case "ambiguous": return classAnchor("AMBIGUOUS_MATCH")
    case "pending": return contents.pending.rows.isEmpty ? nil : ReportSection.rowsAnchor(of: Self.pendingTitle)
    case "broken": return header.kind.hasBreaks ? ReportSection.anchor(of: "list.title") : nil
    default: return nil
    }
  }

  /// Returns the anchor of the breaks of a class; nil if the page lists none.
  func classAnchor(_ name: String) -> String? { contents.classes[name].map { _ in ReportSection.rowsAnchor(of: .plain(name)) } }

  /// Anchor of all identities; nil if there are none.
  var identityAnchor: String? { contents.identities.isEmpty ? nil : ReportSection.rowsAnchor(of: Self.identityTitle) }

  /// Returns the meaning of a class and the action to take, in one sentence; empty for a class without listed breaks.
  func explanation(of name: String) throws -> String {
    guard let runbook = try contents.classes[name]?.rows.first?.text("runbook") else { return "" }
    return words(Phrase.name("runbook", name, otherwise: runbook).asSentence)
  }

  private func classTable(_ name: String) throws -> ReportSection? {
    try breakRows(
      .plain(name), contents.classes[name] ?? KeptRows(), note: explanation(of: name), command: "breaks list --class \(name)")
  }

  func oldTable() throws -> ReportSection? {
    try breakRows("rows.old", contents.oldBreaks, note: words("rows.old_note"), command: "breaks list")
  }

  private func breakRows(_ title: Phrase, _ kept: KeptRows, note: String, command: String) throws -> ReportSection? {
    try folded(title, note: note, head: breakHead, rows: kept.rows.map(breakRow), count: Int128(kept.count), command: command)
  }

  /// - Returns: nil if there are no rows.
  private func folded(_ title: Phrase, note: String, head: [Cell], rows: [Row], count: Int128, command: String) -> ReportSection? {
    guard !rows.isEmpty else { return nil }
    let rest = count - Int128(rows.count)
    let more = " " + words("rows.more", ["count": Self.grouped(rest), "command": "payrecon \(command) --as-of \(header.asOf.rfc3339)"])
    return ReportSection(
      title: title, note: note + (rest > 0 ? more : ""), head: head, rows: rows, empty: "",
      folded: words("rows.count", ["count": Self.grouped(count)], counting: Int(clamping: count)), isPrinted: false)
  }

  func order(_ row: ReportRecord) throws -> Cell {
    try .id(row["order_id"] ?? words("cell.no_order"), small: row.text("user_id"))
      .linkedToConsole(console?.search(row["order_id"]), small: console?.search(row["user_id"]))
  }

  /// Formats the amount of a row in the currency of another column; `–` without an amount.
  func money(_ row: ReportRecord, _ name: String, _ currency: String) throws -> String {
    try row["\(name)_milliunits"].map { _ in try Self.money(row.int("\(name)_milliunits"), row.text(currency)) } ?? "–"
  }

  func dayRowTable() throws -> ReportSection? {
    let records = contents.dayRows.records
    let rows = try records.map { row in
      try Row([
        Cell(text: words.name("part", row.text("part"))), .id(Self.minute(row.text("at")), small: row.text("bundle_id")),
        .id(row["transaction_id"] ?? words("cell.no_charge"), small: row.text("product_id"))
          .linkedToConsole(console?.search(row["transaction_id"])),
        Cell(text: money(row, "charged", "currency"), style: "n"),
        order(row), Cell(text: words.name("order_status", row.text("status"))),
        Cell(text: money(row, "booked", "booked_currency"), style: "n"),
      ])
    }
    return try folded(
      Self.dayTitle,
      note: words("rows.day_note"),
      head: words.heads(["head.became", "head.when", "head.product"], ["head.charged"])
        + words.heads(["head.order", "head.status"], ["head.booked"]),
      rows: rows, count: records.first?.int("total_count") ?? 0, command: "export charges")
  }

  func pendingTable() throws -> ReportSection? {
    let rows = try contents.pending.rows.map { row in
      try Row([
        .id(row.text("class"), small: String(row.text("break_id").prefix(12))),
        Cell(text: Self.minute(row.text("breaks_at")), style: "fix"),
        .id(row.text("bundle_id")),
        Cell(text: money(row, "amount", "currency"), style: "n"), order(row),
        .id(row["transaction_id"] ?? words("cell.no_transaction")).linkedToConsole(console?.search(row["transaction_id"])),
        Cell(text: words(Phrase(json: row.text("detail")))),
      ])
    }
    return folded(
      Self.pendingTitle, note: words("rows.pending_note"),
      head: words.heads(["head.class_and_id", "head.breaks_at", "head.app"], ["head.amount"])
        + words.heads(["head.order", "head.transaction", "head.what"]),
      rows: rows, count: Int128(contents.pending.count), command: "breaks pending")
  }

  func identityRows() throws -> ReportSection? {
    let rows = try contents.identities.prefix(ReportJob.pageRowsMax).map { check in
      let slice = try FigureTable.daily.layout.keys.compactMap { try check.slice[$0] }
      return Row([
        Cell(text: words.name("identity", check.name)), Cell(text: slice.joined(separator: " · ")),
        Cell(text: words(check.formula)),
        check.holds ? Cell(text: words("identities.holds"), style: "good") : Cell(text: words("identities.fails"), style: "alarm"),
      ])
    }
    return folded(
      Self.identityTitle, note: words("rows.identities_note"),
      head: words.heads(["head.identity", "head.slice", "head.sum", "head.result"]), rows: rows, count: Int128(contents.identities.count),
      command: "report daily --format csv")
  }
}
