public import Domain

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
  public let headerBytes: [UInt8]?
  public let format: InputFormat

  private let schema: RowSchema<Row>
  private let keys: [[UInt8]]
  private var window: InputWindow
  private var table: FieldTable
  private let notes = RowNotes()
  private var fields: [CSVSplitter.Field] = []
  /// Names in the header; `headerColumns` has the schema's column for each, nil for an ignored one.
  private let headerNames: [String]
  private let headerColumns: [Int?]
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
      (format, headerBytes, headerNames, headerColumns, unrecognizedColumns) = (lines.format, lines.headerBytes, lines.names, [], [])
      self.window = window
      return
    }
    mapped = nil
    table = FieldTable(columns: schema.columns)
    try window.begin()
    if let known = named ?? InputFormat(path: window.file) { format = known } else { format = try Self.formatByContent(&window) }
    let header = format == .csv ? try CSVHeader(&window, kind: Row.kind, columns: schema.columns, required: schema.required) : nil
    headerBytes = header?.bytes
    headerNames = header?.names ?? []
    headerColumns = header?.columns ?? []
    unrecognizedColumns = header?.unrecognized ?? []
    self.window = window
  }

  /// Skips the first items of the input, which an earlier attempt stored.
  ///
  /// - Throws: `IntakeError` when the input has fewer items, or cannot be read.
  public mutating func skip(items: Int) throws(IntakeError) {
    for passed in 0..<max(0, items) {
      switch try nextRecord() {
      case .record, .parked: continue
      case .end:
        throw IntakeError(
          file: window.file,
          reason: "it ends after \(passed) items, but \(items) of it were read before",
          hint: "Give the file that the earlier attempt read, or ingest this one as a new file.")
      }
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
        if let mapped { try mapped.fill(&table, from: window.bytes, record.range, notes: notes) } else { try fillTable(record.range) }
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
  }

  private enum Step {
    case record(Record)
    case parked(ParkedItem)
    case end
  }

  private mutating func nextRecord() throws(IntakeError) -> Step {
    let step = format == .csv && mapped == nil ? try nextCSVRecord() : try nextLine()
    if case .end = step {
      guard !isTruncated, let fault = end.fault(of: window, isEmpty: !hasRecords, what: emptiness) else { return .end }
      return .parked(truncated(headerBytes.map { hasRecords ? [] : $0 } ?? [], fault, line: window.line))
    }
    hasRecords = true
    guard let fault = end.fault(of: window) else { return step }
    switch step {
    case .record(let record):
      return .parked(truncated(Array(window.bytes[record.range]), fault, line: record.line))
    case .parked(var item):
      isTruncated = true
      item.isTruncated = true
      item.reason = fault
      return .parked(item)
    case .end: return .end
    }
  }

  /// The rest of a sentence about an input without rows.
  private var emptiness: String { format == .csv ? "has a header and no rows" : "has no rows" }

  /// Returns why an input that was read to its end is truncated under other conditions; nil if it is complete, or a fault was parked.
  func endFault(under other: InputEnd) -> String? {
    guard !isTruncated else { return nil }
    return hasRecords ? other.fault(of: window) : other.fault(of: window, isEmpty: true, what: emptiness)
  }

  /// Returns the truncated end of an incomplete input.
  private mutating func truncated(_ raw: [UInt8], _ reason: String, line: Int) -> ParkedItem {
    isTruncated = true
    var item = park(raw, fault: RowFault(field: "", reason: reason), line: line)
    item.isTruncated = true
    return item
  }

  private mutating func nextCSVRecord() throws(IntakeError) -> Step {
    let limit = IntakeLimits.recordBytesMax
    while true {
      let start = window.start
      if window.count == 0 {
        if try window.fill() { continue }
        return .end
      }
      // A record of maximum length may be followed by a line ending of two bytes.
      let end = min(window.end, start + limit + 2)
      switch split(from: start, to: end) {
      case .blank(let next): window.consume(to: next, newlines: 1)
      case .record(let contentEnd, let next):
        guard contentEnd - start <= limit else { return .parked(try parkLine(tooLong(isQuoted: false))) }
        let record = Record(range: start..<contentEnd, line: window.line)
        window.consume(to: next, newlines: 1)
        return .record(record)
      case .broken(let reason): return .parked(try parkLine(fault(reason)))
      case .open(let isQuoted):
        if window.count >= limit + 2 { return .parked(try parkLine(tooLong(isQuoted: isQuoted))) }
        _ = try window.fill()
      }
    }
  }

  private mutating func split(from start: Int, to end: Int) -> CSVSplitter.Outcome {
    // A second reference to the bytes during the call. Nothing is read in this time, so no byte is copied.
    let bytes = window.bytes
    return CSVSplitter.split(
      bytes.span, from: start, to: end, isComplete: window.isComplete && end == window.end, into: &fields)
  }

  private mutating func nextLine() throws(IntakeError) -> Step {
    while true {
      switch try window.peekLine(limit: IntakeLimits.recordBytesMax) {
      case .end: return .end
      case .overlong: return .parked(try parkLine(tooLong(isQuoted: false)))
      case .whole(let content, let next):
        let isBlank = isBlank(content)
        let record = Record(range: content, line: window.line)
        window.consume(to: next, newlines: 1)
        if !isBlank { return .record(record) }
      }
    }
  }

  /// Returns whether a line has no content. A line of spaces in a CSV file is a row of one value.
  private func isBlank(_ content: Range<Int>) -> Bool {
    guard mapped != nil else { return content.allSatisfy { ASCII.isSpace(window.bytes[$0]) } }
    return content.isEmpty || (format == .ndjson && content.allSatisfy { ASCII.isSpace(window.bytes[$0]) || window.bytes[$0] == 0 })
  }

  /// Parks the physical line at this position, whatever its length, and continues after it.
  private mutating func parkLine(_ fault: RowFault) throws(IntakeError) -> ParkedItem {
    let line = window.line
    switch try window.peekLine(limit: IntakeLimits.recordBytesMax) {
    case .whole(let content, let next):
      let raw = Array(window.bytes[content])
      window.consume(to: next, newlines: 1)
      return park(raw, fault: fault, line: line)
    case .overlong, .end:
      let (kept, byteCount) = try window.takeOverlongLine()
      var item = park(kept, fault: fault, line: line)
      item.byteCount = byteCount
      return item
    }
  }

  private func park(_ record: Record, _ fault: RowFault) -> ParkedItem {
    park(Array(window.bytes[record.range]), fault: fault, line: record.line)
  }

  private func park(_ raw: [UInt8], fault: RowFault, line: Int) -> ParkedItem {
    ParkedItem(
      kind: Row.kind, file: window.file, line: line, field: fault.field, reason: fault.reason, raw: raw,
      byteCount: raw.count)
  }

  /// Returns a fault in the value after the fields split so far.
  private func fault(_ reason: String) -> RowFault {
    let name = fields.count < headerNames.count ? headerNames[fields.count] : ""
    return RowFault(field: FlatObject.shown(Array(name.utf8)), reason: reason)
  }

  private func tooLong(isQuoted: Bool) -> RowFault {
    let limit = IntakeLimits.recordBytesMax
    return isQuoted
      ? fault("a quote is opened and not closed within the limit of \(limit) bytes")
      : RowFault(field: "", reason: "the row is longer than the limit of \(limit) bytes")
  }

  /// Stores the values of a record in the order of the schema.
  private mutating func fillTable(_ range: Range<Int>) throws(RowFault) {
    let bytes = window.bytes
    guard format == .csv else {
      let others = try FlatObject.read(bytes.span, range: range, columns: keys, into: &table)
      for name in others.map(FlatObject.shown) where !unrecognizedColumns.contains(name) {
        if unrecognizedColumns.count < IntakeLimits.columnsMax { unrecognizedColumns.append(name) }
      }
      return
    }
    try CSVSplitter.fill(&table, fields, of: bytes.span, columns: headerColumns)
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

  private static func formatByContent(_ window: inout InputWindow) throws(IntakeError) -> InputFormat {
    var offset = 0
    while true {
      while offset < window.count, ASCII.isSpace(window.bytes[window.start + offset]) { offset += 1 }
      if offset < window.count { break }
      if offset > IntakeLimits.recordBytesMax { return .csv }
      if try !window.fill() { return .csv }
    }
    return window.bytes[window.start + offset] == ASCII.openBrace ? .ndjson : .csv
  }
}
