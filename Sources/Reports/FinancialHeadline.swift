internal import Domain
internal import JobCore
internal import Wording

/// The verdict of a financial report on its own subject.
struct ReportSubject {
  /// nil for a report without figures, which nobody signs.
  var verdict: Verdict?
  var text: String
  /// Further lines of the banner.
  var notes: [String] = []

  /// The subject of a report without figures.
  static func empty(_ text: Phrase, in words: Catalogue) -> ReportSubject {
    ReportSubject(verdict: nil, text: words(text), notes: [words("report.nothing_to_sign")])
  }
}

/// The banner and the headline figures of a financial report, each with its previous value.
extension FinancialPage {
  /// Returns the verdict on the report's own figures; the rest of the reconciliation does not affect it.
  func subject() throws -> ReportSubject {
    let failed = try report.identities.filter { try $0["holds"] != "yes" }.count
    if failed > 0 { return ReportSubject(verdict: .breaks, text: words("subject.identities", ["count": "\(failed)"])) }
    switch report.header.kind {
    case .refunds: return try refundSubject()
    case .deferred:
      if isEmpty("roll_forward") { return .empty("deferred.none", in: words) }
      return ReportSubject(verdict: .clean, text: words("subject.deferred"))
    case .journal:
      return isEmpty("journal") ? .empty("deferred.none", in: words) : ReportSubject(verdict: .clean, text: words("subject.journal"))
    case .restatement:
      let changed = try report.records("restatement").filter { try !FigureRows.isZero($0.text("delta")) }.count
      return changed == 0
        ? ReportSubject(verdict: .clean, text: words("subject.same"))
        : ReportSubject(verdict: .warnings, text: words("subject.restated", ["count": "\(changed)"]))
    default: return try coverageSubject()
    }
  }

  /// Formats the amounts of rows with one currency each, one line per currency.
  private func amounts(_ rows: [ReportRecord], _ column: String) throws -> String {
    try ReportPage.amounts(Dictionary(rows.map { (try $0.text("currency"), try $0.int(column)) }) { $1 }, in: words)
  }

  private func isEmpty(_ part: String) -> Bool { report.records(part).isEmpty }

  private func label(_ figure: Phrase, of period: String) -> String {
    words("trend.label", ["label": words(figure), "period": period])
  }

  private func refundSubject() throws -> ReportSubject {
    if isEmpty("refund_months") { return .empty("refunds.none", in: words) }
    let (open, alone) = try (refunds("not_applied_count"), refunds("no_order_count"))
    if open > 0 { return ReportSubject(verdict: .breaks, text: words("subject.not_applied", ["count": ReportPage.grouped(open)])) }
    if alone > 0 { return ReportSubject(verdict: .warnings, text: words("subject.no_order", ["count": ReportPage.grouped(alone)])) }
    return ReportSubject(verdict: .clean, text: words("subject.applied"))
  }

  private func coverageSubject() throws -> ReportSubject {
    let sums = try report.coverage()
    guard let last = sums.periods.last else { return .empty("tieout.none", in: words) }
    let (unexplained, open) = (sums.total(.unexplained), sums.total(.open))
    let all = ["count": ReportPage.grouped(unexplained > 0 ? unexplained : open), "all": ReportPage.grouped(sums.whole), "period": last]
    let notes = try lateSales().map { [words("subject.late_sales", ["day": $0.newest, "end": $0.wanted])] } ?? []
    if unexplained > 0 { return ReportSubject(verdict: .breaks, text: words("subject.unexplained", all), notes: notes) }
    if open > 0 { return ReportSubject(verdict: .pending, text: words("subject.not_settled", all), notes: notes) }
    return ReportSubject(verdict: notes.isEmpty ? .clean : .warnings, text: words("subject.covered", all), notes: notes)
  }

  /// Returns the newest day of Apple's sales reports, if it is before the last day that they should cover: the end of the latest period, or
  /// the day before the report's clock. nil if no sales report was ever read.
  private func lateSales() throws -> (newest: String, wanted: String)? {
    let sales = try report.records("finance_files").filter { try $0["report"] == "SALES" }
    let newest = try sales.compactMap { try $0["period_to"] }.max()
    let end = try report.records("coverage").compactMap { try $0["ends_on"] }.max()
    guard let newest, let end else { return nil }
    let wanted = min(end, String(report.header.asOf.advanced(bySeconds: -86_400).rfc3339.prefix(10)))
    return newest < wanted ? (newest, wanted) : nil
  }

  func figures() throws -> [ReportPage.Figure] {
    switch report.header.kind {
    case .refunds: try refundFigures()
    case .deferred: try deferredFigures()
    case .journal: []
    default: try coverageFigures() + bankFigure()
    }
  }

  // MARK: Coverage

  private func coverageFigures() throws -> [ReportPage.Figure] {
    guard report.part("coverage") != nil else { return [] }
    let sums = try report.coverage()
    let last = sums.periods.last
    let before = sums.periods.dropLast().last
    return CoverageSums.Part.allCases.enumerated().map { index, part in
      let counts = sums.counts(of: last)
      let (count, total) = (counts[index], counts.reduce(0, +))
      var note = words("coverage.of", ["count": ReportPage.grouped(count), "all": ReportPage.grouped(total)])
      if let before { note += "; " + words("trend.before", ["value": sums.percent(index, of: before), "period": before]) }
      let hasAny = sums.total(part) > 0
      return ReportPage.Figure(
        label: last.map { label(part.legend.label, of: $0) } ?? words(part.legend.label),
        value: sums.percent(index, of: last), note: note,
        tone: part == .unexplained ? (hasAny ? "alarm" : "good") : "",
        trend: ReportPlots.trend(sums.periods.map { sums.tenths(of: $0)[index] }))
    }
  }

  /// Returns the bank credits of the latest period, per currency of the account.
  private func bankFigure() throws -> [ReportPage.Figure] {
    let lines = try report.records("tieout_bridge").filter { try $0["section"] == "bank" && $0["label"] == "= bank" }
    guard let period = try lines.map({ try $0.text("fiscal_period") }).max() else { return [] }
    let own = try lines.filter { try $0["fiscal_period"] == period }
    let amounts = try own.prefix(ReportPage.currenciesMax).map { line in
      let currency = try line.text("currency")
      return try ReportPage.decimal(line.text("amount"), places: Money.fractionDigits(currency: currency)) + "\u{A0}\(currency)"
    }
    let more = own.count > amounts.count ? [words("figure.stake_more", ["count": "\(own.count - amounts.count)"])] : []
    return [
      ReportPage.Figure(
        label: label("regions.bank", of: period), value: (amounts + more).joined(separator: "\n"), note: words("regions.bank_note"),
        tone: "list")
    ]
  }

  // MARK: Deferred revenue

  private func deferredFigures() throws -> [ReportPage.Figure] {
    let months = try report.records("roll_forward").filter { line in
      try line["scope"] == "calendar" && line["restates_period"] == nil
    }
    let periods = try Set(months.map { try $0.text("period") }).sorted()
    let (last, before) = (periods.last, periods.dropLast().last)
    let figure = { (label: String, column: String, period: String?, note: Phrase) in
      let money = try amounts(months.filter { try $0["period"] == period }, column)
      return ReportPage.Figure(label: label, value: money.isEmpty ? "–" : money, note: words(note), tone: "list")
    }
    var figures = try [figure(words("deferred.now"), "closing_milliunits", last, "deferred.now_note")]
    if let before {
      try figures.append(figure(label("deferred.now", of: before), "closing_milliunits", before, "deferred.before_note"))
    }
    if let last {
      try figures.append(figure(label("deferred.earned", of: last), "recognised_milliunits", last, "deferred.earned_note"))
    }
    return figures
  }

  // MARK: Refunds

  private func months() throws -> [ReportRecord] {
    try report.records("refund_months").filter { try $0["scope"] == "calendar" }
  }

  private func refunds(_ column: String) throws -> Int128 { try months().sum(column) }

  private func reserveFigure() throws -> [ReportPage.Figure] {
    let rows = try report.records("refund_reserve_totals").filter { try $0[RefundReserve.toComeColumn] != nil }
    guard !rows.isEmpty else { return [] }
    let money = try amounts(rows, RefundReserve.toComeColumn)
    return [
      ReportPage.Figure(
        label: words("refunds.to_come"), value: money.isEmpty ? words("figure.stake_none") : money, note: words("refunds.to_come_note"),
        tone: "list")
    ]
  }

  private func refundFigures() throws -> [ReportPage.Figure] {
    let byMonth = try Dictionary(grouping: months()) { try $0.text("period") }.sorted { $0.key < $1.key }
    let counts = try byMonth.map { (month: $0.key, count: try $0.value.sum("by_refund_count")) }
      .filter { $0.count > 0 }
    let figure = { (label: Phrase, column: String, isAlarm: Bool) in
      let count = try refunds(column)
      return ReportPage.Figure(
        label: words(label), value: ReportPage.grouped(count), note: "", tone: isAlarm ? (count == 0 ? "good" : "alarm") : "")
    }
    var standing = try figure("refunds.standing", "by_refund_count", false)
    standing.note = counts.suffix(2).reversed().map { month, count in
      words("refunds.in_month", ["count": ReportPage.grouped(count), "month": month])
    }.joined(separator: "; ")
    standing.trend = ReportPlots.trend(counts.map(\.count))
    let latest = byMonth.last { month in month.key == counts.last?.month }
    let money = try latest.map { month, rows in
      try ReportPage.Figure(
        label: label("refunds.given", of: month), value: amounts(rows, "by_refund_milliunits"), note: words("refunds.given_note"),
        tone: "list")
    }
    return try [standing] + (money.map { [$0] } ?? []) + [
      figure("refunds.applied", "applied_count", false), figure("refunds.not_applied", "not_applied_count", true),
      figure("refunds.no_order", "no_order_count", false),
    ] + reserveFigure()
  }
}

/// Units of each fiscal period by what is known of them. A provisional day counts only in its own period.
struct CoverageSums {
  enum Part: String, CaseIterable {
    case proved = "proved_units"
    case explained = "explained_units"
    case unexplained = "unexplained_units"
    case open = "not_yet_settled_units"

    /// The name of the part, and the tone of its colour in plots.
    var legend: (label: Phrase, tone: Int) {
      switch self {
      case .proved: ("coverage.proved", 1)
      case .explained: ("coverage.explained", 3)
      case .unexplained: ("coverage.unexplained", 5)
      case .open: ("coverage.open", 4)
      }
    }
  }

  private var units: [String: [Int128]] = [:]

  init(_ coverage: [ReportRecord]) throws {
    for row in coverage where try row["is_provisional"] != "yes" {
      let counts = try Part.allCases.map { try row.int($0.rawValue) }
      let sums = try units[row.text("fiscal_period")] ?? counts.map { _ in 0 }
      try units[row.text("fiscal_period")] = zip(sums, counts).map { $0 + $1 }
    }
  }

  var periods: [String] { units.keys.sorted() }
  var whole: Int128 { units.values.reduce(0) { $0 + $1.reduce(0, +) } }

  func total(_ part: Part) -> Int128 {
    let index = Part.allCases.firstIndex(of: part) ?? 0
    return units.values.reduce(0) { $0 + $1[index] }
  }

  func counts(of period: String?) -> [Int128] { period.flatMap { units[$0] } ?? Part.allCases.map { _ in 0 } }

  /// Shares of a period in tenths of a percent, which add up to 1000.
  func tenths(of period: String?) -> [Int128] { Shares.tenths(of: counts(of: period)) }

  /// Formats the share of a part of a period; `–` without units.
  func percent(_ index: Int, of period: String?) -> String {
    let counts = counts(of: period)
    let (count, total) = (counts[index], counts.reduce(0, +))
    if total == 0 { return "–" }
    return count > 0 && count * 1000 < total ? ReportPage.leastPercent : ReportPage.percent(tenths: tenths(of: period)[index])
  }
}
