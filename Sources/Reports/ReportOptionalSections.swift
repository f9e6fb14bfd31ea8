internal import JobCore
internal import Wording

/// The sections of the daily summary about inputs that few nights have.
extension ReportPage {
  /// Maximum number of days on the page, newest first. The CSV contains all.
  static let quarantineDaysMax = 31

  /// Returns the section about input that is not genuine; nil if there is none.
  func quarantineTable() throws -> ReportSection? {
    let records = contents.quarantine.records
    guard !records.isEmpty else { return nil }
    let figure = { (row: ReportRecord, column: String) in try Cell.number(row.int(column)).rows(command(.quarantine), row, column) }
    let rows = try records.reversed().prefix(Self.quarantineDaysMax).map { row in
      try Row([
        Cell(text: row.text("day")), Cell(text: words.name("source", row.text("source"))), figure(row, "item_count"),
        figure(row, "byte_count"),
        Cell(text: Self.minute(row.text("first_at"))), Cell(text: Self.minute(row.text("last_at"))), figure(row, "kept_count"),
        .id(
          String(row.text("samples").prefix { $0 != " " }.prefix(12)),
          small: words(contents.quarantine.phrase("reasons", row.text("reasons")))),
      ])
    }
    let more = more("quarantine.more", shown: rows.count, of: records.count)
    return ReportSection(
      title: "quarantine.title", note: words("quarantine.note", ["more": more, "rows": rowsNote(.quarantine)]),
      head: words.heads(["head.day", "head.source"], ["head.items", "head.bytes"])
        + words.heads(["head.first", "head.last"], ["head.kept"])
        + words.heads(["head.sample"]),
      rows: rows, empty: "")
  }

  /// Maximum number of orders on the page. The CSV contains all.
  static let allowedSandboxMax = 100

  /// Returns the section about live deliveries of unpaid purchases by allowed testers and in review windows; nil if there are none.
  func allowedSandboxTable() throws -> ReportSection? {
    let records = contents.allowedSandbox.records
    guard !records.isEmpty else { return nil }
    let rows = try records.prefix(Self.allowedSandboxMax).map { row in
      try Row([
        Cell(text: row.text("bundle_id")), .id(row.text("user_id"), small: words.name("allowed_by", row.text("allowed_by"))),
        .id(row.text("order_id"), small: row.text("product_id")), .id(row["transaction_id"] ?? ""),
        Cell(text: Self.minute(row.text("delivered_at"))),
        Cell(text: money(row, "price", "currency"), style: "n"),
      ])
    }
    let more = more("allowed.more", shown: rows.count, of: records.count)
    return ReportSection(
      title: "allowed.title", note: words("allowed.note", ["more": more]),
      head: words.heads(["head.app", "head.tester", "head.order_and_product", "head.transaction", "head.delivered"], ["head.amount"]),
      rows: rows, empty: "")
  }
}
