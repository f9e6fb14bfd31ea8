/// A failure to create, start or stop the private cluster.
public struct ClusterError: Error, Sendable, CustomStringConvertible {
  /// The attempted action, its object, and the reason of the failure.
  public let message: String
  /// The next step for a user; nil if the message suffices.
  public let hint: String?

  /// Messages of the system and PostgreSQL, in the C locale, about temporary shortages of processes or memory and about recovery.
  private static let shortages = [
    "Resource temporarily unavailable", "Cannot allocate memory", "could not fork", "out of memory", "could not create worker",
    "the database system is starting up", "server did not start in time",
  ]

  /// Whether the same call may succeed later without any intervention.
  public var isTemporary: Bool { Self.shortages.contains { message.contains($0) } }

  init(_ message: String, hint: String? = nil) {
    self.message = message
    self.hint = hint
  }

  public var description: String { hint.map { "\(message)\nhint: \($0)" } ?? message }
}
