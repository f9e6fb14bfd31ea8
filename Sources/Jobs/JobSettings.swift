public import Domain

/// Everything a job may be told by the settings file and the environment.
public struct JobSettings: Sendable, Hashable {
  public var apps: [AppSettings] = []
  public var match = MatchSettings()
  public var breaks = BreakSettings()
  public var rules = RuleSettings()
  public var inbox = InboxSettings()
  /// Changes no result, so it is no part of a run's identity.
  public var retention = RetentionSettings()
  /// Folder that reports are written to when a command names none.
  public var reportDirectory = "reports"
  /// Prometheus text file that run-due writes; nil writes none.
  public var metricsFile: String?

  public init() {}

  /// Canonical text of every setting that can change a result; its hash is part of a run's identity.
  public var canonicalText: String {
    var lines = apps.sorted { $0.bundleID < $1.bundleID }.map(\.canonicalText)
    lines.append(match.canonicalText)
    lines.append(breaks.canonicalText)
    lines.append(rules.canonicalText)
    return lines.joined(separator: "\n")
  }
}

/// One of our apps.
public struct AppSettings: Sendable, Hashable {
  public var bundleID: String
  /// Store id of the app; nil leaves it unchecked.
  public var appleID: Int64?
  /// IANA name of the zone in which a business day is counted.
  public var timeZone = "UTC"
  /// Users whose sandbox purchases may deliver live goods.
  public var testers: [String] = []
  public var reviewWindows: [ReviewWindow] = []
  public var api: APISettings?

  public init(bundleID: String) { self.bundleID = bundleID }

  var canonicalText: String {
    let windows = reviewWindows.map {
      "\($0.from.rfc3339)/\($0.to.rfc3339)/\($0.users.sorted().joined(separator: ","))"
    }
    return [
      "app", bundleID, appleID.map(String.init) ?? "", timeZone,
      testers.sorted().joined(separator: ","), windows.sorted().joined(separator: ";"),
    ].joined(separator: "|")
  }
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

  var canonicalText: String {
    "match|\(windowSeconds)|\(askToBuyWindowSeconds)|\(clockSkewSeconds)"
  }
}

/// When a difference becomes a break and when breaks fail a run.
public struct BreakSettings: Sendable, Hashable {
  public var graceSeconds: Int64 = 24 * 3600
  public var lateVerificationSeconds: Int64 = 7 * 86400
  /// Breaks of this severity or above give exit status 1.
  public var failAt: Severity = .low

  public init() {}

  var canonicalText: String {
    "breaks|\(graceSeconds)|\(lateVerificationSeconds)|\(failAt.rawValue)"
  }
}

/// Where `nightly` finds its input files.
public struct InboxSettings: Sendable, Hashable {
  /// Folder; nil means that nobody configured one, and `inbox` is used when it is there.
  public var directory: String?

  public init() {}
}
