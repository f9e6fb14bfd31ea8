/// An input that could not be read, or was refused as a whole; no item of it is lost by retrying it.
public struct IntakeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Input as it was named; `-` for standard input.
  public let file: String
  /// Line at fault, from 1; nil when the whole input is.
  public let line: Int?
  /// Why, and what was found.
  public let reason: String
  /// What to do about it; nil when nothing general helps.
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
