public struct AlertSettings: Sendable, Hashable {
  public enum Occasion: String, Sendable, CaseIterable {
    /// Only if the verdict differs from the last one sent.
    case change
    case always
  }

  public struct Account: Sendable, Hashable {
    public var user: String
    public var passwordFile: String

    public init(user: String, passwordFile: String) {
      self.user = user
      self.passwordFile = passwordFile
    }
  }

  /// An address that accepts `{"text": …}`, such as Slack's: the secret URL, or the file that contains it.
  public enum Webhook: Sendable, Hashable {
    case url(String)
    case file(String)
  }

  public struct Email: Sendable, Hashable {
    /// `smtps://HOST[:PORT]`, or `smtp://HOST[:PORT]`, which uses STARTTLS unless the host is this machine.
    public var server: String
    public var from: String
    public var to: [String]
    /// nil if the server requires no login.
    public var account: Account?

    public init(server: String, from: String, to: [String]) {
      self.server = server
      self.from = from
      self.to = to
    }
  }

  public var occasion = Occasion.change
  /// URL of the folder of reports for readers; nil names the folder on this machine.
  public var link: String?
  public var email: Email?
  public var webhook: Webhook?
  /// Maximum number of notifications in one mail to an account, sent by the server of `email`; nil sends none.
  public var noticesPerMail: Int64?

  public init() {}

  public static let noticesPerMail: ClosedRange<Int64> = 1...100

  public static let recipientsMax = 50

  var entries: [SettingsEntry] {
    [
      SettingsEntry("alerts.when", occasion.rawValue), SettingsEntry("alerts.link", link ?? ""),
      SettingsEntry("alerts.email.server", email?.server ?? ""), SettingsEntry("alerts.email.from", email?.from ?? ""),
      SettingsEntry("alerts.email.to", SettingsEntry.unnamed(email?.to ?? [])),
      SettingsEntry("alerts.webhook", webhook == nil ? "" : "set"),
      SettingsEntry("alerts.notices.per_mail", noticesPerMail.map(String.init) ?? ""),
    ]
  }
}
