internal import Domain
internal import JobCore
internal import Postgres

/// The tables of revenue and journal, of all charges or of one.
struct DerivedTable {
  private let table: FigureTable
  private let policies: BookPolicies
  private var ledger: RevenueLedger
  private var revenue: RevenueTable
  /// nil for the tables of revenue.
  private(set) var journal: Journal?
  /// The only calendar to compute; nil for both.
  private var scope: String?

  static func read(
    _ table: FigureTable, period: String?, at clock: Timestamp, context: JobContext, tx: inout DatabaseTransaction
  ) throws -> DerivedTable {
    let calendars = try DeferredCharge.calendars(files: context.sql, tx: &tx)
    let policies = try BookPolicies.read(context: context, tx: &tx)
    var derived = DerivedTable(
      table: table, policies: policies, ledger: RevenueLedger(calendars: calendars), revenue: RevenueTable(calendars: calendars))
    if table.isOfJournal {
      let name = try period ?? JournalReport.period(at: clock, files: context.sql, tx: &tx)
      derived.journal = Journal(try Journal.plan(name, calendars, context.settings.journal, policies))
    }
    try DeferredCharge.sum(in: calendars, by: derived.policies, files: context.sql, tx: &tx) { derived.add($0, count: $1) }
    return derived
  }

  private mutating func add(_ charge: DeferredCharge, count: Int = 1) {
    if let plan = journal?.plan {
      journal?.add(charge, charge.versions(in: plan.number, by: policies), count: count)
      return
    }
    for calendar in ledger.calendars.indices where scope == nil || scope == ledger.calendars[calendar].scope {
      let versions = charge.versions(in: calendar, by: policies)
      if table == .revenue {
        revenue.add(charge, versions, in: calendar, count: count)
      } else {
        ledger.add(charge, versions, in: calendar, count: count)
      }
    }
  }

  func report() throws -> ReportTable {
    switch table {
    case .rollForward: ledger.rollForward
    case .waterfall: try ledger.waterfall()
    case .revenue: try revenue.table()
    case .journal: try journal.map { try $0.table($0.lines()) } ?? ReportTable()
    default: journal?.trialBalance ?? ReportTable()
    }
  }

  /// Returns the same table without charges, limited to the scope and period of an address.
  private func emptied(for wanted: FigureAddress) -> DerivedTable {
    var derived = self
    derived.ledger = ledger.emptied
    derived.revenue = revenue.emptied
    derived.journal = journal?.emptied
    if !table.isOfJournal { derived.scope = wanted.parts.first }
    if table == .revenue, wanted.parts.count > 1 { derived.revenue.shownPeriod = wanted.parts[1] }
    return derived
  }

  /// Returns the rows of the table whose keys begin as an address.
  private func report(below wanted: FigureAddress) throws -> ReportTable {
    var report = try report()
    let places = table.layout.keys.compactMap { report.columns.firstIndex(of: $0) }
    report.rows = report.rows.filter { row in
      zip(places, wanted.parts).allSatisfy { (row[$0] ?? "") == ($1 == "-" ? "" : $1) }
    }
    return report
  }

  /// The columns of `schedules/traced_charges.sql` before the facts.
  private static let idColumns = [
    "evidence_sha256", "charge_id", "transaction_id", "original_transaction_id", "web_order_line_item_id", "order_id",
  ]
  private static let chargeColumns = [
    "charge_id", "transaction_id", "original_transaction_id", "order_id", "bundle_id", "product_id", "storefront", "evidence_sha256",
  ]

  private func parts(_ charge: DeferredCharge, of wanted: FigureAddress) throws -> [(place: FigureAddress, value: String)] {
    if let index = table.layout.keys.firstIndex(of: "currency"), index < wanted.parts.count {
      guard charge.currency == (wanted.parts[index] == "-" ? "" : wanted.parts[index]) else { return [] }
    }
    var part = self
    part.add(charge)
    return try FigureRows.figures(of: part.report(below: wanted), in: table).compactMap { address, value in
      guard !FigureRows.isZero(value), let place = FigureAddress(address, in: table), place.parts.starts(with: wanted.parts) else {
        return nil
      }
      return (place, value)
    }
  }

  /// - Throws: `JobError` if there are more rows than a table may have.
  func rows(of wanted: FigureAddress, context: JobContext, tx: inout DatabaseTransaction) throws -> ReportTable {
    let (keys, empty) = (table.layout.keys, emptied(for: wanted))
    let shown = Self.chargeColumns.filter { !keys.contains($0) }
    var rows = ReportTable(columns: keys + ["figure"] + shown + ["value"])
    rows.isNumeric = rows.columns.map { $0 == "value" }
    var reader = try ScheduleReader<[(place: FigureAddress, value: String)]>(ledger.calendars, policies, files: context.sql, tx: &tx)
    try tx.copyRows(context.sql(SchedulesSQL.tracedCharges)) { row in
      let ids = try Dictionary(uniqueKeysWithValues: Self.idColumns.map { ($0, try row.optionalString()) })
      let group = try reader.group(of: &row, work: { try empty.parts($0, of: wanted) }, total: { _ in })
      let kinds = ["bundle_id": group.charge.bundleID, "product_id": group.charge.productID, "storefront": group.charge.storefront]
      for (place, value) in group.worked {
        guard rows.rows.count < ReportTable.rowsMax else {
          throw JobError("refusal.rows_many", ["max": "\(ReportTable.rowsMax)"], hint: "Give more parts of the address.", status: .usage)
        }
        rows.rows.append(place.parts.map { $0 == "-" ? nil : $0 } + shown.map { ids[$0] ?? kinds[$0] } + [value])
      }
    }
    return rows
  }
}
