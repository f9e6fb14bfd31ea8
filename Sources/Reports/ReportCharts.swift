internal import JobCore
internal import Wording

/// A small chart as inline SVG. All its numbers come from the tables of its page.
struct ReportChart {
  var title: String
  var svg: String
  var model: [String: String] { ["title": title, "svg": svg] }
}

/// The charts of the daily summary and the breaks.
extension ReportPage {
  /// Maximum number of classes in the chart. The rest is one more bar.
  private static let barsMax = 9

  func charts() throws -> [ReportChart] {
    try (header.kind.hasDaily ? [days(), rungs()] : []) + (header.kind.hasBreaks ? [classes(), ages()] : [])
  }

  /// Returns the charges and orders per day over the last weeks.
  private func days() throws -> ReportChart {
    let title = words("chart.days")
    let ofDay = try Dictionary(grouping: contents.days.records) { try $0.text("day") }
    let days = ofDay.keys.sorted()
    let values = { (column: String) in try days.map { try (ofDay[$0] ?? []).sum(column) } }
    let (charges, orders) = try (values("tx_count"), values("order_count"))
    guard days.count > 1, (charges + orders).contains(where: { $0 > 0 }) else {
      return ReportChart(title: title, svg: ReportDrawing.empty(words("chart.no_days")))
    }
    return ReportChart(
      title: title,
      svg: ReportDrawing.lines(
        days: days, ReportDrawing.Line(label: words("head.charged"), values: charges),
        ReportDrawing.Line(label: words("chart.booked"), values: orders)))
  }

  /// Returns all charges to date by their match result.
  private func rungs() throws -> ReportChart {
    let rows = try contents.daily.records.filter { try $0["scope"] == "to_date" && $0["environment"] == "Production" }
    let parts = try ReportIdentity.chargeParts.map { part in
      try ReportDrawing.Bar(label: words.name("part", part.label), value: rows.sum(part.column))
    }
    return ReportChart(title: words("chart.parts"), svg: ReportDrawing.bars(parts, tones: [1, 2, 3, 4, 4, 5, 6], in: words))
  }

  private func classes() throws -> ReportChart {
    var totals: [String: Int128] = [:]
    for row in contents.ageing.records { try totals[row.text("class"), default: 0] += row.int("undecided_count") }
    let sorted = totals.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    var parts = sorted.prefix(Self.barsMax).map { ReportDrawing.Bar(label: $0.key, value: $0.value) }
    let rest = sorted.dropFirst(Self.barsMax)
    if !rest.isEmpty {
      let label = words("chart.more_classes", ["count": "\(rest.count)"], counting: rest.count)
      parts.append(ReportDrawing.Bar(label: label, value: rest.reduce(0) { $0 + $1.value }))
    }
    return ReportChart(title: words("chart.classes"), svg: ReportDrawing.bars(parts, tones: [], in: words))
  }

  private func ages() throws -> ReportChart {
    let parts = try ReportPage.buckets.map { bucket in
      try ReportDrawing.Bar(label: words(bucket.label), value: contents.ageing.records.sum(bucket.count))
    }
    return ReportChart(title: words("chart.ages"), svg: ReportDrawing.bars(parts, tones: [3, 2, 1, 4, 5], in: words))
  }
}
