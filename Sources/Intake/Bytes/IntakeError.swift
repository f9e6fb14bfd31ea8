public import Wording

/// An input that could not be read, or was refused as a whole; a retry loses none of its items.
public struct IntakeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Name of the input; `-` for standard input.
  public let file: String
  /// Line at fault, from 1; nil for the whole input.
  public let line: Int?
  /// The reason, with the value found.
  public let reason: Phrase
  /// Advice on how to correct it; nil when there is none.
  public let hint: String?
  /// Whether the input ends before its header, so that it is missing rather than wrong.
  public var isMissing = false
  /// Whether the input was parked as a whole, as one item.
  public var isParked = false

  public init(file: String, line: Int? = nil, reason: Phrase, hint: String? = nil) {
    self.file = file
    self.line = line
    self.reason = reason
    self.hint = hint
  }

  /// The fault of a CSV input that ends before its header.
  ///
  /// - Parameter fault: why its packing ends early; nil if it does not.
  static func lacksHeader(file: String, line: Int? = nil, fault: Phrase?) -> IntakeError {
    let unpacked = fault.map(InputEnd.unpacked)
    var error = IntakeError(
      file: file, line: line, reason: unpacked ?? "intake.header_none",
      hint: unpacked == nil ? "Give at least the header row, or --format ndjson." : "Give the whole file under the same name.")
    error.isMissing = true
    return error
  }

  /// The fault of an input that ends before the items that an earlier attempt stored.
  static func ends(after passed: Int, before items: Int, file: String) -> IntakeError {
    IntakeError(
      file: file, reason: Phrase("intake.ends_before", ["passed": .plain(passed), "items": .plain(items)]),
      hint: "Give the file that the earlier attempt read, or ingest this one as a new file.")
  }

  public var description: String {
    let place = line.map { " line \($0)" } ?? ""
    let primary = "could not read input file \"\(file)\"\(place): \(reason)"
    guard let hint else { return primary }
    return "\(primary)\n\(hint)"
  }
}
