internal import Domain
package import JobCore
package import Postgres
internal import Wording

/// Charges and orders that no match can concern, and why.
package enum NotReconciled {
  /// Reads one sentence per app and reason, as a night's summary prints them; empty if everything is reconciled.
  package static func sentences(_ context: JobContext, on session: Session) async throws -> [String] {
    try await session.transaction(.readOnlySnapshot) { tx in
      tx.joinWholeTables()
      try tx.setViewed(asOf: context.asOf, of: context)
      try tx.readSums(of: context)
      return try sentences(.read(ReportsSQL.notReconciled, files: context.sql, tx: &tx))
    }
  }

  /// Returns the sentences of a table of `reports/not_reconciled.sql`.
  package static func sentences(_ table: ReportTable) throws -> [String] {
    var groups: [(key: String, rows: [ReportRecord])] = []
    for row in table.records {
      let key = try "\(row.text("bundle_id")) \(row.text("reason"))"
      if groups.last?.key == key { groups[groups.count - 1].rows.append(row) } else { groups.append((key, [row])) }
    }
    return try groups.map { _, rows in try sentence(rows) }
  }

  private static func sentence(_ rows: [ReportRecord]) throws -> String {
    let count = try rows.sum("item_count")
    let amounts = try rows.compactMap { row in
      try row["currency"].map { "\(Money.text(milliunits: try row.int("amount_milliunits"), currency: $0)) \($0)" }
    }
    let limit = try rows[0]["limit_day"]
    let (plural, verb, they) = count == 1 ? ("", "is", "it is") : ("s", "are", "they are")
    let reason = try rows[0].text("reason")
    let (what, why): (String, String) =
      switch reason {
      case "charges_before_start": ("charge", "\(they) before \(limit ?? ""), the app's reconcile_from")
      case "orders_before_start": ("order", "\(they) before \(limit ?? ""), the app's reconcile_from")
      case "charges_before_first_order":
        ("charge", limit.map { "\(they) before \($0), the day of the app's first order" } ?? "the app has no order")
      default: ("order", limit.map { "\(they) after \($0), the day of Apple's newest evidence" } ?? "the app has no charge")
      }
    let sum = amounts.isEmpty ? "" : " (\(amounts.joined(separator: ", ")))"
    let items = try "\(rows[0].text("bundle_id")): \(count) \(what)\(plural)\(sum)"
    if reason.hasSuffix("before_start") { return "\(items) \(verb) not reconciled, because \(why)" }
    let hint = reason == "charges_before_first_order" ? limit.map { ", unless reconcile_from is \($0) or later" } ?? "" : ""
    return "\(items) cannot be matched, because \(why); without the other side a break follows after the grace time\(hint)"
  }
}

extension ReportPage {
  /// Returns the section about charges and orders that no match can concern; nil if there are none.
  func notReconciledTable() throws -> ReportSection? {
    guard !contents.notReconciled.rows.isEmpty else { return nil }
    let rows = try contents.notReconciled.records.map { row in
      let currency = try row["currency"] ?? ""
      return try Row([
        Cell(text: row.text("bundle_id")), Cell(text: words.name("not_reconciled", row.text("reason"))),
        Cell(text: row["limit_day"] ?? "–"), .number(row.int("item_count")),
        Cell(text: currency.isEmpty ? "–" : Self.money(row.int("amount_milliunits"), currency), style: "n"),
        Cell(text: row.text("first_day")), Cell(text: row.text("last_day")),
      ])
    }
    return ReportSection(
      title: "not_reconciled.title", note: words("not_reconciled.note"),
      head: words.heads(["head.app", "head.why", "head.limit"], ["head.items", "head.amount"]) + words.heads(["head.first", "head.last"]),
      rows: rows, empty: "")
  }
}
