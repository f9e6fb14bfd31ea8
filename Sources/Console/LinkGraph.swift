internal import JobCore
internal import Wording

/// A drawing of a case's linked subjects: the case in the middle, the others in two columns with the reason of each link.
enum LinkGraph {
  private static let rowHeight = 34
  private static let width = 960
  private static let textCharactersMax = 44

  /// Returns the SVG text; empty if nothing is linked.
  static func drawing(subject: String, _ linked: ReportTable, in words: Catalogue) throws -> String {
    let records = try linked.records.filter { try !$0.text("case_id").isEmpty }.prefix(ConsoleLimits.linksMax)
    guard !records.isEmpty else { return "" }
    let rows = (records.count + 1) / 2
    let height = max(2, rows) * rowHeight + 20
    let middle = height / 2
    var svg = "<svg viewBox=\"0 0 \(width) \(height)\" role=\"img\" aria-label=\"\(Markup.escaped(words("case.graph")))\">"
    for (index, record) in records.enumerated() {
      let isLeft = index % 2 == 0
      let y = 24 + index / 2 * rowHeight
      let x = isLeft ? 320 : 640
      svg += "<line class=\"axis\" x1=\"480\" y1=\"\(middle)\" x2=\"\(x)\" y2=\"\(y)\"/>"
      let anchor = isLeft ? "end" : "start"
      let at = isLeft ? x - 6 : x + 6
      let (name, link) = try (linked.phrase("subject", record.text("subject")), linked.phrase("link", record.text("link")))
      svg +=
        try "<a href=\"/cases/\(Markup.escaped(record.text("case_id")))\"><text class=\"v\" x=\"\(at)\" y=\"\(y)\" "
        + "text-anchor=\"\(anchor)\">\(short(words(name)))</text></a>"
      svg += "<text x=\"\(at)\" y=\"\(y + 13)\" text-anchor=\"\(anchor)\">\(short(words(link)))</text>"
    }
    svg += "<circle class=\"k1\" cx=\"480\" cy=\"\(middle)\" r=\"7\"/>"
    svg += "<text class=\"v\" x=\"480\" y=\"\(middle - 12)\" text-anchor=\"middle\">\(short(subject))</text>"
    return svg + "</svg>"
  }

  private static func short(_ text: String) -> String {
    Markup.escaped(text.count > textCharactersMax ? text.prefix(textCharactersMax - 1) + "…" : text)
  }
}
