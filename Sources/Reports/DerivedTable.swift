internal import Domain
public import JobCore
internal import Postgres

extension FigureRows {
  public init(context: JobContext, table: FigureTable) { self.init(context: context, table: table, derived: DerivedTable.self) }
}

/// The tables of revenue and journal, of all charges or of one.
struct DerivedTable: DerivedFigures {
  private let table: FigureTable
  private let policies: BookPolicies
  private var ledger: RevenueLedger
  private var revenue: RevenueTable
  private var journal: Journal?
  /// The only calendar to compute; nil for both.
  private var scope: String?

  static func read(
    _ table: FigureTable, period: String?, at clock: Timestamp, context: JobContext, tx: inout DatabaseTransaction
  ) throws -> DerivedTable {
    let calendars = try DeferredCharge.calendars(files: context.sql, tx: &tx)
    var derived = DerivedTable(
      table: table, policies: try BookPolicies.read(context: context, tx: &tx), ledger: RevenueLedger(calendars: calendars),
      revenue: RevenueTable(calendars: calendars), journal: nil)
    if table.isOfJournal {
      let name = try period ?? JournalReport.period(at: clock, files: context.sql, tx: &tx)
      derived.journal = Journal(try Journal.plan(name, calendars, context.settings.journal, derived.policies))
    }
    try DeferredCharge.stream(files: context.sql, tx: &tx) { try derived.add($0) }
    return derived
  }

  private mutating func add(_ charge: DeferredCharge) throws {
    if let plan = journal?.plan { return try journal?.add(charge, charge.money(in: plan.number, by: policies)) ?? () }
    for calendar in ledger.calendars.indices where scope == nil || scope == ledger.calendars[calendar].scope {
      let money = try charge.money(in: calendar, by: policies)
      if table == .revenue { try revenue.add(charge, money, in: calendar) } else { try ledger.add(charge, money, in: calendar) }
    }
  }

  var report: ReportTable {
    get throws {
      switch table {
      case .rollForward: ledger.rollForward
      case .waterfall: try ledger.waterfall
      case .revenue: try revenue.table
      case .journal: try journal.map { try $0.table($0.lines) } ?? ReportTable()
      default: journal?.trialBalance ?? ReportTable()
      }
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
    var report = try report
    let places = table.layout.keys.compactMap { report.columns.firstIndex(of: $0) }
    report.rows = report.rows.filter { row in
      zip(places, wanted.parts).allSatisfy { (row[$0] ?? "") == ($1 == "-" ? "" : $1) }
    }
    return report
  }

  private static let chargeColumns = [
    "charge_id", "transaction_id", "original_transaction_id", "order_id", "bundle_id", "product_id", "storefront", "evidence_sha256",
  ]

  /// - Throws: `JobError` if there are more rows than a table may have.
  func rows(of wanted: FigureAddress, context: JobContext, tx: inout DatabaseTransaction) throws -> ReportTable {
    let (keys, empty) = (table.layout.keys, emptied(for: wanted))
    var rows = ReportTable(columns: keys + ["figure"] + Self.chargeColumns.filter { !keys.contains($0) } + ["value"])
    rows.isNumeric = rows.columns.map { $0 == "value" }
    let currency = keys.firstIndex(of: "currency").flatMap { $0 < wanted.parts.count ? wanted.parts[$0] : nil }
    try DeferredCharge.stream(files: context.sql, tx: &tx) { charge in
      if let currency, try charge.record.text("currency") != (currency == "-" ? "" : currency) { return }
      var part = empty
      try part.add(charge)
      for (address, value) in try FigureRows.figures(of: part.report(below: wanted), in: table) where !FigureRows.isZero(value) {
        guard let place = FigureAddress(address, in: table), place.parts.starts(with: wanted.parts) else { continue }
        guard rows.rows.count < ReportTable.rowsMax else {
          throw JobError(
            "could not list the rows: there are more than \(ReportTable.rowsMax)", hint: "Give more parts of the address.", status: .usage)
        }
        let parts = place.parts.map { $0 == "-" ? nil : $0 }
        let facts = try Self.chargeColumns.filter { !keys.contains($0) }.map { try charge.record[$0] }
        rows.rows.append(parts + facts + [value])
      }
    }
    return rows
  }
}
