internal import JobCore
internal import Wording

/// Small charts as inline SVG. All numbers come from the tables of the page.
struct ReportCharts {
  struct Chart {
    var title: String
    var svg: String
    var model: [String: String] { ["title": title, "svg": svg] }
  }

  /// Maximum number of classes in the chart. The rest is one more bar.
  static let barsMax = 9

  let contents: ReportContents
  let kind: ReportKind
  let words: Catalogue

  func all() throws -> [Chart] {
    var charts: [Chart] = []
    if kind.hasDaily { charts += try [days(), rungs()] }
    if kind.hasBreaks { charts += try [classes(), ages()] }
    return charts
  }

  /// Returns the charges and orders per day over the last weeks.
  private func days() throws -> Chart {
    let title = words("chart.days")
    let ofDay = try Dictionary(grouping: contents.days.records) { try $0.text("day") }
    let days = ofDay.keys.sorted()
    let values = { (column: String) in try days.map { try (ofDay[$0] ?? []).sum(column) } }
    let (charges, orders) = try (values("tx_count"), values("order_count"))
    guard days.count > 1, (charges + orders).contains(where: { $0 > 0 }) else {
      return Chart(title: title, svg: ReportDrawing.empty(words("chart.no_days")))
    }
    return Chart(
      title: title,
      svg: ReportDrawing.lines(
        days: days, ReportDrawing.Line(label: words("head.charged"), values: charges),
        ReportDrawing.Line(label: words("chart.booked"), values: orders)))
  }

  /// Returns all charges to date by their match result.
  private func rungs() throws -> Chart {
    let rows = try contents.daily.records.filter { try $0["scope"] == "to_date" && $0["environment"] == "Production" }
    let parts = try ReportIdentity.chargeParts.map { part in
      try ReportDrawing.Bar(label: words.name("part", part.label), value: rows.sum(part.column))
    }
    return Chart(title: words("chart.parts"), svg: ReportDrawing.bars(parts, tones: [1, 2, 3, 4, 4, 5, 6], in: words))
  }

  private func classes() throws -> Chart {
    var totals: [String: Int128] = [:]
    for row in contents.ageing.records { try totals[row.text("class"), default: 0] += row.int("undecided_count") }
    let sorted = totals.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    var parts = sorted.prefix(Self.barsMax).map { ReportDrawing.Bar(label: $0.key, value: $0.value) }
    let rest = sorted.dropFirst(Self.barsMax)
    if !rest.isEmpty {
      let label = words("chart.more_classes", ["count": "\(rest.count)"], counting: rest.count)
      parts.append(ReportDrawing.Bar(label: label, value: rest.reduce(0) { $0 + $1.value }))
    }
    return Chart(title: words("chart.classes"), svg: ReportDrawing.bars(parts, tones: [], in: words))
  }

  private func ages() throws -> Chart {
    let parts = try ReportPage.buckets.map { bucket in
      try ReportDrawing.Bar(label: words(bucket.label), value: contents.ageing.records.sum(bucket.count))
    }
    return Chart(title: words("chart.ages"), svg: ReportDrawing.bars(parts, tones: [3, 2, 1, 4, 5], in: words))
  }
}
