internal import JobCore
internal import Wording

/// The section about live deliveries of unpaid purchases by allowed testers and in review windows.
extension ReportPage {
  /// Maximum number of orders on the page. The CSV contains all.
  static let allowedSandboxMax = 100

  func allowedSandboxTable() throws -> ReportSection {
    let records = contents.allowedSandbox.records
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
