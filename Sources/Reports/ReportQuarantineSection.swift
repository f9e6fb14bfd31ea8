internal import JobCore
internal import Wording

extension ReportPage {
  /// Maximum number of days on the page, newest first. The CSV contains all.
  static let quarantineDaysMax = 31

  func quarantineTable() throws -> ReportSection {
    let records = contents.quarantine.records
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
}
