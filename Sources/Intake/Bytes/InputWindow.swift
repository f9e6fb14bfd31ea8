internal import Glibc
internal import Wording

/// The part of an input in memory. It grows to contain one item, and advances as items are consumed.
struct InputWindow {
  /// One physical line in the window.
  enum Line {
    /// Range of the content without the line ending, and the position of the next line.
    case whole(content: Range<Int>, next: Int)
    /// The line exceeds the limit.
    case overlong
    case end
  }

  let file: String
  private let source: ByteSource?
  /// Storage; bytes beyond `end` are undefined.
  private(set) var bytes: [UInt8]
  /// Position of the first byte that was not consumed.
  private(set) var start = 0
  private(set) var end: Int
  /// Whether the window extends to the end of the input.
  private(set) var isComplete: Bool
  /// Line number of the byte at `start`, from 1.
  var line = 1
  /// The last two bytes read from the input, oldest first.
  private var lastBytes: [UInt8] = []
  /// The form of the input's line ends.
  var lineEnd = LineEnd.byte

  init(path: String) throws(IntakeError) {
    file = path
    source = try ByteSource(path: path)
    bytes = []
    end = 0
    isComplete = false
  }

  init(bytes: [UInt8], file: String) {
    self.file = file
    source = nil
    self.bytes = bytes
    end = bytes.count
    isComplete = true
    lastBytes = bytes.suffix(2)
  }

  /// Reason why the ended input is incomplete; nil when no fault is known.
  var fault: Phrase? { source?.fault }

  /// Whether everything was consumed and the last line lacks a line end.
  var endsInLine: Bool {
    isComplete && count == 0 && !lastBytes.isEmpty && !lastBytes.suffix(lineEnd.width).elementsEqual(lineEnd.bytes)
  }

  /// Number of bytes in the window that were not consumed.
  var count: Int { end - start }

  /// Consumes bytes up to a position at the start of a line.
  mutating func consume(to position: Int, newlines: Int) {
    start = position
    line += newlines
  }

  /// Reads more bytes and invalidates positions. Returns false at the end of the input.
  mutating func fill() throws(IntakeError) -> Bool {
    guard !isComplete, let source else { return false }
    moveToFront()
    // A fill at least doubles a long item, so that a slow pipe cannot cause quadratic rescans.
    let wanted = max(1, min(count, IntakeLimits.chunkBytes))
    if bytes.count - end < IntakeLimits.chunkBytes {
      let growth = max(IntakeLimits.chunkBytes, bytes.count)
      bytes.append(contentsOf: repeatElement(0, count: growth))
    }
    var gained = 0
    while gained < wanted {
      let read = try source.read(into: &bytes, from: end)
      if read == 0 {
        isComplete = true
        break
      }
      end += read
      gained += read
      lastBytes = read > 1 ? [bytes[end - 2], bytes[end - 1]] : lastBytes.suffix(1) + [bytes[end - 1]]
    }
    return gained > 0
  }

  /// Reads until the window has `wanted` bytes or the input ends.
  mutating func require(_ wanted: Int) throws(IntakeError) {
    while count < wanted, try fill() {}
  }

  /// Skips the byte order mark of UTF-8.
  ///
  /// - Parameter hasSetting: whether a setting can name the encoding of such a file.
  /// - Throws: `IntakeError` naming the encoding of UTF-16 or UTF-32 text.
  mutating func begin(hasSetting: Bool = false) throws(IntakeError) {
    try require(Self.encodingBytes)
    if let encoding = wideEncoding {
      throw IntakeError(
        file: file, reason: Phrase("intake.encoding", ["encoding": .plain(encoding)]),
        hint: (hasSetting ? "Name the encoding in the settings, or convert it" : "Convert it")
          + " with `iconv -f \(encoding) -t UTF-8`.")
    }
    if count >= 3, bytes[start] == 0xEF, bytes[start + 1] == 0xBB, bytes[start + 2] == 0xBF { start += 3 }
  }

  /// Skips a byte order mark, and decides how the text is encoded: by the mark, or else as declared.
  ///
  /// - Parameter declared: nil for UTF-8.
  /// - Throws: `IntakeError` for UTF-16 without a mark that is not declared.
  mutating func begin(declared: TextEncoding?) throws(IntakeError) -> TextEncoding {
    try require(TextEncoding.sampleBytes)
    let head = bytes[start..<end]
    let isWide = head.starts(with: [0xFF, 0xFE, 0, 0]) || head.starts(with: [0, 0, 0xFE, 0xFF])
    guard !isWide, let mark = TextEncoding.marked(head) else {
      guard let declared, !isWide else {
        try begin(hasSetting: true)
        return .utf8
      }
      let encoding = declared.hasOpenByteOrder ? TextEncoding.byteOrder(head) : declared
      lineEnd = encoding.lineEnd
      return encoding
    }
    start += mark.byteCount
    lineEnd = mark.encoding.lineEnd
    return mark.encoding
  }

  /// Number of bytes whose zeros reveal the encoding.
  private static let encodingBytes = 16

  /// UTF-16 or UTF-32, detected by its byte order mark or by alternating zero bytes; nil for anything else.
  private var wideEncoding: String? {
    let head = bytes[start..<min(end, start + Self.encodingBytes)]
    if head.starts(with: [0xFF, 0xFE, 0, 0]) || head.starts(with: [0, 0, 0xFE, 0xFF]) { return "UTF-32" }
    if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { return "UTF-16" }
    let pairs = head.count / 2
    guard pairs >= 2 else { return nil }
    let firsts = (0..<pairs).map { head[start + 2 * $0] }
    let seconds = (0..<pairs).map { head[start + 2 * $0 + 1] }
    if seconds.allSatisfy({ $0 == 0 }), !firsts.contains(0) { return "UTF-16LE" }
    return firsts.allSatisfy { $0 == 0 } && !seconds.contains(0) ? "UTF-16BE" : nil
  }

  /// Returns the next line without consuming it.
  mutating func peekLine(limit: Int) throws(IntakeError) -> Line {
    var searched = 0
    while true {
      if let position = newline(from: start + searched) {
        let content = start..<(hasReturn(before: position) ? position - lineEnd.width : position)
        return content.count <= limit ? .whole(content: content, next: position + lineEnd.width) : .overlong
      }
      searched = count - count % lineEnd.width
      // The byte after the limit may be the carriage return of the line ending.
      if searched > limit + 1 { return .overlong }
      if try !fill() {
        if count == 0 { return .end }
        return count <= limit ? .whole(content: start..<end, next: end) : .overlong
      }
    }
  }

  /// Consumes the line at `start`, whatever its length.
  ///
  /// - Returns: its first bytes, and its length without the line ending.
  mutating func takeOverlongLine() throws(IntakeError) -> (kept: [UInt8], byteCount: Int) {
    try require(IntakeLimits.overlongBytesKept)
    var kept: [UInt8] = []
    var length = 0
    var lastByte: UInt8 = 0
    while true {
      if let position = newline(from: start) {
        keep(&kept, upTo: position)
        length += position - start
        if position > start { lastByte = bytes[position - 1] }
        consume(to: position + lineEnd.width, newlines: 1)
        break
      }
      let stop = end - count % lineEnd.width
      keep(&kept, upTo: stop)
      length += stop - start
      if stop > start { lastByte = bytes[stop - 1] }
      start = stop
      if try !fill() { return (kept, length) }
    }
    if lastByte == ASCII.cr {
      length -= 1
      if kept.count > length { kept.removeLast() }
    }
    return (kept, length)
  }

  /// Consumes the rest of the input. Returns its first bytes, up to a limit, and its length.
  mutating func takeRest(limit: Int) throws(IntakeError) -> (kept: [UInt8], byteCount: Int) {
    while count <= limit, try fill() {}
    if count <= limit {
      let all = Array(bytes[start..<end])
      start = end
      return (all, all.count)
    }
    let kept = Array(bytes[start..<(start + IntakeLimits.overlongBytesKept)])
    var length = 0
    repeat {
      length += count
      start = end
    } while try fill()
    return (kept, length)
  }

  private func keep(_ kept: inout [UInt8], upTo position: Int) {
    let room = IntakeLimits.overlongBytesKept - kept.count
    if room > 0 { kept += bytes[start..<min(position, start + room)] }
  }

  /// Returns whether a carriage return precedes the line feed at a position.
  private func hasReturn(before position: Int) -> Bool {
    let width = lineEnd.width
    guard position - start >= width else { return false }
    return switch lineEnd {
    case .byte: bytes[position - 1] == ASCII.cr
    case .littleEndianPair: bytes[position - 2] == ASCII.cr && bytes[position - 1] == 0
    case .bigEndianPair: bytes[position - 2] == 0 && bytes[position - 1] == ASCII.cr
    }
  }

  private func newline(from position: Int) -> Int? {
    guard lineEnd == .byte else { return pairedNewline(from: position) }
    guard position < end else { return nil }
    return unsafe bytes.withUnsafeBytes { storage in
      guard let base = storage.baseAddress,
        let found = unsafe memchr(base + position, Int32(ASCII.lf), end - position)
      else { return nil }
      return unsafe UnsafeRawPointer(found) - base
    }
  }

  /// Returns the position of the next line feed of two bytes, at an even distance from `start`.
  private func pairedNewline(from position: Int) -> Int? {
    let wanted = lineEnd.bytes
    return stride(from: position, to: end - 1, by: 2).first { bytes[$0] == wanted[0] && bytes[$0 + 1] == wanted[1] }
  }

  private mutating func moveToFront() {
    guard start > 0 else { return }
    let kept = count
    let from = start
    unsafe bytes.withUnsafeMutableBytes { storage in
      guard let base = storage.baseAddress else { return }
      _ = unsafe memmove(base, base + from, kept)
    }
    start = 0
    end = kept
  }
}

/// Bytes with a meaning in the input formats.
enum ASCII {
  static let tab: UInt8 = 0x09
  static let lf: UInt8 = 0x0A
  static let cr: UInt8 = 0x0D
  static let space: UInt8 = 0x20
  static let quote: UInt8 = 0x22
  static let plus: UInt8 = 0x2B
  static let comma: UInt8 = 0x2C
  static let minus: UInt8 = 0x2D
  static let point: UInt8 = 0x2E
  static let zero: UInt8 = 0x30
  static let nine: UInt8 = 0x39
  static let colon: UInt8 = 0x3A
  static let openBracket: UInt8 = 0x5B
  static let openBrace: UInt8 = 0x7B
  static let closeBrace: UInt8 = 0x7D
  static let delete: UInt8 = 0x7F

  static func isDigit(_ byte: UInt8) -> Bool { byte >= zero && byte <= nine }

  static func isSpace(_ byte: UInt8) -> Bool { byte == space || byte == tab || byte == lf || byte == cr }
}
