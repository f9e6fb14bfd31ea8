public import Domain

/// A failure that ends a command, worded for the operator, with the exit status it gives.
public struct JobError: Error, CustomStringConvertible, Sendable {
  /// What was attempted, on what, and why it failed.
  public var message: String
  /// What to do about it; nil when the message says it all.
  public var hint: String?
  public var status: ExitStatus
  /// Whether it says no more than that nothing is known of what was asked about: somebody else may know it.
  public var isNotFound: Bool

  public init(_ message: String, hint: String? = nil, status: ExitStatus = .error, isNotFound: Bool = false) {
    self.message = message
    self.hint = hint
    self.status = status
    self.isNotFound = isNotFound
  }

  /// The same, and what else was tried.
  public func adding(_ more: String) -> JobError {
    JobError("\(message); \(more)", hint: hint, status: status, isNotFound: isNotFound)
  }

  public var description: String { hint.map { "\(message)\nhint: \($0)" } ?? message }
}
