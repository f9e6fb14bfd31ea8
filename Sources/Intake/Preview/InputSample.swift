internal import JSON
internal import SystemCalls
internal import Wording

/// The first rows of an input of unknown form, as text by column.
struct InputSample {
  /// Maximum number of rows and of bytes that are inspected.
  static let rowsMax = 10_000
  static let bytesMax = 8 << 20

  let encoding: TextEncoding
  /// Other encodings in which the bytes are text too, so that the encoding is a guess.
  let otherEncodings: [TextEncoding]
  let format: InputFormat
  let separator: UInt8
  /// Character around values that contain a separator.
  let quote: UInt8
  /// Columns in their order.
  let names: [String]
  /// Values by name; a column without a value is absent.
  let rows: [[String: String]]
  /// Whether the input is one JSON array, which is not NDJSON.
  let isArray: Bool
  /// Whether the input has more rows.
  let isPart: Bool

  /// - Throws: `IntakeError` when the input cannot be read, or its header is no row of names.
  init(path: String, format named: InputFormat?) throws(IntakeError) {
    let head = try Self.head(path)
    let (encoding, others) = EncodingGuess.encoding(of: head.bytes)
    (self.encoding, otherEncodings) = (encoding, others)
    let skipped = TextEncoding.marked(head.bytes[...])?.byteCount ?? 0
    var window = InputWindow(bytes: Array(head.bytes.dropFirst(skipped)), file: path)
    window.lineEnd = encoding.lineEnd
    isArray = Self.beginsArray(window.bytes)
    let isObject = window.bytes.first { !ASCII.isSpace($0) && $0 != 0 } == ASCII.openBrace
    format = named ?? InputFormat(path: path) ?? (isObject ? .ndjson : .csv)
    var lines = try Self.lines(&window, encoding)
    isPart = !head.isWhole || lines.count > Self.rowsMax
    if !head.isWhole { lines = lines.dropLast() }
    if format == .ndjson {
      (separator, quote) = (ASCII.comma, ASCII.quote)
      (names, rows) = Self.objects(lines.prefix(Self.rowsMax))
    } else {
      guard let header = lines.popFirst() else {
        throw IntakeError.lacksHeader(file: path, fault: head.fault)
      }
      let quote = Self.quote(in: [header] + lines, CSVSplitter.separator(of: header, quote: ASCII.quote))
      let separator = CSVSplitter.separator(of: header, quote: quote)
      let names = Self.values(header, separator, quote)
      rows = lines.prefix(Self.rowsMax).map { line in
        Dictionary(zip(names, Self.values(line, separator, quote))) { first, _ in first }.filter { !$0.value.isEmpty }
      }
      (self.separator, self.quote, self.names) = (separator, quote, names)
    }
  }

  /// Returns the values of a column in the order of the rows, without absent ones.
  func values(_ name: String) -> [String] { rows.compactMap { $0[name] } }

  /// Returns whether a text begins as a JSON array of objects, or an empty one. A name in a header may also begin with a bracket.
  private static func beginsArray(_ bytes: [UInt8]) -> Bool {
    let first = bytes.lazy.filter { !ASCII.isSpace($0) && $0 != 0 }.prefix(2)
    return first.elementsEqual("[{".utf8) || first.elementsEqual("[]".utf8)
  }

  private static func head(_ path: String) throws(IntakeError) -> (bytes: [UInt8], isWhole: Bool, fault: Phrase?) {
    let source = try ByteSource(path: path)
    var buffer = [UInt8](repeating: 0, count: bytesMax)
    var filled = 0
    while filled < bytesMax {
      let count = try source.read(into: &buffer, from: filled)
      if count == 0 { return (Array(buffer.prefix(filled)), true, source.fault) }
      filled += count
    }
    return (buffer, false, nil)
  }

  private static func lines(_ window: inout InputWindow, _ encoding: TextEncoding) throws(IntakeError) -> ArraySlice<[UInt8]> {
    let converter = encoding.converterName.flatMap { TextConverter(encoding: $0) }
    var lines: [[UInt8]] = []
    while lines.count <= rowsMax + 1, case .whole(let content, let next) = try window.peekLine(limit: IntakeLimits.recordBytesMax) {
      var text = converter == nil ? Array(window.bytes[content]) : []
      _ = converter?.append(window.bytes[content], to: &text)
      if !text.isEmpty { lines.append(text) }
      window.consume(to: next, newlines: 1)
    }
    return lines[...]
  }

  /// Returns an apostrophe if it encloses values and no quotation mark begins one; otherwise a quotation mark.
  private static func quote(in lines: [[UInt8]], _ separator: UInt8) -> UInt8 {
    let apostrophe = UInt8(ascii: "'")
    var isEnclosing = false
    for line in lines where !line.isEmpty {
      var isOpen = false
      for index in line.indices {
        let begins = index == 0 || line[index - 1] == separator
        if begins, line[index] == ASCII.quote { return ASCII.quote }
        guard line[index] == apostrophe else { continue }
        let ends = index + 1 == line.count || line[index + 1] == separator
        if isOpen, ends { isEnclosing = true }
        if begins { isOpen = true }
      }
    }
    return isEnclosing ? apostrophe : ASCII.quote
  }

  private static func values(_ line: [UInt8], _ separator: UInt8, _ quote: UInt8) -> [String] {
    var fields: [CSVSplitter.Field] = []
    do throws(RowFault) { try CSVSplitter.split(line, separator: separator, quote: quote, into: &fields) } catch { return [] }
    return CSVSplitter.texts(fields, of: line.span, quote: quote).map(\.trimmedSpaces)
  }

  private static func objects(_ lines: ArraySlice<[UInt8]>) -> (names: [String], rows: [[String: String]]) {
    var names: [String] = []
    let rows = lines.compactMap { line -> [String: String]? in
      guard let members = (try? JSONObject(parsing: line[...]))?.members, members.count <= IntakeLimits.columnsMax else { return nil }
      var row: [String: String] = [:]
      for (name, value) in members {
        if !names.contains(name), names.count < IntakeLimits.columnsMax { names.append(name) }
        switch value {
        case .string(let text): if !text.isEmpty { row[name] = text }
        case .number(let text): row[name] = text
        case .bool(let flag): row[name] = "\(flag)"
        case .null, .array, .object: continue
        }
      }
      return row
    }
    return (names, rows)
  }
}
