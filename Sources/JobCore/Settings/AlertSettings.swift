/// Whom a night tells its verdict.
public struct AlertSettings: Sendable, Hashable {
  /// When a channel is told.
  public enum Occasion: String, Sendable, CaseIterable {
    /// When the verdict is not the one it was told last.
    case change
    /// After every night.
    case always
  }

  /// Who sends, where the mail server asks.
  public struct Account: Sendable, Hashable {
    public var user: String
    public var passwordFile: String

    public init(user: String, passwordFile: String) {
      self.user = user
      self.passwordFile = passwordFile
    }
  }

  /// An address that takes `{"text": …}`, as Slack and its like do: a secret, or the file that holds it.
  public enum Webhook: Sendable, Hashable {
    case url(String)
    case file(String)
  }

  /// A mail server and who gets a letter.
  public struct Email: Sendable, Hashable {
    /// `smtps://HOST[:PORT]`, or `smtp://HOST[:PORT]`, which begins TLS by STARTTLS unless it is this machine.
    public var server: String
    public var from: String
    public var to: [String]
    /// nil where the server asks nobody who they are.
    public var account: Account?

    public init(server: String, from: String, to: [String]) {
      self.server = server
      self.from = from
      self.to = to
    }
  }

  public var occasion = Occasion.change
  /// Address under which a reader finds the folder of reports; nil names the folder on this machine.
  public var link: String?
  public var email: Email?
  public var webhook: Webhook?

  public init() {}

  /// Addresses of one letter at most.
  public static let recipientsMax = 50

  var entries: [SettingsEntry] {
    [
      SettingsEntry("alerts.when", occasion.rawValue), SettingsEntry("alerts.link", link ?? ""),
      SettingsEntry("alerts.email.server", email?.server ?? ""), SettingsEntry("alerts.email.from", email?.from ?? ""),
      SettingsEntry("alerts.email.to", SettingsEntry.unnamed(email?.to ?? [])),
      SettingsEntry("alerts.webhook", webhook == nil ? "" : "set"),
    ]
  }
}
