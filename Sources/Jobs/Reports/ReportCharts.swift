/// Small drawings as inline SVG; all numbers come from the tables beside them.
struct ReportCharts {
  struct Chart {
    var title: String
    var svg: String
  }

  /// Classes drawn; the rest is one more bar.
  static let barsMax = 9
  private static let width = 600

  let contents: ReportContents
  let kind: ReportKind

  var all: [Chart] {
    var charts: [Chart] = []
    if kind.hasDaily { charts += [days, rungs] }
    if kind.hasBreaks { charts += [classes, ages] }
    return charts
  }

  /// Charges and orders a day over the last weeks.
  private var days: Chart {
    var order: [String] = []
    var totals: [String: (charges: Int64, orders: Int64)] = [:]
    for row in contents.days.records {
      let day = row.text("day")
      if totals[day] == nil { order.append(day) }
      totals[day, default: (0, 0)].charges += row.int("tx_count")
      totals[day, default: (0, 0)].orders += row.int("order_count")
    }
    order.sort()
    let title = "Charges and orders a day"
    let top = totals.values.map { max($0.charges, $0.orders) }.max() ?? 0
    guard order.count > 1, top > 0 else {
      return Chart(title: title, svg: Self.empty("no charges in these days"))
    }
    let (left, right, high, low) = (44, 590, 26, 148)
    let x = { (index: Int) in left + (right - left) * index / (order.count - 1) }
    let y = { (value: Int64) in low - Int(Int64(low - high) * value / top) }
    let line = { (value: (String) -> Int64) in
      order.enumerated().map { "\(x($0)),\(y(value($1)))" }.joined(separator: " ")
    }
    var svg = "<line class=\"axis\" x1=\"\(left)\" x2=\"\(right)\" y1=\"\(low)\" y2=\"\(low)\"/>"
    svg += "<line class=\"axis\" x1=\"\(left)\" x2=\"\(right)\" y1=\"\(high)\" y2=\"\(high)\"/>"
    svg += Self.text(left - 6, high + 4, ReportPage.grouped(top), anchor: "end")
    svg += Self.text(left - 6, low + 4, "0", anchor: "end")
    svg += "<polyline class=\"l1\" points=\"\(line { totals[$0]?.charges ?? 0 })\"/>"
    svg += "<polyline class=\"l2\" points=\"\(line { totals[$0]?.orders ?? 0 })\"/>"
    svg +=
      Self.text(left, low + 17, order.first ?? "")
      + Self.text(right, low + 17, order.last ?? "", anchor: "end")
    svg +=
      "<rect class=\"k1\" x=\"\(left)\" y=\"6\" width=\"16\" height=\"3\"/>"
      + Self.text(left + 22, 11, "Apple charged")
    svg += "<rect class=\"k4\" x=\"\(left + 120)\" y=\"6\" width=\"16\" height=\"3\"/>"
    svg += Self.text(left + 142, 11, "we booked")
    return Chart(title: title, svg: Self.frame(svg, height: 170))
  }

  /// What became of all charges to date.
  private var rungs: Chart {
    let rows = contents.daily.records.filter { $0["scope"] == "to_date" && $0["environment"] == "Production" }
    let parts = ReportIdentity.chargeParts.map { part in
      (label: part.label, value: rows.reduce(0) { $0 + $1.int(part.column) })
    }
    return Chart(
      title: "What became of the charges, to date", svg: bars(parts, tones: [1, 2, 3, 4, 4, 5, 6]))
  }

  private var classes: Chart {
    var totals: [String: Int64] = [:]
    for row in contents.ageing.records { totals[row.text("class"), default: 0] += row.int("closing_count") }
    let sorted = totals.filter { $0.value > 0 }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    var parts = sorted.prefix(Self.barsMax).map { (label: $0.key, value: $0.value) }
    let rest = sorted.dropFirst(Self.barsMax)
    if !rest.isEmpty {
      parts.append((label: "\(rest.count) more classes", value: rest.reduce(0) { $0 + $1.value }))
    }
    return Chart(title: "Open breaks by class", svg: bars(parts, tones: []))
  }

  private var ages: Chart {
    let parts = ReportPage.buckets.map { bucket in
      (label: bucket.label, value: contents.ageing.records.reduce(0) { $0 + $1.int(bucket.count) })
    }
    return Chart(title: "Open breaks by age", svg: bars(parts, tones: [3, 2, 1, 4, 5]))
  }

  /// Horizontal bars with their values; one tone for all when none are given.
  private func bars(_ parts: [(label: String, value: Int64)], tones: [Int]) -> String {
    let top = parts.map(\.value).max() ?? 0
    guard top > 0 else { return Self.empty("nothing to show") }
    let (left, room, step) = (210, 310, 21)
    var svg = ""
    for (index, part) in parts.enumerated() {
      let y = index * step
      let length = part.value == 0 ? 0 : max(2, Int(Int64(room) * part.value / top))
      let tone = index < tones.count ? tones[index] : 1
      svg += Self.text(left - 8, y + 14, part.label, anchor: "end")
      svg +=
        "<rect class=\"k\(tone)\" x=\"\(left)\" y=\"\(y + 3)\" width=\"\(length)\" height=\"14\" rx=\"2\"/>"
      svg += Self.text(left + length + 6, y + 14, ReportPage.grouped(part.value), style: "v")
    }
    return Self.frame(svg, height: max(1, parts.count) * step + 4)
  }

  private static func frame(_ body: String, height: Int) -> String {
    "<svg viewBox=\"0 0 \(width) \(height)\" role=\"img\">\(body)</svg>"
  }

  private static func empty(_ text: String) -> String { frame(Self.text(0, 16, text), height: 24) }

  private static func text(
    _ x: Int, _ y: Int, _ text: String, anchor: String = "start", style: String = ""
  ) -> String {
    "<text class=\"\(style)\" x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\">\(escaped(text))</text>"
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.append(character)
      }
    }
  }
}
