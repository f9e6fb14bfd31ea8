internal import Domain
internal import JobCore
internal import Wording

/// The plots of a financial report. All numbers come from its tables.
extension FinancialPage {
  /// Maximum number of periods, newest first, and of months, newest last.
  static let periodsMax = 12
  private static let monthsMax = 36

  /// Returns the currency with the greatest sum of a column; nil without rows.
  private static func currency(of rows: [ReportRecord], withMost column: String) throws -> String? {
    let counts = try Dictionary(grouping: rows) { try $0.text("currency") }.map { (currency: $0.key, count: try $0.value.sum(column)) }
    return counts.max { ($0.count, $1.currency) < ($1.count, $0.currency) }?.currency
  }

  func charts() throws -> [ReportChart] {
    switch report.header.kind {
    case .tieout: try coverage() + bridge()
    case .coverage: try coverage() + currencies()
    case .refunds: try refunds()
    case .deferred: try deferred()
    default: []
    }
  }

  // MARK: Coverage

  private var legend: [(label: String, tone: Int)] { CoverageSums.Part.allCases.map(\.legend).map { (words($0.label), $0.tone) } }

  private func coverage() throws -> [ReportChart] {
    let sums = try report.coverage()
    let rows = sums.periods.suffix(Self.periodsMax).reversed().map { period in
      ReportPlots.Stack(
        label: period, parts: sums.counts(of: period),
        text: words("plot.proved", ["value": sums.percent(0, of: period)]))
    }
    return rows.isEmpty ? [] : [.init(title: words("plot.coverage"), svg: ReportPlots.stacks(rows, legend: legend))]
  }

  /// Returns the coverage of the latest period by currency.
  private func currencies() throws -> [ReportChart] {
    let final = try report.records("coverage").filter { try $0["is_provisional"] != "yes" }
    guard let period = try final.map({ try $0.text("fiscal_period") }).max() else { return [] }
    let rows = try final.filter { try $0["fiscal_period"] == period }
    let stacks = try rows.prefix(Self.periodsMax).map { row in
      let parts = try CoverageSums.Part.allCases.map { try row.int($0.rawValue) }
      let share = ReportPage.percent(tenths: Shares.tenths(of: parts)[0])
      return try ReportPlots.Stack(label: row.text("currency"), parts: parts, text: words("plot.proved", ["value": share]))
    }
    let title = words("plot.currencies", ["period": period, "shown": "\(stacks.count)", "all": "\(rows.count)"])
    return [.init(title: title, svg: ReportPlots.stacks(stacks, legend: legend))]
  }

  /// Returns the audit bridge of the latest period for the currency with the most units.
  private func bridge() throws -> [ReportChart] {
    let lines = try report.records("tieout_bridge").filter { try $0["section"] == "customer" }
    guard let period = try lines.map({ try $0.text("fiscal_period") }).max() else { return [] }
    let own = try Dictionary(grouping: lines.filter { try $0["fiscal_period"] == period }) { try $0.text("currency") }
    let size = { (lines: [ReportRecord]) in try lines.map { try abs($0.int("count")) }.max() ?? 0 }
    let sorted = try own.map { (currency: $0.key, lines: $0.value, size: try size($0.value)) }
      .sorted { ($1.size, $0.currency) < ($0.size, $1.currency) }
    return try sorted.prefix(1).map { currency, lines, _ in
      let steps = try lines.enumerated().compactMap { index, line -> ReportDrawing.Bar? in
        let text = try line.text("amount")
        let isTotal = try index == 0 || line.text("label").hasPrefix("=")
        let value = Self.milliunits(text)
        guard isTotal || value != 0 else { return nil }
        return try ReportDrawing.Bar(
          label: words.name("bridge_line", line.text("line_no"), otherwise: line.text("label")), value: value,
          text: ReportPage.decimal(text, places: Money.fractionDigits(currency: currency)), isTotal: isTotal)
      }
      let title = words("plot.bridge", ["period": period, "currency": currency])
      return .init(title: title, svg: ReportPlots.cascade(steps))
    }
  }

  /// Returns the milliunits of a decimal such as `-12.5`, for the length of a bar. Further decimals are dropped.
  private static func milliunits(_ text: String) -> Int128 {
    let parts = text.drop { $0 == "-" }.split(separator: ".")
    let fraction = parts.count > 1 ? (parts[1] + "000").prefix(3) : "000"
    return (Int128("\(parts.first ?? "0")\(fraction)") ?? 0) * (text.hasPrefix("-") ? -1 : 1)
  }

  // MARK: Deferred revenue

  /// Returns plots of the currency with the most charges.
  private func deferred() throws -> [ReportChart] {
    let months = try report.records("roll_forward").filter { try $0["scope"] == "calendar" && $0["restates_period"] == nil }
    guard let currency = try Self.currency(of: months, withMost: "booked_count") else { return [] }
    let own = try months.filter { try $0["currency"] == currency }
    let column = { (label: String, value: Int128) in
      ReportDrawing.Bar(label: label, value: value, text: ReportPage.money(value, currency))
    }
    let closings = try own.suffix(Self.monthsMax).map { try column($0.text("period"), $0.int("closing_milliunits")) }
    let awaited = try report.records("waterfall").filter { try $0["scope"] == "calendar" && $0["currency"] == currency }
    let coming = try Dictionary(grouping: awaited) { try $0.text(WaterfallColumn.recognisedPeriod) }
      .mapValues { try $0.sum(WaterfallColumn.toCome) }.filter { $0.value > 0 }
    let waterfall = coming.sorted { $0.key < $1.key }.prefix(Self.monthsMax).map { column($0.key, $0.value) }
    let arguments = ["currency": currency]
    return try [
      .init(title: words("plot.closing", arguments), svg: ReportPlots.columns(closings, in: words)),
      .init(title: words("plot.to_come", arguments), svg: ReportPlots.columns(waterfall, tone: 2, in: words)),
    ]
      + own.suffix(2).reversed().map { month in
        try .init(
          title: words("plot.roll_forward", ["currency": currency, "period": month.text("period")]),
          svg: ReportPlots.cascade(steps(of: month, currency)))
      }
  }

  private func steps(of month: ReportRecord, _ currency: String) throws -> [ReportDrawing.Bar] {
    let moves: [(column: String, sign: Int128)] = [
      ("opening", 1), ("restated", 1), ("booked", 1), ("recognised", -1), ("refund_cut", -1), ("deferred_again", 1), ("upgrade_cut", -1),
      ("closing", 1),
    ]
    return try moves.compactMap { move in
      let value = try month.int("\(move.column)_milliunits") * move.sign
      let isTotal = move.column == "opening" || move.column == "closing"
      guard isTotal || value != 0 else { return nil }
      return ReportDrawing.Bar(
        label: words.name("money", move.column), value: value, text: ReportPage.amount(value, currency), isTotal: isTotal)
    }
  }

  // MARK: Refunds

  private func refunds() throws -> [ReportChart] {
    let months = try report.records("refund_months").filter { try $0["scope"] == "calendar" }
    let given = try Dictionary(grouping: months) { try $0.text("period") }
      .mapValues { try $0.sum("by_refund_count") }.sorted { $0.key < $1.key }
    let sold = try Dictionary(grouping: report.records("refund_rates")) { try $0.text("purchase_month") }
      .sorted { $0.key < $1.key }
    let rates = try sold.suffix(Self.monthsMax).map { month, lines in
      let (charges, refunds) = try (lines.sum("charge_count"), lines.sum("refund_count"))
      return ReportDrawing.Bar(
        label: month, value: charges == 0 ? 0 : refunds * 10_000 / charges, text: ReportPage.percent(of: refunds, in: charges))
    }
    return try [
      .init(
        title: words("plot.refunds"),
        svg: ReportPlots.columns(
          given.filter { $0.value > 0 }.suffix(Self.monthsMax)
            .map { .init(label: $0.key, value: $0.value) }, in: words)),
      .init(title: words("plot.refund_rate"), svg: ReportPlots.columns(rates, tone: 4, in: words)), curve,
    ] + backTest()
  }

  /// Returns the refunds estimated at earlier months' ends, compared with the actual ones, in units of the currency with the most refunds.
  private func backTest() throws -> [ReportChart] {
    guard let currency = try Self.currency(of: report.records("refund_months"), withMost: "by_refund_count") else { return [] }
    let tests = try report.records("refund_backtest").filter { try $0["currency"] == currency }
    guard tests.count > 1 else { return [] }
    let line = { (label: Phrase, column: String) in
      try ReportDrawing.Line(label: words(label), values: tests.map { try $0.int(column) / 1000 })
    }
    let svg = try ReportDrawing.lines(
      days: tests.map { try $0.text("period") }, line("plot.came", "actual_milliunits"), line("plot.expected", "predicted_milliunits"))
    return [.init(title: words("plot.backtest", ["currency": currency]), svg: svg)]
  }

  /// The share of the refunds within some days of their purchase.
  private var curve: ReportChart {
    let whole = report.refundDays.values.reduce(0, +)
    let steps = [0, 1, 3, 7, 14, 30, 60, 90, 180, 365].map { days in
      let count = report.refundDays.reduce(0) { $0 + ($1.key <= days ? $1.value : 0) }
      return ReportDrawing.Bar(
        label: words("plot.within", ["days": "\(days)"]), value: Int128(count),
        text: whole == 0 ? "–" : ReportPage.percent(of: Int128(count), in: Int128(whole)), isTotal: true)
    }
    let svg = whole == 0 ? ReportDrawing.empty(words("chart.none")) : ReportPlots.cascade(steps)
    return .init(title: words("plot.curve"), svg: svg)
  }
}
