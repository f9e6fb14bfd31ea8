/// Why the private cluster cannot be made, started or stopped.
public struct ClusterError: Error, Sendable, CustomStringConvertible {
  /// What was attempted, on what, and why it failed.
  public let message: String
  /// What to do about it; nil when the message says it all.
  public let hint: String?

  /// What the system and PostgreSQL say, in the C locale, where processes, memory or a recovery's end are waited for.
  private static let shortages = [
    "Resource temporarily unavailable", "Cannot allocate memory", "could not fork", "out of memory", "could not create worker",
    "the database system is starting up", "server did not start in time",
  ]

  /// Whether the same call may succeed later without anybody doing anything.
  public var isTemporary: Bool { Self.shortages.contains { message.contains($0) } }

  init(_ message: String, hint: String? = nil) {
    self.message = message
    self.hint = hint
  }

  public var description: String { hint.map { "\(message)\nhint: \($0)" } ?? message }
}
