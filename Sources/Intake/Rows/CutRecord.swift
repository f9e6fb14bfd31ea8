/// What can be read of a record in which a file was cut.
public struct CutRecord: Sendable {
  /// Value of the record's key as far as it stands there, and whether all of it does.
  private let key: (text: String, isWhole: Bool)

  /// - Parameters:
  ///   - raw: the record's first bytes.
  ///   - header: header row of its CSV file; nil for NDJSON.
  ///   - column: of the key.
  /// - Returns: nil when nothing of the key stands there, as where the header itself was cut.
  public init?(raw: [UInt8], header: [UInt8]?, key column: String) {
    guard !raw.isEmpty, raw != header else { return nil }
    let found = header.map { Self.value(of: column, in: raw, header: $0) } ?? Self.value(of: column, in: raw)
    guard let found, !found.text.isEmpty else { return nil }
    key = found
  }

  /// Whether the whole key is known; else other records may begin so, too.
  public var isKeyWhole: Bool { key.isWhole }

  /// Whether a row tells the same record, as far as the key is known.
  public func isTold(by other: String) -> Bool { key.isWhole ? other == key.text : other.hasPrefix(key.text) }

  private static func value(of column: String, in raw: [UInt8], header: [UInt8]) -> (text: String, isWhole: Bool)? {
    let found = fields(raw)
    guard let place = fields(header).firstIndex(of: column), place < found.count else { return nil }
    return (found[place], place < found.count - 1)
  }

  private static func fields(_ record: [UInt8]) -> [String] {
    var fields: [CSVSplitter.Field] = []
    _ = CSVSplitter.split(record.span, from: 0, to: record.count, isComplete: true, into: &fields)
    return fields.map { field in
      var text: [UInt8] = []
      CSVHeader.appendUnescaped(record.span.extracting(field.start..<field.end), to: &text)
      return String(decoding: text, as: UTF8.self)
    }
  }

  /// A key of ours has no escapes in JSON; one that does is not found in time, and a person decides.
  private static func value(of column: String, in raw: [UInt8]) -> (text: String, isWhole: Bool)? {
    let text = String(decoding: raw, as: UTF8.self)
    guard let name = text.firstRange(of: "\"\(column)\"") else { return nil }
    let rest = text[name.upperBound...].drop { $0.isWhitespace || $0 == ":" }
    guard rest.first == "\"" else { return nil }
    let value = rest.dropFirst()
    let end = value.firstIndex(of: "\"")
    return (String(value[..<(end ?? value.endIndex)]), end != nil)
  }
}
