/// Why the private cluster cannot be made, started or stopped.
public struct ClusterError: Error, Sendable, CustomStringConvertible {
  /// What was attempted, on what, and why it failed.
  public let message: String
  /// What to do about it; nil when the message says it all.
  public let hint: String?

  init(_ message: String, hint: String? = nil) {
    self.message = message
    self.hint = hint
  }

  public var description: String { hint.map { "\(message)\nhint: \($0)" } ?? message }
}
