internal import JobCore

/// The quarantine on the page.
extension ReportPage {
  /// Days on the page, newest first; the CSV has all.
  static let quarantineDaysMax = 31

  var quarantineTable: ReportSection {
    get throws {
      let records = contents.quarantine.records
      let figure = { (row: ReportRecord, column: String) in try Cell.number(row.int(column)).rows(command(.quarantine), row, column) }
      let rows = try records.reversed().prefix(Self.quarantineDaysMax).map { row in
        try (
          cells: [
            Cell(text: row.text("day")), Cell(text: row.text("source")), figure(row, "item_count"), figure(row, "byte_count"),
            Cell(text: Self.minute(row.text("first_at"))), Cell(text: Self.minute(row.text("last_at"))), figure(row, "kept_count"),
            .id(row.text("samples").split(separator: " ").first.map { String($0.prefix(12)) } ?? "", small: row.text("reasons")),
          ], style: ""
        )
      }
      let more = records.count > rows.count ? " The last \(rows.count) of \(records.count); quarantine.csv has all." : ""
      return ReportSection(
        title: "Quarantine",
        note: "Input that is not genuine and that no upload of ours ties to anybody: it counts nowhere and concerns nobody."
          + " Export quarantine lists samples.\(more) \(command(.quarantine).note)",
        head: [Cell(text: "Day"), Cell(text: "Source"), Cell(text: "Items", style: "n"), Cell(text: "Bytes", style: "n")]
          + ["First", "Last"].map { Cell(text: $0) } + [Cell(text: "Kept", style: "n"), Cell(text: "A sample, and why")],
        rows: rows, empty: "")
    }
  }
}
