internal import JobCore
internal import Wording

/// Charts of the renewal report. All numbers come from its tables.
extension RenewalPage {
  func charts() throws -> [ReportChart] { try [days(), outcomes(), money()] }

  /// Returns the forecast and actual renewals of each due day. Days without any reached end have no actual value.
  private func days() throws -> ReportChart {
    let title = words("chart.renewals")
    let ofDay = try Dictionary(grouping: rows) { try $0.text("due_day") }
    let days = ofDay.keys.sorted()
    let sums = { (days: [String], column: String) in
      try days.map { day in try (ofDay[day] ?? []).sum(column) }
    }
    guard days.count > 1, try !sums(days, "forecast_high").allSatisfy({ $0 == 0 }) else {
      return ReportChart(title: title, svg: ReportDrawing.empty(words("chart.renewals_none")))
    }
    let begun = try days.prefix { day in
      try (ofDay[day] ?? []).contains { try $0.int("actual_count") > 0 || $0.int("not_yet_due") < $0.int("due_count") }
    }
    return try ReportChart(
      title: title,
      svg: ReportDrawing.lines(
        days: days, ReportDrawing.Line(label: words("chart.renewed"), values: sums(Array(begun), "actual_count")),
        ReportDrawing.Line(label: words("chart.forecast"), values: sums(days, "forecast_count")),
        band: (low: sums(days, "forecast_low"), high: sums(days, "forecast_high"))))
  }

  private func outcomes() throws -> ReportChart {
    let parts: [(label: Phrase, columns: [String], tone: Int)] = [
      ("outcome.on_time", ["renewed_on_time_count"], 1), ("outcome.in_grace", ["renewed_in_grace_count"], 2),
      ("outcome.recovered", ["recovered_retry_count"], 2), ("outcome.changed", ["upgraded", "downgraded", "crossgraded"], 3),
      ("outcome.trying", ["still_grace", "still_retry"], 4), ("outcome.cancelled", ["expired_voluntary"], 5),
      ("outcome.billing", ["expired_billing"], 5),
      ("outcome.expired", ["expired_price", "expired_unavailable", "expired_unknown", "revoked_before_due"], 5),
      ("outcome.extended", ["extended"], 3), ("outcome.unanswered", ["unpolled", "poll_error"], 6),
      ("outcome.not_yet_due", ["not_yet_due"], 4),
    ]
    let bars = try parts.map { part in
      try ReportDrawing.Bar(
        label: words(part.label),
        value: part.columns.reduce(0) { sum, column in try sum + rows.sum(column) })
    }
    return ReportChart(title: words("renewals.outcomes"), svg: ReportDrawing.bars(bars, tones: parts.map(\.tone), in: words))
  }

  /// Returns the actual money as a share of the forecast, per currency. Only cells whose ends have all passed count.
  private func money() throws -> ReportChart {
    var sums: [String: (forecast: Int128, actual: Int128)] = [:]
    for row in rows where try row.int("not_yet_due") == 0 {
      try sums[row.text("currency"), default: (0, 0)].forecast += row.int("forecast_amount_milliunits")
      try sums[row.text("currency"), default: (0, 0)].actual += row.int("actual_amount_milliunits")
    }
    let bars = sums.filter { $0.value.forecast > 0 }.sorted { $0.key < $1.key }.map { currency, sum in
      let points = sum.actual * 10_000 / sum.forecast
      return ReportDrawing.Bar(label: currency, value: points, text: ReportPage.percent(basisPoints: points))
    }
    return ReportChart(title: words("chart.money"), svg: ReportDrawing.bars(bars, tones: [], in: words))
  }
}
