internal import JobCore
internal import Wording

/// Line and bar charts as inline SVG.
enum ReportDrawing {
  static let width = 600

  /// One value per day from the first day. A line may end before the others.
  struct Line {
    var label: String
    var values: [Int128]
  }

  struct Bar {
    var label: String
    var value: Int128
    /// Text beside the bar; nil for the value.
    var text: String?
    /// Whether the value is a total; false for a change in a cascade.
    var isTotal = false

    var shown: String { text ?? ReportPage.grouped(value) }
  }

  /// Draws two lines over days, the second one dashed, and a shaded band between two bounds.
  static func lines(days: [String], _ first: Line, _ second: Line, band: (low: [Int128], high: [Int128])? = nil) -> String {
    let values = first.values + second.values + (band?.high ?? [])
    let (bottom, top) = (min(0, values.min() ?? 0), max(1, values.max() ?? 1))
    let (left, right, high, low) = (44, 590, 26, 148)
    let point = { (index: Int, value: Int128) in
      let x = left + (right - left) * index / max(1, days.count - 1)
      return "\(x),\(low - Int(Int128(low - high) * (value - bottom) / (top - bottom)))"
    }
    let points = { (values: [Int128]) in values.enumerated().map { point($0, $1) } }
    var svg = ""
    if let band {
      let edge = points(band.high) + points(band.low).reversed()
      svg += "<polygon class=\"band\" points=\"\(edge.joined(separator: " "))\"/>"
    }
    for y in [low, high] { svg += "<line class=\"axis\" x1=\"\(left)\" x2=\"\(right)\" y1=\"\(y)\" y2=\"\(y)\"/>" }
    svg += text(left - 6, high + 4, ReportPage.grouped(top), anchor: "end")
    svg += text(left - 6, low + 4, ReportPage.grouped(bottom), anchor: "end")
    svg += "<polyline class=\"l1\" points=\"\(points(first.values).joined(separator: " "))\"/>"
    svg += "<polyline class=\"l2\" points=\"\(points(second.values).joined(separator: " "))\"/>"
    svg += text(left, low + 17, days.first ?? "") + text(right, low + 17, days.last ?? "", anchor: "end")
    for (x, tone, label) in [(left, 1, first.label), (left + 120, 4, second.label)] {
      svg += "<rect class=\"k\(tone)\" x=\"\(x)\" y=\"6\" width=\"16\" height=\"3\"/>" + text(x + 22, 11, label)
    }
    return frame(svg, height: 170)
  }

  /// Draws horizontal bars with their values. Without tones, all bars have the same.
  static func bars(_ parts: [Bar], tones: [Int], in words: Catalogue) -> String {
    let top = parts.map(\.value).max() ?? 0
    guard top > 0 else { return empty(words("chart.none")) }
    let (left, room, step) = (210, 310, 21)
    var svg = ""
    for (index, part) in parts.enumerated() {
      let y = index * step
      let length = part.value == 0 ? 0 : max(2, Int(Int128(room) * part.value / top))
      let tone = index < tones.count ? tones[index] : 1
      svg += text(left - 8, y + 14, part.label, anchor: "end")
      svg += "<rect class=\"k\(tone)\" x=\"\(left)\" y=\"\(y + 3)\" width=\"\(length)\" height=\"14\" rx=\"2\"/>"
      svg += text(left + length + 6, y + 14, part.shown, style: "v")
    }
    return frame(svg, height: max(1, parts.count) * step + 4)
  }

  static func frame(_ body: String, height: Int, style: String? = nil) -> String {
    "<svg\(style.map { " class=\"\($0)\"" } ?? "") viewBox=\"0 0 \(width) \(height)\" role=\"img\">\(body)</svg>"
  }

  static func empty(_ text: String) -> String { frame(Self.text(0, 16, text), height: 24) }

  static func text(_ x: Int, _ y: Int, _ text: String, anchor: String = "start", style: String = "") -> String {
    "<text class=\"\(style)\" x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\">\(Markup.escaped(text, quotes: false))</text>"
  }
}
