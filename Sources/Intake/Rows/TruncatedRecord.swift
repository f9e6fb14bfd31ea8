internal import Domain

/// The readable part of the record at which a file was truncated.
public struct TruncatedRecord: Sendable {
  /// The known part of the record's key, and whether it is complete.
  private let key: (text: String, isComplete: Bool)

  /// - Parameters:
  ///   - raw: the record's first bytes.
  ///   - header: header row of its CSV file; nil for NDJSON.
  ///   - column: column of the key.
  /// - Returns: nil when no part of the key is known, for instance when the header itself was truncated.
  public init?(raw: [UInt8], header: [UInt8]?, key column: String) {
    guard !raw.isEmpty, raw != header else { return nil }
    let found = header.map { Self.value(of: column, in: raw, header: $0) } ?? Self.value(of: column, in: raw)
    guard let found, !found.text.isEmpty else { return nil }
    key = found
  }

  /// Whether the whole key is known; otherwise it may also be the beginning of other keys.
  public var isKeyComplete: Bool { key.isComplete }

  /// Returns whether a row with this key is the same record, as far as the key is known.
  public func isCompleted(by other: String) -> Bool {
    key.isComplete ? ByteText(other) == ByteText(key.text) : other.utf8.starts(with: key.text.utf8)
  }

  private static func value(of column: String, in raw: [UInt8], header: [UInt8]) -> (text: String, isComplete: Bool)? {
    let found = fields(raw)
    guard let index = fields(header).firstIndex(of: column), index < found.count else { return nil }
    return (found[index], index < found.count - 1)
  }

  private static func fields(_ record: [UInt8]) -> [String] {
    var fields: [CSVSplitter.Field] = []
    _ = CSVSplitter.split(record.span, 0..<record.count, into: &fields)
    return CSVSplitter.texts(fields, of: record.span)
  }

  /// Reads the key from NDJSON. Our keys have no escapes in JSON; a record with an escaped key is not recognised, and a reviewer decides.
  private static func value(of column: String, in raw: [UInt8]) -> (text: String, isComplete: Bool)? {
    let text = String(decoding: raw, as: UTF8.self)
    guard let name = text.firstRange(of: "\"\(column)\"") else { return nil }
    let rest = text[name.upperBound...].drop { $0.isWhitespace || $0 == ":" }
    guard rest.first == "\"" else { return nil }
    let value = rest.dropFirst()
    let end = value.firstIndex(of: "\"")
    return (String(value[..<(end ?? value.endIndex)]), end != nil)
  }
}
