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
    let (range, line, fields) = try Self.record(&window)
    bytes = Array(window.bytes[range])
    guard fields.count <= IntakeLimits.columnsMax else {
      throw IntakeError(
        file: window.file, line: line, reason: "the header has more than \(IntakeLimits.columnsMax) columns")
    }
    names = CSVSplitter.texts(fields, of: window.bytes.span)
    columns = names.map { known.firstIndex(of: $0) }
    unrecognized = names.filter { !known.contains($0) }.map { FlatObject.shown(Array($0.utf8)) }
    try Self.requireComplete(names, kind, known: known, required: required, file: window.file, line: line)
  }

  private static func requireComplete(
    _ names: [String], _ kind: String, known: [String], required: Set<String>, file: String, line: Int
  ) throws(IntakeError) {
    guard !names.contains(where: { $0.utf8.contains(ASCII.cr) }) else {
      throw IntakeError(
        file: file, line: line, reason: "its lines end in carriage returns alone", hint: "Convert it with `tr '\\r' '\\n'`.")
    }
    let repeated = known.filter { name in names.count(where: { $0 == name }) > 1 }.sorted()
    guard repeated.isEmpty else {
      throw IntakeError(
        file: file, line: line, reason: "the header repeats \(FlatObject.list(repeated))",
        hint: "Name every column once.")
    }
    let missing = known.filter { required.contains($0) && !names.contains($0) }
    guard missing.isEmpty else {
      throw IntakeError(
        file: file, line: line,
        reason: "the header lacks \(FlatObject.list(missing)); it names \(FlatObject.list(names))",
        hint: "Add the missing columns. For another platform's columns, `payrecon ingest \(kind) --preview FILE` proposes a mapping; "
          + "nothing of this file was read.")
    }
  }

  private static func record(_ window: inout InputWindow) throws(IntakeError)
    -> (range: Range<Int>, line: Int, fields: [CSVSplitter.Field])
  {
    var fields: [CSVSplitter.Field] = []
    while true {
      let (content, next, line) = try window.takeHeader()
      switch CSVSplitter.split(window.bytes.span, from: content.lowerBound, to: next, isComplete: true, into: &fields) {
      case .record(let contentEnd, _): return (content.lowerBound..<contentEnd, line, fields)
      case .broken(let reason): throw IntakeError(file: window.file, line: line, reason: "in the header \(reason)")
      case .blank, .open: continue
      }
    }
  }
}

extension InputWindow {
  /// Consumes the first line that is not empty, which is the header of a CSV input. Its bytes stay available until more are read.
  ///
  /// - Returns: the content without its line end, the position of the next line, and the line number.
  mutating func takeHeader() throws(IntakeError) -> (content: Range<Int>, next: Int, line: Int) {
    while true {
      let line = line
      switch try peekLine(limit: IntakeLimits.recordBytesMax) {
      case .end: throw IntakeError.lacksHeader(self)
      case .overlong:
        throw IntakeError(file: file, line: line, reason: "the header is longer than the limit of \(IntakeLimits.recordBytesMax) bytes")
      case .whole(let content, let next):
        consume(to: next, newlines: 1)
        if !content.isEmpty { return (content, next, line) }
      }
    }
  }
}
