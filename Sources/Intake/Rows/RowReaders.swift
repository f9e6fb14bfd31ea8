public import Domain

extension RowReader where Row == OrderRow {
  /// Opens a file of orders; `-` is standard input.
  ///
  /// - Parameters:
  ///   - format: nil derives it from the file's extension, then from its first byte.
  ///   - end: conditions under which the file is complete.
  ///   - mapping: how its rows become rows of payrecon; nil if it has payrecon's columns.
  /// - Throws: `IntakeError` when it cannot be read, or its header lacks or repeats a column.
  public static func orders(path: String, format: InputFormat? = nil, end: InputEnd = InputEnd(), mapping: InputMapping? = nil)
    throws(IntakeError) -> RowReader
  {
    try RowReader(schema: .orders(), window: InputWindow(path: path), format: format, end: end, mapping: mapping)
  }

  /// Reads the stored bytes of an order, from line `line` of `file`.
  ///
  /// - Parameter header: header row of the original CSV file; nil for NDJSON.
  /// - Throws: `IntakeError` when the header lacks or repeats a column.
  public static func orders(bytes: [UInt8], header: [UInt8]?, file: String, line: Int = 1, mapping: InputMapping? = nil)
    throws(IntakeError) -> RowReader
  {
    try RowReader(schema: .orders(), bytes: bytes, header: header, file: file, line: line, mapping: mapping)
  }
}

extension RowReader where Row == UserRow {
  /// Opens a file of users; `-` is standard input.
  ///
  /// - Parameters:
  ///   - format: nil derives it from the file's extension, then from its first byte.
  ///   - end: conditions under which the file is complete.
  ///   - mapping: how its rows become rows of payrecon; nil if it has payrecon's columns.
  /// - Throws: `IntakeError` when it cannot be read, or its header lacks or repeats a column.
  public static func users(path: String, format: InputFormat? = nil, end: InputEnd = InputEnd(), mapping: InputMapping? = nil)
    throws(IntakeError) -> RowReader
  {
    try RowReader(schema: .users(), window: InputWindow(path: path), format: format, end: end, mapping: mapping)
  }

  /// Reads the stored bytes of a user, from line `line` of `file`.
  ///
  /// - Parameter header: header row of the original CSV file; nil for NDJSON.
  /// - Throws: `IntakeError` when the header lacks or repeats a column.
  public static func users(bytes: [UInt8], header: [UInt8]?, file: String, line: Int = 1, mapping: InputMapping? = nil)
    throws(IntakeError) -> RowReader
  {
    try RowReader(schema: .users(), bytes: bytes, header: header, file: file, line: line, mapping: mapping)
  }
}

extension RowReader where Row == CatalogueRow {
  /// Opens a file of products and prices; `-` is standard input.
  ///
  /// - Parameters:
  ///   - format: nil derives it from the file's extension, then from its first byte.
  ///   - end: conditions under which the file is complete.
  ///   - mapping: how its rows become rows of payrecon; nil if it has payrecon's columns.
  /// - Throws: `IntakeError` when it cannot be read, or its header lacks or repeats a column.
  public static func catalogue(path: String, format: InputFormat? = nil, end: InputEnd = InputEnd(), mapping: InputMapping? = nil)
    throws(IntakeError) -> RowReader
  {
    try RowReader(schema: .catalogue(), window: InputWindow(path: path), format: format, end: end, mapping: mapping)
  }

  /// Reads the stored bytes of a product, from line `line` of `file`.
  ///
  /// - Parameter header: header row of the original CSV file; nil for NDJSON.
  /// - Throws: `IntakeError` when the header lacks or repeats a column.
  public static func catalogue(bytes: [UInt8], header: [UInt8]?, file: String, line: Int = 1, mapping: InputMapping? = nil)
    throws(IntakeError) -> RowReader
  {
    try RowReader(schema: .catalogue(), bytes: bytes, header: header, file: file, line: line, mapping: mapping)
  }
}

extension RowReader {
  fileprivate init(
    schema: RowSchema<Row>, bytes: [UInt8], header: [UInt8]?, file: String, line: Int, mapping: InputMapping?
  ) throws(IntakeError) {
    var mapping = mapping
    // Without its byte order mark, UTF-16 shows its byte order only by its zeros.
    if mapping?.encoding?.hasOpenByteOrder == true { mapping?.encoding = TextEncoding.byteOrder((header ?? bytes)[...]) }
    let lineEnd = (mapping?.encoding ?? .utf8).lineEnd.bytes
    var window = InputWindow(bytes: header.map { $0 + lineEnd + bytes } ?? bytes, file: file)
    // The header occupies the line before the record.
    window.line = header == nil ? line : line - 1
    try self.init(schema: schema, window: window, format: header == nil ? .ndjson : .csv, end: .anything, mapping: mapping)
  }
}
