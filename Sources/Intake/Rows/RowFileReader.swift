internal import Wording

/// The result of reading one item of an input.
public enum RowResult<Row: Sendable>: Sendable {
  /// A valid row with its first line number, from 1.
  case row(Row, line: Int)
  case parked(ParkedItem)
}

extension RowResult: Equatable where Row: Equatable {}

/// Reads the rows of one CSV or NDJSON input one by one, in constant memory.
///
/// Every physical line of the input is one item, a row or a parked one; blank lines are skipped. The truncated end of an incomplete input
/// is parked last.
public struct RowFileReader<Row: InputRow> {
  /// Unknown columns of the header, or keys of the NDJSON rows read so far; they are ignored.
  public private(set) var unrecognizedColumns: [String]
  /// Numbers such as `2.02611E+11` in columns of texts, by column.
  public private(set) var exponentialTexts: [String: ExponentialText] = [:]
  /// The original header row without its line ending; nil for NDJSON.
  public var headerBytes: [UInt8]? { mapped?.headerBytes ?? header?.bytes }
  public let format: InputFormat

  private let schema: RowSchema<Row>
  private let keys: [[UInt8]]
  private var window: InputWindow
  private var table: FieldTable
  private let notes = RowNotes()
  private var fields: [CSVSplitter.Field] = []
  /// The header of CSV with payrecon's columns; nil for any other input.
  private let header: CSVHeader?
  /// The lines of an input with a mapping; nil if it has payrecon's columns in UTF-8, separated by commas.
  private let mapped: MappedLines?
  private let end: InputEnd
  private var hasRecords = false
  private var isTruncated = false
  /// Number of bytes kept of the latest item.
  public private(set) var recordByteCount = 0

  /// Opens a file; `-` is standard input.
  ///
  /// - Parameters:
  ///   - format: nil derives it from the file's extension, then from its first byte.
  ///   - end: conditions under which the file is complete.
  ///   - mapping: how its rows become rows of payrecon; nil if it has payrecon's columns.
  /// - Throws: `IntakeError` when it cannot be read, or its header lacks or repeats a column.
  public init(
    path: String, format: InputFormat? = nil, end: InputEnd = InputEnd(), mapping: InputMapping? = nil
  ) throws(IntakeError) {
    try self.init(window: InputWindow(path: path), format: format, end: end, mapping: mapping)
  }

  /// Reads the stored bytes of a row, from line `line` of `file`.
  ///
  /// - Parameter header: header row of the original CSV file; nil for NDJSON.
  /// - Throws: `IntakeError` when the header lacks or repeats a column.
  public init(
    bytes: [UInt8], header: [UInt8]?, file: String, line: Int = 1, mapping: InputMapping? = nil
  ) throws(IntakeError) {
    var mapping = mapping
    // Without its byte order mark, UTF-16 shows its byte order only by its zeros.
    if mapping?.encoding?.hasOpenByteOrder == true { mapping?.encoding = TextEncoding.byteOrder((header ?? bytes)[...]) }
    let lineEnd = (mapping?.encoding ?? .utf8).lineEnd.bytes
    var window = InputWindow(bytes: header.map { $0 + lineEnd + bytes } ?? bytes, file: file)
    // The header occupies the line before the record.
    window.line = header == nil ? line : line - 1
    try self.init(window: window, format: header == nil ? .ndjson : .csv, end: .anything, mapping: mapping)
  }

  /// Determines the format and reads the header.
  private init(
    window opened: InputWindow, format named: InputFormat?, end: InputEnd, mapping: InputMapping?
  ) throws(IntakeError) {
    schema = Row.schema
    self.end = end
    keys = schema.columns.map { Array($0.utf8) }
    var window = opened
    let found = mapping == nil ? try Self.dialect(of: &window, named, schema) : nil
    if let mapping = mapping ?? found {
      let lines = try MappedLines(mapping, columns: schema.columns, required: schema.required, window: &window, format: named)
      mapped = lines
      table = FieldTable(columns: lines.columns.labels)
      (format, header, unrecognizedColumns) = (lines.format, nil, [])
      self.window = window
      return
    }
    mapped = nil
    table = FieldTable(columns: schema.columns)
    try window.begin(hasSetting: true)
    format = try InputFormat(of: &window, named: named)
    header = format == .csv ? try CSVHeader(&window, kind: Row.kind, columns: schema.columns, required: schema.required) : nil
    unrecognizedColumns = header?.unrecognized ?? []
    self.window = window
  }

  /// Skips the first items of the input, which an earlier attempt stored.
  ///
  /// - Throws: `IntakeError` when the input has fewer items, or cannot be read.
  public mutating func skip(items: Int) throws(IntakeError) {
    for passed in 0..<max(0, items) {
      if case .end = try nextRecord() { throw IntakeError.ends(after: passed, before: items, file: window.file) }
    }
  }

  /// Reads the next item; returns nil at the end of the input.
  ///
  /// - Throws: `IntakeError` when reading fails.
  public mutating func next() throws(IntakeError) -> RowResult<Row>? {
    switch try nextRecord() {
    case .end: return nil
    case .parked(let item):
      recordByteCount = item.raw.count
      return .parked(item)
    case .record(let record):
      recordByteCount = record.range.count
      notes.clear()
      do throws(RowFault) {
        if let mapped { try mapped.fill(&table, from: window.bytes, record.range, notes: notes) } else { try fillTable(record) }
      } catch {
        return .parked(park(record, error))
      }
      let values = RowValues(table: table, bytes: mapped?.text ?? window.bytes, notes: notes)
      if mapped == nil { values.requireUTF8(from: record.range.lowerBound, to: record.range.upperBound) }
      let row = schema.make(values)
      if let fault = notes.fault { return .parked(park(record, fault)) }
      for column in notes.exponentialColumns { note(values, column, line: record.line) }
      return .row(row, line: record.line)
    }
  }

  /// Values of the item that was read last, by column of payrecon; after a parked item, those that could be read.
  public var lastValues: [(column: String, value: String)] {
    let bytes = mapped?.text ?? window.bytes
    return schema.columns.enumerated().compactMap { index, name in
      guard let value = table.value(index, in: bytes), !value.isEmpty else { return nil }
      return (name, String(decoding: value, as: UTF8.self))
    }
  }

  private mutating func note(_ values: RowValues, _ column: Int, line: Int) {
    let name = schema.columns[column]
    exponentialTexts[name, default: ExponentialText(value: values.quoted(column), line: line)].count += 1
  }
}

/// Numbers that a spreadsheet shortened in a column of texts.
public struct ExponentialText: Sendable {
  /// The first such number, in quotes.
  public var value: String
  public var line: Int
  public var count = 0
}

extension RowFileReader {
  private struct Record {
    /// Range of the content in the window, consumed but still available.
    var range: Range<Int>
    var line: Int
    var hasLineEnd: Bool
  }

  private enum Step {
    case record(Record)
    case parked(ParkedItem)
    case end
  }

  private mutating func nextRecord() throws(IntakeError) -> Step {
    let step = try nextLine()
    if case .end = step {
      guard !isTruncated, let fault = end.fault(of: window, isEmpty: !hasRecords, what: emptiness) else { return .end }
      return .parked(truncated(headerBytes.map { hasRecords ? [] : $0 } ?? [], fault, line: window.line))
    }
    hasRecords = true
    guard let fault = end.fault(of: window) else { return step }
    switch step {
    case .record(let record):
      var item = truncated(Array(window.bytes[record.range]), fault, line: record.line)
      if isCSV { item.field = split(record.range, hasLineEnd: record.hasLineEnd)?.field ?? "" }
      return .parked(item)
    case .parked(var item):
      isTruncated = true
      item.isTruncated = true
      item.reason = fault
      return .parked(item)
    case .end: return .end
    }
  }

  /// The rest of a sentence about an input without rows.
  private var emptiness: Phrase { format == .csv ? "intake.header_alone" : "intake.no_rows" }

  /// Returns why an input that was read to its end is truncated under other conditions; nil if it is complete, or a fault was parked.
  func endFault(under other: InputEnd) -> Phrase? {
    guard !isTruncated else { return nil }
    return hasRecords ? other.fault(of: window) : other.fault(of: window, isEmpty: true, what: emptiness)
  }

  /// Returns the truncated end of an incomplete input.
  private mutating func truncated(_ raw: [UInt8], _ reason: Phrase, line: Int) -> ParkedItem {
    isTruncated = true
    var item = park(raw, fault: RowFault(reason), line: line)
    item.isTruncated = true
    return item
  }

  private mutating func nextLine() throws(IntakeError) -> Step {
    while true {
      switch try window.peekLine(limit: IntakeLimits.recordBytesMax) {
      case .end: return .end
      case .overlong:
        let (fault, line) = (tooLong(), window.line)
        let (kept, byteCount) = try window.takeOverlongLine()
        return .parked(park(kept, fault: fault, line: line, byteCount: byteCount))
      case .whole(let content, let next):
        let range = isCSV ? window.csvContent(content, next: next) : content
        let record = Record(range: range, line: window.line, hasLineEnd: next > content.upperBound)
        let isBlank = isBlank(range)
        window.consume(to: next, newlines: 1)
        if !isBlank { return .record(record) }
      }
    }
  }

  /// Whether the input is CSV with payrecon's columns.
  private var isCSV: Bool { header != nil }

  /// Returns whether a line has no content. A line of spaces in a CSV file is a row of one value.
  private func isBlank(_ content: Range<Int>) -> Bool {
    if format == .csv { return content.isEmpty }
    // The zeros of UTF-16 separate nothing.
    return content.allSatisfy { ASCII.isSpace(window.bytes[$0]) || (mapped != nil && window.bytes[$0] == 0) }
  }

  private func park(_ record: Record, _ fault: RowFault) -> ParkedItem {
    park(Array(window.bytes[record.range]), fault: fault, line: record.line)
  }

  /// - Parameter byteCount: length of the item; nil if `raw` is all of it.
  private func park(_ raw: [UInt8], fault: RowFault, line: Int, byteCount: Int? = nil) -> ParkedItem {
    ParkedItem(
      kind: Row.kind, file: window.file, line: line, field: fault.field, reason: fault.reason, raw: raw,
      byteCount: byteCount ?? raw.count)
  }

  /// Returns the fault of a line that exceeds the limit: the first one up to the limit, or its length.
  private mutating func tooLong() -> RowFault {
    let limit = IntakeLimits.recordBytesMax
    guard isCSV, var fault = split(window.start..<window.start + limit, hasLineEnd: false) else {
      return RowFault(Phrase("intake.row_long", ["max": .plain(limit)]))
    }
    if fault.reason == CSVSplitter.openQuote.reason {
      fault = RowFault(field: fault.field, reason: Phrase("intake.quote_limit", ["max": .plain(limit)]))
    }
    return fault
  }

  /// Splits a line of CSV. Returns the fault with the column of the value after the fields before it; nil for a record.
  private mutating func split(_ line: Range<Int>, hasLineEnd: Bool) -> RowFault? {
    // A second reference to the bytes during the call. Nothing is read in this time, so no byte is copied.
    let bytes = window.bytes
    guard let fault = CSVSplitter.split(bytes.span, line, hasLineEnd: hasLineEnd, into: &fields) else { return nil }
    let name = header?.names.dropFirst(fields.count).first ?? ""
    return RowFault(field: FlatObject.shown(Array(name.utf8)), reason: fault.reason)
  }

  /// Stores the values of a record in the order of the schema.
  private mutating func fillTable(_ record: Record) throws(RowFault) {
    if isCSV, let fault = split(record.range, hasLineEnd: record.hasLineEnd) { throw fault }
    let bytes = window.bytes
    if isCSV { return try CSVSplitter.fill(&table, fields, of: bytes.span, columns: header?.columns ?? []) }
    let others = try FlatObject.read(bytes.span, range: record.range, columns: keys, into: &table)
    for name in others.map(FlatObject.shown) where !unrecognizedColumns.contains(name) {
      if unrecognizedColumns.count < IntakeLimits.columnsMax { unrecognizedColumns.append(name) }
    }
  }

  /// Returns a mapping for a CSV file with payrecon's columns and another separator than a comma; nil for any other file.
  private static func dialect(
    of window: inout InputWindow, _ named: InputFormat?, _ schema: RowSchema<Row>
  ) throws(IntakeError) -> InputMapping? {
    guard (named ?? InputFormat(path: window.file)) != .ndjson else { return nil }
    guard case .whole(let content, _) = try window.peekLine(limit: IntakeLimits.recordBytesMax) else { return nil }
    let header = window.bytes[content]
    guard !header.contains(ASCII.comma), header.contains(where: CSVSplitter.separators.contains),
      schema.required.allSatisfy({ header.firstRange(of: Array($0.utf8)) != nil })
    else { return nil }
    return InputMapping(key: "inputs.\(Row.kind)")
  }
}
