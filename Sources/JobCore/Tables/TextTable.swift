/// Rows laid out in columns for people.
struct TextTable {
  /// Rows that are laid out at once, and so kept in memory; a longer list says that it goes on.
  static let rowsMax = 10_000
  private static let gap = "  "
  /// What a terminal does to the words of severities and verdicts, and to the head.
  private static let tones = [
    "critical": "\u{1B}[1;31m", "failed": "\u{1B}[1;31m", "high": "\u{1B}[31m", "breaks": "\u{1B}[31m",
    "incomplete": "\u{1B}[31m", "medium": "\u{1B}[33m", "warnings": "\u{1B}[33m", "low": "\u{1B}[2m",
    "clean": "\u{1B}[32m",
  ]
  private static let headTone = "\u{1B}[1m"
  private static let plain = "\u{1B}[0m"

  /// Whether the words are coloured; only what a person reads on a terminal may be.
  var isColoured = false

  private var columns: [String] = []
  private var isRight: [Bool] = []
  private var widths: [Int] = []
  private var rows: [[String]] = []
  private var moreCount = 0

  mutating func begin(columns: [String]) {
    self.columns = columns
    isRight = columns.map { _ in false }
    widths = columns.map(Self.width)
  }

  mutating func add(_ cells: [String?], isNumeric: [Bool]) {
    guard rows.count < Self.rowsMax else {
      moreCount += 1
      return
    }
    isRight = isNumeric
    let row = cells.map { Self.printable($0 ?? "") }
    for (place, cell) in row.enumerated() { widths[place] = max(widths[place], Self.width(cell)) }
    rows.append(row)
  }

  /// The lines: head, rows, and how many rows are not shown.
  var text: String {
    var lines = [isColoured ? Self.headTone + line(columns) + Self.plain : line(columns)] + rows.map(line)
    if moreCount > 0 { lines.append("… and \(moreCount) more rows: take a --limit, or --format csv for all of them") }
    return lines.map { "\($0)\n" }.joined()
  }

  private func line(_ cells: [String]) -> String {
    let padded = cells.enumerated().map { place, cell in
      let room = String(repeating: " ", count: max(0, widths[place] - Self.width(cell)))
      let toned = isColoured ? Self.tones[cell].map { $0 + cell + Self.plain } ?? cell : cell
      return isRight[place] ? room + toned : toned + room
    }
    let line = padded.joined(separator: Self.gap)
    return String(line.reversed().drop { $0 == " " }.reversed())
  }

  /// The text without what a terminal would obey.
  private static func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "\u{FFFD}" : $0 }))
  }

  /// Control characters, and those that turn the direction of the text around them.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Columns of a terminal that a text takes.
  ///
  /// - Source: Unicode Standard Annex 11, "East Asian Width".
  private static func width(_ text: String) -> Int {
    guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text.utf8.count }
    return text.unicodeScalars.reduce(0) { $0 + width($1) }
  }

  private static func width(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
      return 2
    default: return 1
    }
  }
}
