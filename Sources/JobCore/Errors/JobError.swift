public import Domain

/// A failure that ends a command, with a message for the operator and an exit status.
public struct JobError: Error, CustomStringConvertible, Sendable {
  /// The attempted action, its object, and the reason of the failure.
  public var message: String
  /// The next step for a user; nil if the message suffices.
  public var hint: String?
  public var status: ExitStatus
  /// Whether the error only states that an id is unknown here. Another source may know it.
  public var isNotFound: Bool

  public init(_ message: String, hint: String? = nil, status: ExitStatus = .error, isNotFound: Bool = false) {
    self.message = message
    self.hint = hint
    self.status = status
    self.isNotFound = isNotFound
  }

  /// Returns the error with another attempt appended to its message.
  public func adding(_ more: String) -> JobError {
    JobError("\(message); \(more)", hint: hint, status: status, isNotFound: isNotFound)
  }

  public var description: String { hint.map { "\(message)\nhint: \($0)" } ?? message }
}
