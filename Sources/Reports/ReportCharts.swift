internal import JobCore

/// Small drawings as inline SVG; all numbers come from the tables beside them.
struct ReportCharts {
  struct Chart {
    var title: String
    var svg: String
  }

  /// Classes drawn; the rest is one more bar.
  static let barsMax = 9

  let contents: ReportContents
  let kind: ReportKind

  var all: [Chart] {
    get throws {
      var charts: [Chart] = []
      if kind.hasDaily { charts += try [days, rungs] }
      if kind.hasBreaks { charts += try [classes, ages] }
      return charts
    }
  }

  /// Charges and orders a day over the last weeks.
  private var days: Chart {
    get throws {
      var order: [String] = []
      var totals: [String: (charges: Int128, orders: Int128)] = [:]
      for row in contents.days.records {
        let day = try row.text("day")
        if totals[day] == nil { order.append(day) }
        try totals[day, default: (0, 0)].charges += row.int("tx_count")
        try totals[day, default: (0, 0)].orders += row.int("order_count")
      }
      order.sort()
      let title = "Charges and orders a day"
      let top = totals.values.map { max($0.charges, $0.orders) }.max() ?? 0
      guard order.count > 1, top > 0 else {
        return Chart(title: title, svg: ReportDrawing.empty("no charges in these days"))
      }
      let days = order
      let values = { (value: ((charges: Int128, orders: Int128)) -> Int128) in days.map { totals[$0].map(value) ?? 0 } }
      return Chart(
        title: title,
        svg: ReportDrawing.lines(
          days: order, ReportDrawing.Line(label: "Apple charged", values: values { $0.charges }),
          ReportDrawing.Line(label: "we booked", values: values { $0.orders })))
    }
  }

  /// What became of all charges to date.
  private var rungs: Chart {
    get throws {
      let rows = try contents.daily.records.filter { try $0["scope"] == "to_date" && $0["environment"] == "Production" }
      let parts = try ReportIdentity.chargeParts.map { part in
        try ReportDrawing.Bar(label: part.label, value: rows.reduce(0) { try $0 + $1.int(part.column) })
      }
      return Chart(
        title: "What became of the charges, to date", svg: ReportDrawing.bars(parts, tones: [1, 2, 3, 4, 4, 5, 6]))
    }
  }

  private var classes: Chart {
    get throws {
      var totals: [String: Int128] = [:]
      for row in contents.ageing.records { try totals[row.text("class"), default: 0] += row.int("undecided_count") }
      let sorted = totals.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      var parts = sorted.prefix(Self.barsMax).map { ReportDrawing.Bar(label: $0.key, value: $0.value) }
      let rest = sorted.dropFirst(Self.barsMax)
      if !rest.isEmpty {
        parts.append(
          ReportDrawing.Bar(label: "\(rest.count) more classes", value: rest.reduce(0) { $0 + $1.value }))
      }
      return Chart(title: "Undecided breaks by class", svg: ReportDrawing.bars(parts, tones: []))
    }
  }

  private var ages: Chart {
    get throws {
      let parts = try ReportPage.buckets.map { bucket in
        try ReportDrawing.Bar(
          label: bucket.label, value: contents.ageing.records.reduce(0) { try $0 + $1.int(bucket.count) })
      }
      return Chart(title: "Undecided breaks by age", svg: ReportDrawing.bars(parts, tones: [3, 2, 1, 4, 5]))
    }
  }
}
