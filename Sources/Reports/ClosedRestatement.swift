internal import Domain
internal import JobCore
internal import Postgres
internal import Wording

/// The restatement of closed periods: what two people signed, what is known now, and corrections in open periods by cause.
struct ClosedRestatement {
  private let context: JobContext
  private let asOf: Timestamp
  /// The first closed period. Its opening balance stands for all earlier periods.
  private let first: String
  private let closed: [ClosedPeriod]
  /// Names of all fiscal periods, in order.
  private let periods: [String]
  private var figures = ClosedFigures()
  private var openings: [ReportIdentity] = []

  private struct ClosedPeriod {
    var name: String
    /// Id of the close.
    var actID: String
    /// The cause of a change of the period's own row.
    var cause: ClosedFigures.Cause

    init(_ row: ReportRecord, in context: JobContext) throws {
      (name, actID) = try (row.text("period"), row.text("act_id"))
      if try row.text("settings_sha256") != context.settingsSHA256 {
        cause = .policy
      } else {
        // The same settings and program give the same figures, so a fact changed them.
        cause = try row.text("code_version") != context.codeVersion ? .programVersion : .lateFact
      }
    }
  }

  /// Returns the tables, none without a closed period. The transaction must already know the report's clock.
  static func parts(_ header: ReportHeader, context: JobContext, tx: inout DatabaseTransaction) throws -> [FinancialReport.Part] {
    guard let (restatement, closed) = try read(asOf: header.asOf, closedBy: header.asOf, context: context, tx: &tx) else { return [] }
    return try restatement.tables(closed)
  }

  /// Returns the corrections of earlier closed periods that a close of a period signs. The transaction must already know the clock.
  ///
  /// - Parameters:
  ///   - asOf: clock of the reports.
  ///   - clock: clock of the proposal; an earlier period may have been closed since the clock of the reports.
  static func corrections(
    bookedIn period: String, asOf: Timestamp, closedBy clock: Timestamp, context: JobContext, tx: inout DatabaseTransaction
  ) throws -> [SignedFigure] {
    guard let (restatement, _) = try read(asOf: asOf, closedBy: clock, closing: period, context: context, tx: &tx) else { return [] }
    return restatement.figures.corrections(bookedIn: period).map { key, cause, isFact, milliunits in
      SignedFigure(
        report: key.report, slice: "\(key.period) \(cause.rawValue)\(isFact ? " \(factWord)" : "")", currency: key.currency,
        metric: SignedFigure.metric(key.metric, on: key.basis), value: "\(milliunits)")
    }
  }

  /// - Parameter closing: the period that is about to be closed; nil for none.
  private static func read(
    asOf: Timestamp, closedBy clock: Timestamp, closing: String? = nil, context: JobContext, tx: inout DatabaseTransaction
  ) throws -> (restatement: ClosedRestatement, closed: ReportTable)? {
    let closed = try ReportTable.read(PeriodsSQL.closed, ["as_of": clock.sqlValue], files: context.sql, tx: &tx)
    // A later period may be closed as of an earlier clock.
    let known = try closed.records.filter { try $0.instant("closed_as_of") <= asOf }.map { try ClosedPeriod($0, in: context) }
    guard let first = known.first?.name ?? closing else { return nil }
    let calendar = try ReportTable.read(ReportsSQL.deferredPeriods, files: context.sql, tx: &tx)
    var restatement = ClosedRestatement(
      context: context, asOf: asOf, first: first, closed: known,
      periods: try calendar.records.map { try $0.text("fiscal_period") })
    try restatement.readSigned(&tx)
    try restatement.compareRevenue(&tx)
    try restatement.compareTieouts(&tx)
    try restatement.compareMatches(&tx)
    let open = restatement
    restatement.figures.bookChanges(open.openPeriod) { period in open.closed.first { $0.name == period }?.cause }
    restatement.compareOpenings()
    return (restatement, closed)
  }

  private func tables(_ closed: ReportTable) throws -> [FinancialReport.Part] {
    try [
      .init(name: "closed_periods", title: "closed_periods.title", note: "closed_periods.note", table: closed),
      .init(name: "closed_figures", title: "closed_figures.title", note: "closed_figures.note", table: figures.table),
      .init(name: "corrections", title: "corrections.title", note: "corrections.note", table: figures.correctionTable),
      .init(
        name: "restatement_identities", title: "identities.title", note: "tieout.identities_note",
        table: ReportIdentity.table(figures.identities + openings, keys: ClosedFigures.keyColumns)),
    ]
  }

  // MARK: Signed figures

  /// The last word of the slice of a correction by facts of charges.
  private static let factWord = "fact"

  private var balances: [ClosedFigures.Key: Int128] = [:]
  private var revenue: ClosedRevenue?

  private mutating func readSigned(_ tx: inout DatabaseTransaction) throws {
    for period in closed {
      for figure in try SignedFigure.read(of: period.actID, files: context.sql, tx: &tx) {
        guard let value = Int128(figure.value) else {
          throw JobError("could not restate \(period.name): its signed figure \"\(figure.metric)\" is no whole number of milliunits")
        }
        try add(figure, value, of: period.name)
      }
    }
  }

  private mutating func add(_ figure: SignedFigure, _ milliunits: Int128, of period: String) throws {
    let (basis, metric) = figure.basisAndMetric
    var key = ClosedFigures.Key(period: period, report: figure.report, currency: figure.currency, basis: basis, metric: metric)
    guard figure.slice.isEmpty else {
      let words = figure.slice.split(separator: " ").map(String.init)
      guard words.count == 2 || words.count == 3 && words[2] == Self.factWord, let cause = ClosedFigures.Cause(rawValue: words[1]) else {
        throw JobError("could not restate \(period): its signed correction \"\(figure.slice)\" names no period and cause")
      }
      key.period = words[0]
      let line = ClosedFigures.Line(period: period, cause: cause)
      if words.count == 2 {
        figures.signedCorrections[key, default: [:]][line, default: 0] += milliunits
      } else {
        figures.signedFacts[key, default: [:]][line, default: 0] += milliunits
      }
      return
    }
    if ClosedFigures.balances.contains(metric) { balances[key] = milliunits }
    // The opening balance of the first period is a figure: a fact may restate earlier periods.
    let isFigure = !ClosedFigures.balances.contains(metric) || (metric == "opening" && period == first)
    if isFigure { figures.signed[key, default: 0] += milliunits }
  }

  /// Returns the first period after another one that is not closed.
  private func openPeriod(after period: String) -> String {
    let names = Set(closed.map(\.name))
    return periods.first { $0 > period && !names.contains($0) } ?? ""
  }

  // MARK: Revenue

  private mutating func compareRevenue(_ tx: inout DatabaseTransaction) throws {
    tx.send("set local enable_nestloop = off; set local enable_mergejoin = off")
    let revenue = try ClosedRevenue.read(closed.isEmpty ? [first] : closed.map(\.name), context: context, tx: &tx)
    let totals = try ReportTable.read(ReportsSQL.deferredTotals, files: context.sql, tx: &tx).records
    tx.send("set local enable_nestloop = default; set local enable_mergejoin = default")
    let signed = Set(figures.signed.keys.filter { $0.report == ClosedFigures.revenueReport }.map(\.currency))
    let currencies = revenue.currencies.union(signed)
    var booked: [[String]: Int128] = [:]
    for row in totals where try row.text("scope") == "fiscal" {
      booked[[try row.text("period"), try row.text("currency")], default: 0] += try row.int("booked_milliunits")
    }
    for period in closed {
      for currency in currencies {
        for basis in ClosedRevenue.bases {
          let (own, current) = (revenue.own(period.name, currency, basis), revenue.current(period.name, currency, basis))
          let lines = revenue.corrections(of: period.name, currency, basis)
          for (metric, value) in ClosedRevenue.metrics {
            let key = Self.key(period.name, currency, basis, metric)
            figures.changes[key, default: [:]][period.cause, default: 0] += value(own) - (figures.signed[key] ?? 0)
            for line in lines { figures.facts[key, default: [:]][line.line, default: 0] += value(line.flow) }
            // Money charged is computed from the charges, without the schedules.
            let isCharged = basis == .gross && metric == "booked"
            figures.current[key, default: 0] += isCharged ? booked[[period.name, currency]] ?? 0 : value(current)
          }
        }
      }
    }
    for currency in currencies {
      for basis in ClosedRevenue.bases {
        let key = Self.key(first, currency, basis, "opening")
        for line in revenue.corrections(before: first, currency, basis) {
          figures.facts[key, default: [:]][line.line, default: 0] += line.flow.deferred
        }
        guard let period = closed.first else { continue }
        let change = revenue.opening(first, currency, basis) - (figures.signed[key] ?? 0)
        figures.changes[key, default: [:]][period.cause, default: 0] += change
        figures.current[key, default: 0] += revenue.currentOpening(currency, basis)
      }
    }
    self.revenue = revenue
  }

  private static func key(_ period: String, _ currency: String, _ basis: RevenueBasis, _ metric: String) -> ClosedFigures.Key {
    .init(period: period, report: ClosedFigures.revenueReport, currency: currency, basis: basis.rawValue, metric: metric)
  }

  /// Adds the identity of each next period's opening balance: as signed if it is closed, else as known now. A missing row is 0.
  private mutating func compareOpenings() {
    let names = Set(closed.map(\.name))
    let currencies = Set(balances.keys.map(\.currency)).union(revenue?.currencies ?? [])
    for period in names.sorted() {
      guard let next = periods.first(where: { $0 > period }) else { continue }
      for currency in currencies.sorted() {
        for basis in ClosedRevenue.bases {
          let opening = Self.key(next, currency, basis, "opening")
          let closing = balances[Self.key(period, currency, basis, "closing")] ?? 0
          let now = names.contains(next) ? balances[opening] : revenue?.opening(next, currency, basis)
          openings.append(
            ReportIdentity(
              name: "opening", slice: ClosedFigures.slice(opening), left: now ?? 0,
              right: closing + figures.openingChange(next, currency: currency, basis: basis),
              formula: Phrase("formula.opening", ["next": .plain(next), "period": .plain(period)])))
        }
      }
    }
  }

  // MARK: Tie-out

  private mutating func compareTieouts(_ tx: inout DatabaseTransaction) throws {
    for row in try ReportTable.read(PeriodsSQL.tieoutCorrections, files: context.sql, tx: &tx).records {
      let period = try row.text("period")
      let key = try ClosedFigures.Key(period: period, report: "tieout", currency: row.text("currency"), metric: row.text("metric"))
      let word = try row.text("cause")
      if word == "now" {
        figures.current[key, default: 0] += try row.int("milliunits")
      } else {
        figures.changes[key, default: [:]][ClosedFigures.Cause(rawValue: word) ?? .unexplained, default: 0] += try row.int("milliunits")
      }
    }
  }

  /// Compares the charges without an order at the signed tie-out with those at the newest one. Leaves the transaction at the report's
  /// clock.
  private mutating func compareMatches(_ tx: inout DatabaseTransaction) throws {
    let compared = try tx.rows(context.sql(PeriodsSQL.compared))
    for (period, signedAt, newestAt) in compared {
      let before = try unmatched(period, at: signedAt, &tx)
      let after = try unmatched(period, at: newestAt, &tx)
      let differing = Set(before.keys).symmetricDifference(after.keys).sorted()
      let causes = try Dictionary(
        tx.rows(
          context.sql(PeriodsSQL.rematched),
          [
            "charge_ids": .textArray(differing), "since": .timestamptz(microseconds: signedAt),
            "as_of": .timestamptz(microseconds: newestAt),
          ])
      ) { $1 }
      for id in differing {
        guard let charge = after[id] ?? before[id] else { continue }
        let cause = causes[id].flatMap { ClosedFigures.Cause(rawValue: $0) } ?? .unexplained
        let amount = after[id] == nil ? -charge.milliunits : charge.milliunits
        figures.changes[Self.unmatchedKey(period, charge.currency), default: [:]][cause, default: 0] += amount
      }
      for charge in after.values { figures.current[Self.unmatchedKey(period, charge.currency), default: 0] += charge.milliunits }
    }
    let changed = Set(compared.map { $0.0 })
    // Without another tie-out nothing was compared, and the bridge is the signed one.
    for (key, value) in figures.signed where key.metric == ClosedFigures.unmatchedMetric && !changed.contains(key.period) {
      figures.current[key, default: 0] += value
    }
    guard !compared.isEmpty else { return }
    try tx.send(context.sql(RunsSQL.lookBack), ["as_of": asOf.sqlValue])
    try tx.setViewed(asOf: asOf, of: context)
  }

  private static func unmatchedKey(_ period: String, _ currency: String) -> ClosedFigures.Key {
    .init(period: period, report: "tieout", currency: currency, metric: ClosedFigures.unmatchedMetric)
  }

  private func unmatched(
    _ period: String, at clock: Int64, _ tx: inout DatabaseTransaction
  ) throws -> [String: (currency: String, milliunits: Int128)] {
    let value = Value.timestamptz(microseconds: clock)
    try tx.send(context.sql(RunsSQL.lookBack), ["as_of": value])
    try tx.setViewedPeriod(["period": .text(period), "as_of": value], files: context.sql)
    return try Dictionary(
      ReportTable.read(PeriodsSQL.unmatched, files: context.sql, tx: &tx).records.map { row in
        (try row.text("charge_id"), (try row.text("currency"), try row.int("milliunits")))
      }
    ) { first, _ in first }
  }
}
