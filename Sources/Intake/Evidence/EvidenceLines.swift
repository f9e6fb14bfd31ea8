internal import JSON
internal import Wording

/// One piece of Apple evidence from a file.
public struct EvidenceLine: Hashable, Sendable {
  public var bytes: [UInt8]
  /// First line number of the item, from 1.
  public var line: Int
  /// Whether the item may be truncated: it is the whole file, a folded text at its end, or the only line and lacks a line end. Only its own
  /// bytes can show that.
  public var mayBeTruncated: Bool

  public init(bytes: [UInt8], line: Int, mayBeTruncated: Bool = false) {
    self.bytes = bytes
    self.line = line
    self.mayBeTruncated = mayBeTruncated
  }
}

/// The result of reading one item of an evidence file.
public enum EvidenceLineResult: Hashable, Sendable {
  case item(EvidenceLine)
  /// An item longer than `IntakeLimits.evidenceBytesMax`, or the truncated end of the file, with its first bytes.
  case parked(ParkedItem)
}

/// Splits a file of Apple evidence into its items: one per line, or the whole file.
///
/// The whole file is one item in three cases: DER, one JSON document of several lines, and base64 or a signed text folded into lines. If
/// the lines after a truncated first line do not continue it, every line is an item. Lines end with a line feed, with or without a
/// carriage return. Blank lines are skipped; leading spaces are kept.
public struct EvidenceLines {
  private var window: InputWindow
  private var isWhole = false
  private let end: InputEnd
  private var itemCount = 0
  private var isTruncated = false

  /// Opens a file; `-` is standard input.
  ///
  /// - Parameter end: conditions under which the file is complete.
  /// - Throws: `IntakeError` when it cannot be read.
  public init(path: String, end: InputEnd = InputEnd()) throws(IntakeError) {
    window = try InputWindow(path: path)
    self.end = end
    try window.begin()
    try window.require(2)
    if Self.isDER(window) {
      isWhole = true
      return
    }
    try skipBlankLines()
    isWhole = try isDocumentOfManyLines()
  }

  /// Skips the first items of the file, which an earlier attempt stored.
  ///
  /// - Throws: `IntakeError` when the file has fewer items, or cannot be read.
  public mutating func skip(items: Int) throws(IntakeError) {
    for passed in 0..<max(0, items) where try next() == nil {
      throw IntakeError.ends(after: passed, before: items, file: window.file)
    }
  }

  /// Reads the next item; returns nil at the end of the file.
  ///
  /// - Throws: `IntakeError` when reading fails.
  public mutating func next() throws(IntakeError) -> EvidenceLineResult? {
    guard let result = isWhole ? try wholeFile() : try nextLine() else {
      guard !isTruncated, let fault = end.fault(of: window, isEmpty: itemCount == 0, what: "intake.is_empty") else { return nil }
      return truncated([], fault, line: window.line)
    }
    itemCount += 1
    let isAlone = itemCount == 1
    switch result {
    case .item(let item):
      guard let fault = end.fault(of: window) else { return result }
      // A file with a single item often lacks a final line end.
      if isAlone, window.fault == nil {
        return .item(EvidenceLine(bytes: item.bytes, line: item.line, mayBeTruncated: true))
      }
      return truncated(item.bytes, fault, line: item.line)
    case .parked(var item):
      guard let fault = end.fault(of: window) else { return result }
      isTruncated = true
      item.isTruncated = true
      item.reason = fault
      return .parked(item)
    }
  }

  /// Returns the truncated end of the file.
  private mutating func truncated(_ raw: [UInt8], _ reason: Phrase, line: Int) -> EvidenceLineResult {
    isTruncated = true
    return parked(Array(raw.prefix(IntakeLimits.truncatedBytesKept)), raw.count, reason, line: line, isTruncated: true)
  }

  private mutating func wholeFile() throws(IntakeError) -> EvidenceLineResult? {
    guard window.count > 0 else { return nil }
    let line = window.line
    let (kept, byteCount) = try window.takeRest(limit: IntakeLimits.evidenceBytesMax)
    guard byteCount == kept.count else { return park(kept, byteCount, line: line) }
    return .item(EvidenceLine(bytes: kept, line: line, mayBeTruncated: end != .anything))
  }

  private mutating func nextLine() throws(IntakeError) -> EvidenceLineResult? {
    var next = try skipBlankLines()
    let line = window.line
    if case .whole(let content, _) = next, Self.foldedWidths.contains(content.count) {
      if try isFoldedText() { return try foldedText(line: line) }
      // Reading ahead may have moved the window.
      next = try window.peekLine(limit: IntakeLimits.evidenceBytesMax)
    }
    switch next {
    case .end: return nil
    case .overlong:
      let (kept, byteCount) = try window.takeOverlongLine()
      return park(kept, byteCount, line: line)
    case .whole(let content, let next):
      let item = EvidenceLine(bytes: Array(window.bytes[content]), line: line)
      window.consume(to: next, newlines: 1)
      return .item(item)
    }
  }

  /// Reads a folded text, which ends at a line that is shorter than the ones before, or that does not continue it.
  private mutating func foldedText(line: Int) throws(IntakeError) -> EvidenceLineResult {
    var (bytes, byteCount, width) = ([UInt8](), 0, Int.max)
    while case .whole(let content, let next) = try window.peekLine(limit: IntakeLimits.evidenceBytesMax),
      let letters = letters(of: content), letters.count <= width, !isSignedText(bytes, before: letters)
    {
      if byteCount <= IntakeLimits.evidenceBytesMax { bytes += window.bytes[letters] }
      byteCount += letters.count
      // Padding ends base64.
      let isLast = letters.count < width && width < .max || bytes.last == UInt8(ascii: "=")
      width = letters.count
      window.consume(to: next, newlines: next > content.upperBound ? 1 : 0)
      if isLast { break }
    }
    let isAtEnd = window.count == 0 ? try !window.fill() : false
    guard byteCount <= IntakeLimits.evidenceBytesMax else {
      return park(Array(bytes.prefix(IntakeLimits.overlongBytesKept)), byteCount, line: line)
    }
    return .item(EvidenceLine(bytes: bytes, line: line, mayBeTruncated: end != .anything && isAtEnd))
  }

  /// Widths at which `openssl base64` and `base64` fold a text.
  private static let foldedWidths: Set<Int> = [64, 76]

  /// Returns the range of a line without blanks at its end; nil for an empty line, or if it has other characters than a folded text.
  private func letters(of line: Range<Int>) -> Range<Int>? {
    guard let last = window.bytes[line].lastIndex(where: { !ASCII.isSpace($0) }) else { return nil }
    let letters = line.lowerBound..<last + 1
    return window.bytes[letters].allSatisfy(Self.isLetter) ? letters : nil
  }

  /// Returns whether the bytes are a signed text with all three parts, and the next line begins another one.
  private func isSignedText(_ bytes: [UInt8], before next: Range<Int>) -> Bool {
    window.bytes[next].starts(with: "eyJ".utf8) && bytes.starts(with: "eyJ".utf8) && bytes.count { $0 == UInt8(ascii: ".") } == 2
  }

  /// Returns whether a byte can stand in base64 of either alphabet, or between the parts of a signed text.
  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || ASCII.isDigit(byte)
      || [0x2B, 0x2D, 0x2E, 0x2F, 0x3D, 0x5F].contains(byte)
  }

  private func park(_ kept: [UInt8], _ byteCount: Int, line: Int) -> EvidenceLineResult {
    parked(kept, byteCount, Phrase("intake.item_long", ["max": .plain(IntakeLimits.evidenceBytesMax)]), line: line)
  }

  private func parked(
    _ raw: [UInt8], _ byteCount: Int, _ reason: Phrase, line: Int, isTruncated: Bool = false
  ) -> EvidenceLineResult {
    .parked(
      ParkedItem(
        kind: "apple", file: window.file, line: line, field: "", reason: reason, raw: raw, byteCount: byteCount,
        isTruncated: isTruncated))
  }

  /// Skips blank lines and returns the next line without consuming it.
  @discardableResult
  private mutating func skipBlankLines() throws(IntakeError) -> InputWindow.Line {
    while true {
      let line = try window.peekLine(limit: IntakeLimits.evidenceBytesMax)
      guard case .whole(let content, let next) = line, content.allSatisfy({ ASCII.isSpace(window.bytes[$0]) }) else {
        return line
      }
      window.consume(to: next, newlines: next > content.upperBound ? 1 : 0)
    }
  }

  /// Returns whether the file begins with a SEQUENCE of long or indefinite length.
  private static func isDER(_ window: InputWindow) -> Bool {
    window.count >= 2 && window.bytes[window.start] == 0x30
      && (0x80...0x84).contains(window.bytes[window.start + 1])
  }

  /// Returns whether the next line is the start of DER or of a signed text, folded as by `base64` or `openssl base64`, and the line after
  /// it continues it.
  private mutating func isFoldedText() throws(IntakeError) -> Bool {
    guard case .whole(let content, let next) = try window.peekLine(limit: IntakeLimits.evidenceBytesMax),
      window.bytes[content].starts(with: "MI".utf8) || window.bytes[content].starts(with: "ey".utf8),
      window.bytes[content].allSatisfy(Self.isLetter)
    else { return false }
    let (length, width) = (next - window.start, next - content.lowerBound)
    try window.require(length + width + 1)
    let second = window.bytes[(window.start + length)..<window.end].prefix(width + 1).prefix { !ASCII.isSpace($0) }
    return !second.isEmpty && second.count <= content.count && second.allSatisfy(Self.isLetter)
  }

  /// Returns whether the lines form one JSON document, complete or truncated at the end of the file.
  private mutating func isDocumentOfManyLines() throws(IntakeError) -> Bool {
    let limit = IntakeLimits.evidenceBytesMax
    guard case .whole(let content, _) = try window.peekLine(limit: limit) else { return false }
    guard let first = content.first(where: { !ASCII.isSpace(window.bytes[$0]) }),
      window.bytes[first] == ASCII.openBrace || window.bytes[first] == ASCII.openBracket
    else { return false }
    var outline = JSONOutline()
    guard outline.follow(window.bytes.span.extracting(content)) == .open else { return false }
    var followed = content.count
    let lineCount = content.count
    repeat {
      let state = outline.follow(window.bytes.span.extracting((window.start + followed)..<window.end))
      if state == .broken { return false }
      followed = window.count
      // A document of this length is parked as a whole.
      if followed > limit { return true }
    } while try window.fill()
    return outline.state == .complete || !hasObjectLine(from: window.start + lineCount)
  }

  /// Returns whether any line in the window is a complete JSON object, which therefore does not continue a truncated line.
  private func hasObjectLine(from start: Int) -> Bool {
    window.bytes[start..<window.end].split(separator: ASCII.lf).contains { line in
      line.first { !ASCII.isSpace($0) } == ASCII.openBrace && JSONOutline.isComplete(line.span)
    }
  }
}
