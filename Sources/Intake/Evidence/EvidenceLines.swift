public import Domain

/// One piece of Apple evidence as it stands in its file.
public struct EvidenceLine: Hashable, Sendable {
  public var bytes: [UInt8]
  /// First line of the item, from 1.
  public var line: Int

  public init(bytes: [UInt8], line: Int) {
    self.bytes = bytes
    self.line = line
  }
}

/// What one item of an evidence file came to.
public enum EvidenceLineResult: Hashable, Sendable {
  case item(EvidenceLine)
  /// An item longer than `IntakeLimits.evidenceBytesMax`, with its first bytes.
  case parked(ParkedItem)
}

/// Splits a file of Apple evidence into its items: one per line, or the whole file.
///
/// The whole file is one item when it is DER, or a JSON document whose first line is not complete by itself.
/// Lines end in a line feed, with or without a carriage return; blank ones are no items; spaces at the start
/// stay.
public struct EvidenceLines {
  private var window: InputWindow
  private var isWhole = false

  /// Opens a file; `-` is standard input.
  ///
  /// - Throws: `IntakeError` when it cannot be read.
  public init(path: String) throws(IntakeError) {
    try self.init(window: InputWindow(path: path))
  }

  /// Splits bytes that were kept of a file, as they stand at `line` of it.
  public init(bytes: [UInt8], file: String, line: Int = 1) throws(IntakeError) {
    var window = InputWindow(bytes: bytes, file: file)
    window.line = line
    try self.init(window: window)
  }

  private init(window opened: InputWindow) throws(IntakeError) {
    window = opened
    try window.skipByteOrderMark()
    try window.require(2)
    if Self.isDER(window) {
      isWhole = true
      return
    }
    try skipBlankLines()
    isWhole = try isDocumentOfManyLines()
  }

  /// Passes over the first items of the file, those that an earlier attempt stored.
  ///
  /// - Throws: `IntakeError` when the file has fewer items, or cannot be read.
  public mutating func skip(items: Int) throws(IntakeError) {
    for passed in 0..<max(0, items) where try next() == nil {
      throw IntakeError(
        file: window.file, reason: "it ends after \(passed) items, but \(items) of it were read before",
        hint: "Give the file that the earlier attempt read, or ingest this one as a new file.")
    }
  }

  /// Reads the next item; nil at the end of the file.
  ///
  /// - Throws: `IntakeError` when the file cannot be read any further.
  public mutating func next() throws(IntakeError) -> EvidenceLineResult? {
    let limit = IntakeLimits.evidenceBytesMax
    if isWhole {
      guard window.count > 0 else { return nil }
      let (kept, byteCount) = try window.takeRest(limit: limit)
      return byteCount == kept.count
        ? .item(EvidenceLine(bytes: kept, line: window.line)) : park(kept, byteCount, line: window.line)
    }
    let content = try skipBlankLines()
    let line = window.line
    switch content {
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

  private func park(_ kept: [UInt8], _ byteCount: Int, line: Int) -> EvidenceLineResult {
    .parked(
      ParkedItem(
        kind: "apple", file: window.file, line: line, field: "",
        reason: "the item is longer than the limit of \(IntakeLimits.evidenceBytesMax) bytes",
        raw: kept, byteCount: byteCount))
  }

  /// Consumes blank lines and finds the one behind them without consuming it.
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

  /// A SEQUENCE whose length takes more than one byte, or is not given.
  private static func isDER(_ window: InputWindow) -> Bool {
    window.count >= 2 && window.bytes[window.start] == 0x30
      && (0x80...0x84).contains(window.bytes[window.start + 1])
  }

  private mutating func isDocumentOfManyLines() throws(IntakeError) -> Bool {
    let limit = IntakeLimits.evidenceBytesMax
    guard case .whole(let content, let next) = try window.peekLine(limit: limit) else { return false }
    guard let first = content.first(where: { !ASCII.isSpace(window.bytes[$0]) }),
      window.bytes[first] == ASCII.openBrace || window.bytes[first] == ASCII.openBracket
    else { return false }
    var shape = JSONShape()
    shape.follow(window.bytes.span.extracting(content))
    if shape.isComplete { return false }
    // The line that follows may not be in the window yet; the first one must stay.
    var offset = next - window.start
    while true {
      while offset < window.count, ASCII.isSpace(window.bytes[window.start + offset]) { offset += 1 }
      if offset < window.count { return shape.continues(with: window.bytes[window.start + offset]) }
      if offset > limit { return false }
      if try !window.fill() { return false }
    }
  }
}
