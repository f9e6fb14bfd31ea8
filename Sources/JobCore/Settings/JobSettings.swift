public import Domain

/// Everything a job may be told by the settings file and the environment.
public struct JobSettings: Sendable, Hashable {
  public var apps: [AppSettings] = []
  public var match = MatchSettings()
  public var breaks = BreakSettings()
  public var rules: RuleSettings
  public var inputs = InputSettings()
  public var inbox = InboxSettings()
  public var quarantine = QuarantineSettings()
  public var finance = FinanceSettings()
  /// Changes no result, so it is no part of a run's identity.
  public var retention = RetentionSettings()
  /// Databases that a night reads rows from.
  public var sources: [PullSource] = []
  /// Changes no result.
  public var alerts = AlertSettings()
  /// Programs that are told what happens; changes no result.
  public var webhooks: [WebhookSettings] = []
  /// Folder that reports are written to when a command names none.
  public var reportDirectory = "reports"
  /// Forms in which reports are written when a command names none.
  public var reportFormats = ReportFormat.usual
  /// Rows of a workbook's sheet, its head included; a longer table goes on in further sheets.
  public var reportSheetRows = JobSettings.sheetRowsMax
  /// Address of the review console, without a slash at its end, to which figures of report pages lead; nil leads nowhere.
  public var reportConsole: String?
  /// In which people read reports.
  public var reportLanguage = Language.english
  /// What a sheet can hold.
  public static let sheetRowsMax = 1_048_576
  /// Prometheus text file that run-due writes; nil writes none.
  public var metricsFile: String?

  /// Folder in which run-due keeps what each window printed.
  public var logDirectory = "logs"
  /// The file that they were read from; nil when there was none and the defaults apply.
  public var file: String?

  /// - Parameter rules: those that ship; there is no other default.
  public init(rules: [RuleDefinition]) { self.rules = RuleSettings(rules) }

  /// Canonical text of every setting that can change a result, one line per key; its hash is part of a run's identity.
  public var canonicalText: String { SettingsEntry.text(resultEntries) }
}

/// One of our apps.
public struct AppSettings: Sendable, Hashable {
  public var bundleID: String
  /// Store id of the app; nil leaves it unchecked.
  public var appleID: Int64?
  /// IANA name of the zone in which a business day is counted.
  public var timeZone = "UTC"
  /// Start of reconciliation. Older history explains subscriptions, and what is missing from it is no break. nil: there is no start.
  public var reconcileFrom: Timestamp?
  /// Users whose sandbox purchases may deliver live goods.
  public var testers: [String] = []
  public var reviewWindows: [ReviewWindow] = []
  public var api: APISettings?

  public init(bundleID: String) { self.bundleID = bundleID }
}

extension JobSettings {
  /// Folders that payrecon writes to.
  package var ownFolders: [String] { [reportDirectory, logDirectory] }
}

/// A span in which App Review may buy in the sandbox on the production service.
public struct ReviewWindow: Sendable, Hashable {
  public var from: Timestamp
  /// End, not included.
  public var to: Timestamp
  /// Users that review uses; empty allows every user.
  public var users: [String]

  public init(from: Timestamp, to: Timestamp, users: [String]) {
    self.from = from
    self.to = to
    self.users = users
  }
}

/// Keys for the App Store Server API, by name of the files that hold them; never the secrets themselves.
public struct APISettings: Sendable, Hashable {
  public var issuerID: String?
  public var keyID: String?
  public var keyFile: String?
  public var sharedSecretFile: String?

  public init() {}
}

/// Spans of the match ladder, in seconds.
public struct MatchSettings: Sendable, Hashable {
  public var windowSeconds: Int64 = 24 * 3600
  public var askToBuyWindowSeconds: Int64 = 14 * 86400
  public var clockSkewSeconds: Int64 = 300

  public init() {}
}

/// When a difference becomes a break and when breaks fail a run.
public struct BreakSettings: Sendable, Hashable {
  public var graceSeconds: Int64 = 24 * 3600
  public var lateVerificationSeconds: Int64 = 7 * 86400
  /// Breaks of this severity or above give exit status 1.
  public var failAt: Severity = .low

  public init() {}
}

/// Where `nightly` finds its input files.
public struct InboxSettings: Sendable, Hashable {
  /// Folder; nil means that nobody configured one, and `inbox` is used when it is there.
  public var directory: String?

  public init() {}
}
