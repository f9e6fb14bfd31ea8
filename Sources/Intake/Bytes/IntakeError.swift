/// An input that could not be read, or was refused as a whole; a retry loses none of its items.
public struct IntakeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Name of the input; `-` for standard input.
  public let file: String
  /// Line at fault, from 1; nil for the whole input.
  public let line: Int?
  /// The reason, with the value found.
  public let reason: String
  /// Advice on how to correct it; nil when there is none.
  public let hint: String?

  public init(file: String, line: Int? = nil, reason: String, hint: String? = nil) {
    self.file = file
    self.line = line
    self.reason = reason
    self.hint = hint
  }

  public var description: String {
    let place = line.map { " line \($0)" } ?? ""
    let primary = "could not read input file \"\(file)\"\(place): \(reason)"
    guard let hint else { return primary }
    return "\(primary)\n\(hint)"
  }
}
