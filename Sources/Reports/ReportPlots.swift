internal import JobCore
internal import Wording

/// Plots of the financial reports as inline SVG. Long labels wrap.
enum ReportPlots {
  /// One bar of several parts.
  struct Stack {
    var label: String
    var parts: [Int128]
    var text: String
  }

  private static let width = ReportDrawing.width
  /// Right edge of labels, and left and right edge of horizontal bars.
  private static let (labelEnd, left, right) = (250, 260, 470)
  private static let lineHeight = 17
  /// Size of the text on phones, for which labels wrap.
  private static let textSize = 15.0

  /// Draws totals and the changes between them as horizontal bars on one scale.
  static func cascade(_ steps: [ReportDrawing.Bar]) -> String {
    var spans: [(low: Int128, high: Int128)] = []
    var sum: Int128 = 0
    for step in steps {
      let begin = step.isTotal ? 0 : sum
      sum = step.isTotal ? step.value : sum + step.value
      spans.append((min(begin, sum), max(begin, sum)))
    }
    let (least, most) = (spans.map(\.low).min() ?? 0, spans.map(\.high).max() ?? 0)
    let position = { (value: Int128) in left + Int(Int128(right - left) * (value - least) / max(1, most - least)) }
    var (svg, top) = ("", 0)
    for (step, span) in zip(steps, spans) {
      let tone = step.isTotal ? 1 : step.value < 0 ? 4 : 2
      let length = step.value == 0 ? 0 : max(2, position(span.high) - position(span.low))
      svg += row(step.label, step.shown, at: top, bars: [(position(span.low), length, tone)])
      top += height(of: step.label)
    }
    return ReportDrawing.frame(svg, height: top, style: "plot")
  }

  /// Draws the shares of parts, with a legend.
  static func stacks(_ rows: [Stack], legend: [(label: String, tone: Int)]) -> String {
    var (svg, x, top) = ("", 0, 0)
    for entry in legend {
      let room = 22 + Int(measure(entry.label)) + 18
      if x > 0, x + room > width { (x, top) = (0, top + lineHeight) }
      svg += bar(x, top + 3, 14, 11, tone: entry.tone) + ReportDrawing.text(x + 20, top + 13, entry.label)
      x += room
    }
    top += lineHeight + 8
    for row in rows {
      let whole = max(1, row.parts.reduce(0, +))
      var at = left
      let bars = zip(row.parts, legend).map { part, entry in
        let length = part == 0 ? 0 : max(2, Int(Int128(right - left) * part / whole))
        defer { at += length }
        return (at, min(length, right - at), entry.tone)
      }
      svg += self.row(row.label, row.text, at: top, bars: bars)
      top += height(of: row.label)
    }
    return ReportDrawing.frame(svg, height: top, style: "plot")
  }

  /// Draws columns over time. The largest and the last value are written above them.
  static func columns(_ all: [ReportDrawing.Bar], tone: Int = 1, in words: Catalogue) -> String {
    guard let first = all.first, let last = all.last, let most = all.max(by: { $0.value < $1.value }), most.value > 0 else {
      return ReportDrawing.empty(words("chart.none"))
    }
    let (high, low) = (28, 150)
    let step = min(60, width / all.count)
    var svg = "<line class=\"axis\" x1=\"0\" x2=\"\(width)\" y1=\"\(low)\" y2=\"\(low)\"/>"
    for (index, column) in all.enumerated() {
      let height = column.value <= 0 ? 0 : max(2, Int(Int128(low - high) * column.value / most.value))
      svg += "<g><title>\(Markup.escaped("\(column.label): \(column.shown)", quotes: false))</title>"
      svg += bar(index * step + 1, low - height, max(1, step - 3), height, tone: tone) + "</g>"
    }
    svg += ReportDrawing.text(0, 16, words("chart.most", ["label": most.label, "value": most.shown]), style: "v")
    svg += ReportDrawing.text(0, low + 18, first.label)
    svg += ReportDrawing.text(max(150, all.count * step), low + 18, last.label, anchor: "end")
    return ReportDrawing.frame(svg, height: low + 26, style: "plot")
  }

  /// Draws a small line of values, oldest first; empty for fewer than two.
  static func trend(_ values: [Int128]) -> String {
    guard values.count > 1, let least = values.min(), let most = values.max() else { return "" }
    let points = values.enumerated().map { index, value in
      let y = most == least ? 10 : 18 - Int(16 * (value - least) / (most - least))
      return "\(2 + 96 * index / (values.count - 1)),\(y)"
    }
    let line = "<polyline class=\"l1\" points=\"\(points.joined(separator: " "))\"/>"
    return "<svg class=\"trend\" viewBox=\"0 0 100 20\" aria-hidden=\"true\">\(line)</svg>"
  }

  // MARK: Parts

  private static func row(_ label: String, _ value: String, at top: Int, bars: [(x: Int, length: Int, tone: Int)]) -> String {
    let lines = wrapped(label).enumerated().map { index, line in
      ReportDrawing.text(labelEnd, top + 13 + index * lineHeight, line, anchor: "end")
    }
    return lines.joined() + bars.map { bar($0.x, top + 2, $0.length, 14, tone: $0.tone) }.joined()
      + ReportDrawing.text(width, top + 13, value, anchor: "end", style: "v")
  }

  private static func height(of label: String) -> Int { wrapped(label).count * lineHeight + 6 }

  /// Splits a label into lines at blanks, and between letters of languages without blanks.
  private static func wrapped(_ label: String) -> [String] {
    var lines = [""]
    for word in pieces(label) {
      if !lines[lines.count - 1].isEmpty, measure(lines[lines.count - 1] + word) > Double(labelEnd) { lines.append("") }
      lines[lines.count - 1] += word
    }
    return lines.map { $0.drop { $0 == " " } }.map(String.init)
  }

  private static func pieces(_ label: String) -> [String] {
    label.reduce(into: [""]) { pieces, letter in
      if letter == " " || isWide(letter) || pieces[pieces.count - 1].last.map(isWide) == true { pieces.append("") }
      pieces[pieces.count - 1].append(letter)
    }
  }

  private static func isWide(_ letter: Character) -> Bool { letter.unicodeScalars.first.map { $0.value >= 0x2E80 } == true }

  /// Returns the estimated width of a text on phones.
  private static func measure(_ text: String) -> Double { text.reduce(0) { $0 + (isWide($1) ? textSize : textSize * 0.6) } }

  private static func bar(_ x: Int, _ y: Int, _ width: Int, _ height: Int, tone: Int) -> String {
    "<rect class=\"k\(tone)\" x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\"/>"
  }
}
