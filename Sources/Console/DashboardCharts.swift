internal import JobCore
internal import Wording

/// The dashboard's plots as inline SVG. Every bar links to the cases that it counts.
enum DashboardCharts {
  private static let width = 960
  /// Classes with a separate bar. The number of the others is stated below.
  static let barsMax = 15

  /// Draws pending cases by class and rule, with the overdue part of each.
  ///
  /// - Parameter table: rows of `waiting_names.sql`.
  static func classes(_ table: ReportTable, in words: Catalogue) throws -> String {
    let rows = table.records.prefix(barsMax)
    let top = try rows.map { try $0.int("case_count") }.max() ?? 0
    guard top > 0 else { return "" }
    let (left, room, step) = (330, 540, 24)
    var svg = ""
    for (index, row) in rows.enumerated() {
      let (name, count, late) = try (row.text("about"), row.int("case_count"), row.int("late"))
      let length = { (value: Int128) in value == 0 ? 0 : max(2, Int(Int128(room) * value / top)) }
      let y = index * step
      let label = words("chart.class_bar", ["title": words(Headline.title(of: name)), "count": "\(count)", "late": "\(late)"])
      svg += "<a href=\"/queue?name=\(Form.encoded(name))\" aria-label=\"\(escaped(label))\"><title>\(escaped(label))</title>"
      svg += text(left - 8, y + 15, words(Headline.title(of: name)), anchor: "end", style: "v")
      svg += bar(left, y + 4, length(count), 14, tone: 2) + bar(left, y + 4, length(late), 14, tone: 5)
      svg += text(left + length(count) + 6, y + 15, late > 0 ? "\(count) (\(late))" : "\(count)", style: "v") + "</a>"
    }
    let rest = table.records.count - rows.count
    if rest > 0 { svg += text(left, rows.count * step + 14, words("chart.class_rest", ["count": "\(rest)"])) }
    return frame(svg, height: (rows.count + (rest > 0 ? 1 : 0)) * step, title: words("chart.class_title"))
  }

  /// Draws the opened and the decided cases of each day.
  ///
  /// - Parameter table: rows of `flow.sql`.
  static func flow(_ table: ReportTable, in words: Catalogue) throws -> String {
    let rows = table.records
    let top = try rows.map { try max($0.int("opened"), $0.int("decided")) }.max() ?? 0
    guard top > 0, rows.count > 1 else { return "" }
    let (left, high, low) = (44, 26, 146)
    let step = (width - left - 10) / rows.count
    let height = { (value: Int128) in value == 0 ? 0 : max(2, Int(Int128(low - high) * value / top)) }
    var svg = "<line class=\"axis\" x1=\"\(left)\" x2=\"\(width - 10)\" y1=\"\(low)\" y2=\"\(low)\"/>"
    svg += text(left - 6, high + 4, "\(top)", anchor: "end") + text(left - 6, low, "0", anchor: "end")
    for (index, row) in rows.enumerated() {
      let (opened, decided) = try (row.int("opened"), row.int("decided"))
      let x = left + index * step
      let label = try words("chart.flow_day", ["day": row.text("day"), "opened": "\(opened)", "decided": "\(decided)"])
      svg += "<g><title>\(escaped(label))</title>"
      svg += bar(x, low - height(opened), step / 2 - 2, height(opened), tone: 2)
      svg += bar(x + step / 2 - 2, low - height(decided), step / 2 - 2, height(decided), tone: 4) + "</g>"
    }
    svg += try text(left, low + 16, rows[0].text("day")) + text(width - 10, low + 16, rows[rows.count - 1].text("day"), anchor: "end")
    for (x, tone, label) in [(left, 2, "chart.opened" as Phrase), (left + 160, 4, "chart.decided")] {
      svg += bar(x, 4, 14, 10, tone: tone) + text(x + 20, 13, words(label))
    }
    return frame(svg, height: 168, title: words("chart.flow_title"))
  }

  private static func bar(_ x: Int, _ y: Int, _ width: Int, _ height: Int, tone: Int) -> String {
    "<rect class=\"k\(tone)\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\"/>"
  }

  private static func text(_ x: Int, _ y: Int, _ text: String, anchor: String = "start", style: String = "") -> String {
    "<text class=\"\(style)\" x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\">\(escaped(text))</text>"
  }

  private static func frame(_ body: String, height: Int, title: String) -> String {
    "<svg viewBox=\"0 0 \(width) \(height)\" role=\"group\" aria-label=\"\(escaped(title))\">\(body)</svg>"
  }

  private static func escaped(_ text: String) -> String { LinkGraph.escaped(text) }
}
