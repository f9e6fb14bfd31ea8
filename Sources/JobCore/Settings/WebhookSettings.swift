/// A program that is told what happens, by signed posts.
public struct WebhookSettings: Sendable, Hashable {
  /// What is told; the raw value is the word of settings and posts.
  public enum Event: String, Sendable, CaseIterable {
    /// Something about a subject is open, and nothing was.
    case caseOpened = "case.opened"
    /// Somebody proposed, decided, approved, rejected, withdrew or took back.
    case caseDecided = "case.decided"
    /// A run came to its verdict.
    case runEnded = "run.ended"
  }

  /// Webhooks that one settings file names at most.
  public static let namedMax = 10

  /// Lower-case letters, digits and hyphens; what it was told is kept under it.
  public var name: String
  public var address: AlertSettings.Webhook
  /// File with the key of its signatures.
  public var secretFile: String
  public var events: Set<Event>
  /// How long the receiver may take for its answer.
  public var timeoutSeconds: Int64 = 10
  /// What can be allowed for that, in seconds.
  public static let timeouts: ClosedRange<Int64> = 1...30

  public init(name: String, address: AlertSettings.Webhook, secretFile: String, events: Set<Event>) {
    self.name = name
    self.address = address
    self.secretFile = secretFile
    self.events = events
  }

  /// Never its address, which may be a secret.
  var entries: [SettingsEntry] {
    [SettingsEntry("webhooks.\(name)", events.map(\.rawValue).sorted().joined(separator: ", "))]
  }
}
