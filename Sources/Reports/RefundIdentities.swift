internal import JobCore
internal import Wording

/// The identities of the refund report. A separate query computes each side.
extension ReportIdentity {
  /// Columns that identify a period and currency in the reports on refunds and deferred revenue.
  static let periodKeys = ["scope", "period", "currency"]

  /// Returns the identities of the refund report.
  ///
  /// - Parameters:
  ///   - months: refunds by period, sorted by period.
  ///   - movement: refunds in force before and after each period, sorted by period.
  static func refunds(months: ReportTable, movement: ReportTable) throws -> [ReportIdentity] {
    let slice = { (row: ReportRecord) in try row.text("scope") + " " + row.text("currency") }
    let moved = try Dictionary(grouping: movement.records, by: slice)
    let bySlice = try Dictionary(grouping: months.records, by: slice)
    return try months.records.flatMap { [try bridge($0), try booked($0)] }
      + bySlice.sorted { $0.key < $1.key }.flatMap { key, rows in try totals(rows, movement: moved[key] ?? []) }
  }

  /// Returns the identities of refund requests: each request asked in a period has one state of its answer, and requests without a
  /// decision are those that were asked less those that Apple decided.
  ///
  /// - Parameter requests: requests by period, sorted by period.
  static func requests(_ requests: ReportTable) throws -> [ReportIdentity] {
    let answers = try requests.records.map { row in
      try ReportIdentity(
        name: "answers", slice: row, left: row.int("asked_count"),
        right: row.sum(["answered_count", "no_consent_count", "expired_count", "decided_first_count", "in_time_count"]),
        formula: "formula.answers")
    }
    let byCurrency = try Dictionary(grouping: requests.records) { try $0.text("currency") }
    let open = try byCurrency.sorted { $0.key < $1.key }.map { currency, rows in
      try ReportIdentity(
        name: "requests", slice: ReportRecord(columns: periodKeys, cells: ["calendar", nil, currency]),
        left: rows.sum("undecided_count"), right: rows.last?.int("closing_count") ?? 0,
        formula: "formula.requests")
    }
    return answers + open
  }

  /// Returns the identity of a period's refunds by purchase date and by refund date.
  private static func bridge(_ month: ReportRecord) throws -> ReportIdentity {
    try ReportIdentity(
      name: "bridge", slice: month, left: month.int("by_purchase_milliunits"),
      right: month.int("by_refund_milliunits") - month.int("other_purchases_milliunits") + month.int("other_refunds_milliunits"),
      formula: "formula.by_purchase")
  }

  private static func booked(_ month: ReportRecord) throws -> ReportIdentity {
    try ReportIdentity(
      name: "booked", slice: month, left: month.int("by_refund_count"),
      right: month.sum(["applied_count", "not_applied_count", "no_order_count"]),
      formula: "formula.refunds")
  }

  /// Returns the identities over all periods. Both dates give the same refunds. Refunds in force equal refunds less amounts charged
  /// again.
  private static func totals(_ months: [ReportRecord], movement: [ReportRecord]) throws -> [ReportIdentity] {
    guard let first = months.first else { return [] }
    let whole = try ReportRecord(columns: periodKeys, cells: [first["scope"], nil, first["currency"]])
    let given = try months.sum("by_refund_milliunits")
    return try [
      ReportIdentity(
        name: "both dates", slice: whole, left: given, right: months.sum("by_purchase_milliunits"),
        formula: "formula.dates"),
      ReportIdentity(
        name: "standing", slice: whole, left: given, right: movement.last?.int("closing_milliunits") ?? 0,
        formula: "formula.standing"),
      ReportIdentity(
        name: "counted", slice: whole, left: months.sum("by_refund_count"),
        right: movement.sum("given_count") - movement.sum("reversed_count"),
        formula: "formula.counted"),
    ]
  }
}
