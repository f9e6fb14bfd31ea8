internal import Wording

/// The first record of a CSV file, which names its columns.
struct CSVHeader {
  /// The original bytes without the line ending.
  let bytes: [UInt8]
  let names: [String]
  /// Column of the schema for each name; nil for an unknown name.
  let columns: [Int?]
  let unrecognized: [String]

  /// Reads and consumes the header. An unknown name may be repeated.
  ///
  /// - Parameter kind: kind of the input in commands, such as `orders`.
  /// - Throws: `IntakeError` naming every column that is missing or repeated.
  init(_ window: inout InputWindow, kind: String, columns known: [String], required: Set<String>) throws(IntakeError) {
    let (range, line, hasLineEnd) = try window.takeHeader()
    bytes = Array(window.bytes[range])
    names = try Self.names(in: bytes, hasLineEnd: hasLineEnd, file: window.file, line: line)
    columns = names.map { known.firstIndex(of: $0) }
    unrecognized = names.filter { !known.contains($0) }.map { FlatObject.shown(Array($0.utf8)) }
    try Self.requireComplete(names, kind, known: known, required: required, file: window.file, line: line)
  }

  /// Returns the names in a header.
  ///
  /// - Parameter quote: nil if names have no quotes.
  static func names(
    in header: [UInt8], separator: UInt8 = ASCII.comma, quote: UInt8? = ASCII.quote, hasLineEnd: Bool = false, file: String, line: Int
  ) throws(IntakeError) -> [String] {
    let (range, quote) = (0..<header.count, quote ?? ASCII.lf)
    var fields: [CSVSplitter.Field] = []
    if let fault = CSVSplitter.split(header.span, range, separator: separator, quote: quote, hasLineEnd: hasLineEnd, into: &fields) {
      throw IntakeError(file: file, line: line, reason: Phrase("intake.header_in", ["why": fault.reason]))
    }
    guard fields.count <= IntakeLimits.columnsMax else {
      throw IntakeError(file: file, line: line, reason: Phrase("intake.header_many", ["max": .plain(IntakeLimits.columnsMax)]))
    }
    return CSVSplitter.texts(fields, of: header.span, quote: quote)
  }

  private static func requireComplete(
    _ names: [String], _ kind: String, known: [String], required: Set<String>, file: String, line: Int
  ) throws(IntakeError) {
    guard !names.contains(where: { $0.utf8.contains(ASCII.cr) }) else {
      throw IntakeError(file: file, line: line, reason: "intake.header_returns", hint: "Convert it with `tr '\\r' '\\n'`.")
    }
    let repeated = known.filter { name in names.count(where: { $0 == name }) > 1 }.sorted()
    guard repeated.isEmpty else { throw .headerRepeats(repeated, file: file, line: line) }
    let missing = known.filter { required.contains($0) && !names.contains($0) }
    guard missing.isEmpty else {
      throw .headerLacks(
        missing, names: names, file: file, line: line,
        hint: "Add the missing columns. For another platform's columns, `payrecon ingest \(kind) --preview FILE` proposes a mapping; "
          + "nothing of this file was read.")
    }
  }
}

extension IntakeError {
  static func headerRepeats(_ columns: [String], file: String, line: Int) -> IntakeError {
    IntakeError(
      file: file, line: line, reason: Phrase("intake.header_repeats", ["list": .plain(FlatObject.list(columns))]),
      hint: "Name every column once.")
  }

  static func headerLacks(_ columns: [String], names: [String], file: String, line: Int, hint: String) -> IntakeError {
    IntakeError(
      file: file, line: line,
      reason: Phrase("intake.header_lacks", ["list": .plain(FlatObject.list(columns)), "names": .plain(FlatObject.list(names))]),
      hint: hint)
  }
}

extension InputWindow {
  /// Consumes the first line that is not empty, which is the header of a CSV input. Its bytes stay available until more are read.
  ///
  /// - Returns: the content without its line end, the line number, and whether a line end follows.
  mutating func takeHeader() throws(IntakeError) -> (content: Range<Int>, line: Int, hasLineEnd: Bool) {
    while true {
      let line = line
      switch try peekLine(limit: IntakeLimits.recordBytesMax) {
      case .end: throw IntakeError.lacksHeader(file: file, line: line, fault: fault)
      case .overlong:
        throw IntakeError(file: file, line: line, reason: Phrase("intake.header_long", ["max": .plain(IntakeLimits.recordBytesMax)]))
      case .whole(let content, let next):
        let header = csvContent(content, next: next)
        consume(to: next, newlines: 1)
        if !header.isEmpty { return (header, line, next > content.upperBound) }
      }
    }
  }

  /// Returns the content of a line of CSV. A carriage return at the end of the input ends its line, too.
  func csvContent(_ content: Range<Int>, next: Int) -> Range<Int> {
    let endsInReturn = lineEnd == .byte && next == content.upperBound && content.last.map { bytes[$0] == ASCII.cr } ?? false
    return endsInReturn ? content.dropLast() : content
  }
}
