internal import JobCore

/// The sums that must hold in the refund report; each side is a query of its own.
extension ReportIdentity {
  /// Columns that tell a period and currency of the reports on refunds and on deferred revenue.
  static let moneyPlaces = ["scope", "period", "currency"]

  /// - Parameters:
  ///   - months: what was given back by period, in order of the periods.
  ///   - movement: what stood before and after each period, in order of the periods.
  static func refunds(months: ReportTable, movement: ReportTable) throws -> [ReportIdentity] {
    let slice = { (row: ReportRecord) in try row.text("scope") + " " + row.text("currency") }
    let moved = try Dictionary(grouping: movement.records, by: slice)
    let bySlice = try Dictionary(grouping: months.records, by: slice)
    return try months.records.flatMap { [try bridge($0), try booked($0)] }
      + bySlice.sorted { $0.key < $1.key }.flatMap { key, rows in try totals(rows, movement: moved[key] ?? []) }
  }

  /// The two dates of the refunds of a period.
  private static func bridge(_ month: ReportRecord) throws -> ReportIdentity {
    try ReportIdentity(
      name: "bridge", slice: month, left: month.int("by_purchase_milliunits"),
      right: month.int("by_refund_milliunits") - month.int("other_purchases_milliunits") + month.int("other_refunds_milliunits"),
      formula: "by purchase = by refund - of other purchases + in other periods")
  }

  private static func booked(_ month: ReportRecord) throws -> ReportIdentity {
    try ReportIdentity(
      name: "booked", slice: month, left: month.int("by_refund_count"),
      right: month.int("applied_count") + month.int("not_applied_count") + month.int("no_order_count"),
      formula: "refunds = applied + not applied + without order")
  }

  /// Over all periods: both dates tell the same refunds, and what stands is what was given back less what was charged again.
  private static func totals(_ months: [ReportRecord], movement: [ReportRecord]) throws -> [ReportIdentity] {
    guard let first = months.first else { return [] }
    let whole = ReportRecord(
      index: Dictionary(uniqueKeysWithValues: zip(moneyPlaces, 0...)),
      cells: [try first["scope"], nil, try first["currency"]])
    let sum = { (rows: [ReportRecord], column: String) in try rows.reduce(Int128(0)) { try $0 + $1.int(column) } }
    let given = try sum(months, "by_refund_milliunits")
    return try [
      ReportIdentity(
        name: "both dates", slice: whole, left: given, right: sum(months, "by_purchase_milliunits"),
        formula: "sum by refund = sum by purchase"),
      ReportIdentity(
        name: "standing", slice: whole, left: given, right: movement.last?.int("closing_milliunits") ?? 0,
        formula: "sum by refund = given back - charged again"),
      ReportIdentity(
        name: "counted", slice: whole, left: sum(months, "by_refund_count"),
        right: sum(movement, "given_count") - sum(movement, "reversed_count"),
        formula: "refunds in force = refunds given - charged again"),
    ]
  }
}
