internal import Domain

struct TextTable {
  /// Maximum number of rows, which are kept in memory for the layout. A longer list ends with a note.
  static let rowsMax = 10_000
  private static let gap = "  "
  /// Minimum width of a truncated text, so that the beginning of an id stays readable.
  private static let truncatedWidth = 11
  /// Terminal colours of severities and verdicts.
  private static let tones = [
    "critical": "\u{1B}[1;31m", "failed": "\u{1B}[1;31m", "high": "\u{1B}[31m", "breaks": "\u{1B}[31m",
    "incomplete": "\u{1B}[31m", "medium": "\u{1B}[33m", "warnings": "\u{1B}[33m", "low": "\u{1B}[2m",
    "clean": "\u{1B}[32m",
  ]
  private static let headTone = "\u{1B}[1m"
  private static let plain = "\u{1B}[0m"

  /// Whether words are coloured, which only a terminal supports.
  var isColoured = false
  /// Width of the terminal in columns; nil for unlimited lines. On a terminal, empty columns are left out and long texts are truncated.
  /// Numbers and instants are never truncated. Columns without room are named below the table.
  var room: Int?

  private var columns: [String] = []
  private var isRight: [Bool] = []
  private var hasInstants: [Bool] = []
  private var widths: [Int] = []
  private var cellWidths: [Int] = []
  private var rows: [[String]] = []
  private var moreCount = 0

  mutating func begin(columns: [String]) {
    self.columns = columns
    isRight = columns.map { _ in false }
    hasInstants = isRight
    widths = columns.map(Self.width)
    cellWidths = columns.map { _ in 0 }
  }

  mutating func add(_ cells: [String?], isNumeric: [Bool]) {
    guard rows.count < Self.rowsMax else {
      moreCount += 1
      return
    }
    isRight = isNumeric
    let row = cells.enumerated().map { place, cell in
      let text = Self.printable(cell ?? "")
      guard room != nil, let instant = Timestamp.toTheSecond(text) else { return text }
      hasInstants[place] = true
      return instant
    }
    for (place, cell) in row.enumerated() {
      cellWidths[place] = max(cellWidths[place], Self.width(cell))
      widths[place] = max(widths[place], cellWidths[place])
    }
    rows.append(row)
  }

  /// The header, the rows, and the number of rows that are not shown.
  var text: String {
    let shown = layout()
    let head = line(columns, shown)
    var lines = [isColoured ? Self.headTone + head + Self.plain : head] + rows.map { line($0, shown) }
    let hidden = columns.indices.filter { place in cellWidths[place] > 0 && !shown.contains { $0.place == place } }
    if !hidden.isEmpty {
      lines.append("… no room for \(hidden.map { columns[$0] }.joined(separator: ", ")): take a wider terminal, or --format csv")
    }
    if moreCount > 0 { lines.append("… and \(moreCount) more rows: take a --limit, or --format csv for all of them") }
    return lines.map { "\($0)\n" }.joined()
  }

  private func layout() -> [(place: Int, width: Int)] {
    guard let room else { return widths.enumerated().map { ($0, $1) } }
    // The first column identifies the row and is often copied.
    func least(_ place: Int) -> Int {
      max(isRight[place] || hasInstants[place] || place == 0 ? min(cellWidths[place], room) : 0, min(widths[place], Self.truncatedWidth))
    }
    var shown: [(place: Int, width: Int)] = []
    var taken = 0
    for place in columns.indices where rows.isEmpty || cellWidths[place] > 0 {
      let more = least(place) + (shown.isEmpty ? 0 : Self.gap.count)
      guard shown.isEmpty || taken + more <= room else { break }
      taken += more
      shown.append((place, least(place)))
    }
    // Remaining width goes to the narrowest column that needs more.
    while taken < room,
      let next = shown.indices.filter({ shown[$0].width < widths[shown[$0].place] })
        .min(by: { shown[$0].width < shown[$1].width })
    {
      shown[next].width += 1
      taken += 1
    }
    return shown
  }

  private static func truncated(_ text: String, to width: Int) -> String {
    guard self.width(text) > width else { return text }
    var taken = 0
    let kept = text.unicodeScalars.prefix { scalar in
      taken += self.width(scalar)
      return taken < width
    }
    return String(String.UnicodeScalarView(kept)) + "…"
  }

  private func line(_ cells: [String], _ shown: [(place: Int, width: Int)]) -> String {
    let padded = shown.map { place, width in
      let cell = Self.truncated(cells[place], to: width)
      let room = String(repeating: " ", count: max(0, width - Self.width(cell)))
      let toned = isColoured ? Self.tones[cell].map { $0 + cell + Self.plain } ?? cell : cell
      return isRight[place] ? room + toned : toned + room
    }
    let line = padded.joined(separator: Self.gap)
    return String(line.reversed().drop { $0 == " " }.reversed())
  }

  /// Replaces characters that control a terminal.
  private static func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: isControl) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? "\u{FFFD}" : $0 }))
  }

  /// Whether a character is a control character or changes the text direction.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// Returns the width of a text in terminal columns.
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
