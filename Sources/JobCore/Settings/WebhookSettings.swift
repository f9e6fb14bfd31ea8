public struct WebhookSettings: Sendable, Hashable {
  /// Kinds of events; the raw value is the spelling in settings and posts.
  public enum Event: String, Sendable, CaseIterable {
    case caseOpened = "case.opened"
    /// A reviewer proposed, decided, approved, rejected, withdrew or undid.
    case caseDecided = "case.decided"
    case runEnded = "run.ended"
    /// An act concerns an account: it follows the case, is its assignee, is mentioned, or decided it.
    case accountNotified = "account.notified"

    /// Events that a webhook receives if its settings name none.
    public static let usual: [Event] = [.caseOpened, .caseDecided, .runEnded]
  }

  public static let namedMax = 10

  /// Lower-case letters, digits and hyphens. It identifies the webhook's delivered events.
  public var name: String
  public var address: AlertSettings.Webhook
  public var secretFile: String
  public var events: Set<Event>
  public var timeoutSeconds: Int64 = 10
  public static let timeouts: ClosedRange<Int64> = 1...30

  public init(name: String, address: AlertSettings.Webhook, secretFile: String, events: Set<Event>) {
    self.name = name
    self.address = address
    self.secretFile = secretFile
    self.events = events
  }

  /// The name and events, without the address, which may be a secret.
  var entries: [SettingsEntry] {
    [SettingsEntry("webhooks.\(name)", events.map(\.rawValue).sorted().joined(separator: ", "))]
  }
}
