internal import SystemCalls
internal import Wording

/// Reads the lines of an input with a mapping: decodes them, splits them and converts their values.
final class MappedLines {
  let columns: MappedColumns
  /// The original header row without its line ending; nil for NDJSON.
  let headerBytes: [UInt8]?
  let format: InputFormat
  let encoding: TextEncoding
  let separator: UInt8
  /// Names in the header; empty for NDJSON.
  let names: [String]
  /// The decoded line that was read last.
  private(set) var text: [UInt8] = []

  private let quote: UInt8?
  private let converter: TextConverter?
  /// Column of `columns.sources` for each name of the header.
  private let headerColumns: [Int?]
  private let keys: [[UInt8]]
  private var row: FieldTable
  private var fields: [CSVSplitter.Field] = []

  /// Detects encoding and separator, and reads the header.
  ///
  /// - Throws: `IntakeError` when the header does not have the columns that the mapping names, or lacks a required one.
  init(
    _ mapping: InputMapping, columns known: [String], required: Set<String>, window: inout InputWindow, format named: InputFormat?
  ) throws(IntakeError) {
    encoding = try window.begin(declared: mapping.encoding)
    converter = try Self.converter(encoding, file: window.file)
    quote = mapping.quote == 0 ? nil : mapping.quote
    format = try InputFormat(of: &window, named: named)
    guard format == .csv else {
      (headerBytes, names, headerColumns, separator) = (nil, [], [], ASCII.comma)
      columns = MappedColumns(mapping, columns: known, header: nil)
      keys = columns.sources.map { Array($0.utf8) }
      row = FieldTable(columns: columns.sources)
      return
    }
    let header = try Self.header(&window, converter, encoding)
    let separator = mapping.separator ?? CSVSplitter.separator(of: header.text, quote: quote)
    let names = try CSVHeader.names(in: header.text, separator: separator, quote: quote, file: window.file, line: header.line)
      .map(\.trimmedSpaces)
    let columns = MappedColumns(mapping, columns: known, header: names)
    let open = known.filter { required.contains($0) && !columns.fills($0) }
    try Self.check(names, mapping, open: open, sources: columns.sources, file: window.file, line: header.line)
    headerBytes = header.raw
    headerColumns = names.map { columns.sources.firstIndex(of: $0) }
    keys = []
    row = FieldTable(columns: columns.sources)
    (self.separator, self.names, self.columns) = (separator, names, columns)
  }

  /// Decodes a line and fills a row of payrecon.
  ///
  /// - Parameter range: the line's content in `bytes`.
  /// - Throws: `RowFault` for a line that is not text of the encoding, or does not have the form of a row.
  func fill(_ table: inout FieldTable, from bytes: [UInt8], _ range: Range<Int>, notes: RowNotes) throws(RowFault) {
    try decode(bytes[range])
    if format == .csv {
      try split()
    } else {
      let line = text
      _ = try FlatObject.read(line.span, range: 0..<line.count, columns: keys, into: &row)
    }
    columns.fill(&table, from: row, text: text, notes: notes)
  }

  private func decode(_ line: ArraySlice<UInt8>) throws(RowFault) {
    text.removeAll(keepingCapacity: true)
    let failedAt: Int?
    if let converter {
      failedAt = converter.append(line, to: &text)
    } else {
      text += line
      do throws(UTF8.ValidationError) {
        _ = try UTF8Span(validating: text.span)
        failedAt = nil
      } catch {
        failedAt = error.byteOffsets.lowerBound
        text.removeLast(text.count - error.byteOffsets.lowerBound)
      }
    }
    guard let failedAt else { return }
    throw RowFault(
      field: undecodedColumn,
      reason: Phrase(
        "intake.row_undecoded",
        ["encoding": .plain(encoding.rawValue), "number": .plain(failedAt), "bytes": .plain(Self.hex(line.dropFirst(failedAt)))]))
  }

  /// Name of the column in which the decoded part ends; empty for NDJSON.
  private var undecodedColumn: String {
    guard format == .csv else { return "" }
    var count = 0
    var isQuoted = false
    for byte in text {
      if byte == quote { isQuoted.toggle() } else if byte == separator, !isQuoted { count += 1 }
    }
    return count < names.count ? names[count] : ""
  }

  private static func hex(_ bytes: ArraySlice<UInt8>) -> String {
    bytes.prefix(2).map { "0x" + ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined(separator: " ")
  }

  private func split() throws(RowFault) {
    let line = text
    try CSVSplitter.split(line, separator: separator, quote: quote, into: &fields)
    try CSVSplitter.fill(&row, fields, of: line.span, quote: quote ?? ASCII.lf, columns: headerColumns)
  }

  private static func converter(_ encoding: TextEncoding, file: String) throws(IntakeError) -> TextConverter? {
    guard let name = encoding.converterName else { return nil }
    guard let converter = TextConverter(encoding: name) else {
      throw IntakeError(
        file: file, reason: Phrase("intake.encoding_missing", ["encoding": .plain(encoding.rawValue)]),
        hint: "Install the converters of the C library, such as glibc-gconv-extra.")
    }
    return converter
  }

  private static func header(
    _ window: inout InputWindow, _ converter: TextConverter?, _ encoding: TextEncoding
  ) throws(IntakeError) -> (raw: [UInt8], text: [UInt8], line: Int) {
    let (content, line, _) = try window.takeHeader()
    let raw = Array(window.bytes[content])
    var text: [UInt8] = []
    let failedAt = converter.map { $0.append(raw[...], to: &text) } ?? nil
    if converter == nil { text = raw }
    if text.last == ASCII.cr { text.removeLast() }
    guard failedAt == nil, (try? UTF8Span(validating: text.span)) != nil else {
      throw IntakeError(
        file: window.file, line: line, reason: Phrase("intake.header_undecoded", ["encoding": .plain(encoding.rawValue)]),
        hint: "Name the file's encoding in the settings; `--preview` finds it.")
    }
    return (raw, text, line)
  }

  /// Checks a header against a mapping before the first row is read.
  ///
  /// - Parameters:
  ///   - open: required columns of payrecon that nothing fills.
  ///   - sources: columns of the input that are read.
  private static func check(
    _ names: [String], _ mapping: InputMapping, open: [String], sources: [String], file: String, line: Int
  ) throws(IntakeError) {
    if let absent = mapping.absentColumn(among: names) {
      throw IntakeError(
        file: file, line: line,
        reason: Phrase(
          "intake.setting_column",
          ["setting": .plain("\"\(absent.setting)\""), "column": .plain("\"\(absent.name)\""), "names": .plain(FlatObject.list(names))]),
        hint: "Correct the settings; nothing of this file was read.")
    }
    let repeated = sources.filter { source in names.count(where: { $0 == source }) > 1 }
    guard repeated.isEmpty else { throw .headerRepeats(repeated, file: file, line: line) }
    guard open.isEmpty else {
      throw .headerLacks(
        open, names: names, file: file, line: line,
        hint: "Map each in the settings: \(open.map { "\(mapping.key).columns.\($0)" }.joined(separator: ", ")). "
          + "`--preview` proposes a mapping; nothing of this file was read.")
    }
  }
}
