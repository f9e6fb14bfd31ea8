public import Domain

public struct JobSettings: Sendable, Hashable {
  public var apps: [AppSettings] = []
  public var match = MatchSettings()
  public var breaks = BreakSettings()
  public var rules: RuleSettings
  public var inputs = InputSettings()
  /// Folder of input files; nil if not configured, in which case `inbox` is used if it exists.
  public var inboxDirectory: String?
  public var quarantine = QuarantineSettings()
  public var finance = FinanceSettings()
  /// Changes no result, so it is not part of a run's identity.
  public var retention = RetentionSettings()
  public var sources: [PullSource] = []
  /// Changes no result.
  public var alerts = AlertSettings()
  /// Receivers of event posts. Changes no result.
  public var webhooks: [WebhookSettings] = []
  public var consumption = ConsumptionSettings()
  public var journal = JournalSettings()
  public var reportDirectory = "reports"
  public var reportFormats = ReportFormat.usual
  /// Maximum number of rows of a workbook's sheet, including the header. A longer table continues in further sheets.
  public var reportSheetRows = JobSettings.sheetRowsMax
  /// URL of the review console, without a trailing slash, to which figures of report pages link; nil for no links.
  public var reportConsole: String?
  public var reportLanguage = Language.english
  public static let sheetRowsMax = 1_048_576
  /// Prometheus text file of run-due; nil writes none.
  public var metricsFile: String?

  /// Folder in which run-due stores the output of each window.
  public var logDirectory = "logs"
  /// The settings file; nil if there was none and the defaults apply.
  public var file: String?

  package var ownFolders: [String] { [reportDirectory, logDirectory] }

  /// - Parameter rules: the shipped rules, the only setting without a default.
  public init(rules: [RuleDefinition]) { self.rules = RuleSettings(rules) }

  /// Canonical text of every setting that can change a result, one line per key. Its hash is part of a run's identity.
  public var canonicalText: String { SettingsEntry.text(resultEntries) }

  /// Text of every setting, one line per key. Like `canonicalText` it is stored for ever, so users appear only as a hash.
  var entriesText: String { SettingsEntry.text(entries(people: SettingsEntry.unnamed)) }
}

public struct AppSettings: Sendable, Hashable {
  public var bundleID: String
  /// App Store id of the app; nil disables the check.
  public var appleID: Int64?
  /// IANA name of the time zone of business days.
  public var timeZone = "UTC"
  /// Start of reconciliation; nil for no start. Older history explains subscriptions, and rows missing from it are no breaks.
  public var reconcileFrom: Timestamp?
  /// Users whose sandbox purchases may deliver live goods.
  public var testers: [String] = []
  public var reviewWindows: [ReviewWindow] = []
  public var api: APISettings?

  public init(bundleID: String) { self.bundleID = bundleID }
}

/// A span of time in which App Review may buy in the sandbox on the production service.
public struct ReviewWindow: Sendable, Hashable {
  public var from: Timestamp
  /// End, exclusive.
  public var to: Timestamp
  /// Users of App Review; empty allows every user.
  public var users: [String]

  public init(from: Timestamp, to: Timestamp, users: [String]) {
    self.from = from
    self.to = to
    self.users = users
  }
}

/// Keys for the App Store Server API. Secrets are given by file name only.
public struct APISettings: Sendable, Hashable {
  public var issuerID: String?
  public var keyID: String?
  public var keyFile: String?
  public var sharedSecretFile: String?

  public init() {}
}

public struct MatchSettings: Sendable, Hashable {
  public var windowSeconds: Int64 = 24 * 3600
  public var askToBuyWindowSeconds: Int64 = 14 * 86400
  public var clockSkewSeconds: Int64 = 300
}

/// Limits from which a difference becomes a break and breaks fail a run.
public struct BreakSettings: Sendable, Hashable {
  public var graceSeconds: Int64 = 24 * 3600
  public var lateVerificationSeconds: Int64 = 7 * 86400
  /// Lowest severity of breaks that gives exit status 1.
  public var failAt: Severity = .low
}
