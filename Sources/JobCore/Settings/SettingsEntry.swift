internal import Cryptography
internal import Domain

/// One setting: the path of its key in the file, and its value, including defaults.
public struct SettingsEntry: Sendable, Hashable {
  public var key: String
  public var value: String

  init(_ key: String, _ value: String) {
    self.key = key
    self.value = value
  }

  /// Returns the number of users and a hash of their names: `2 people (5f2a…)`.
  static func unnamed(_ people: [String]) -> String {
    guard !people.isEmpty else { return "" }
    return "\(people.count) people (\(SHA256.hex(Array(people.sorted().joined(separator: "\n").utf8)).prefix(16)))"
  }

  /// Returns the key of an entry that every named app has.
  static func app(_ bundleID: String) -> String { "apps.\(bundleID).time_zone" }

  package static func text(_ entries: [SettingsEntry]) -> String {
    entries.map { "\($0.key): \($0.value.replacing("\n", with: " "))\n" }.joined()
  }

  static func values(_ text: String) -> [String: String] {
    var values: [String: String] = [:]
    for line in text.split(separator: "\n") {
      guard let end = line.firstRange(of: ": ") else { continue }
      values[String(line[..<end.lowerBound])] = String(line[end.upperBound...])
    }
    return values
  }

  private static let shownMax = 160

  /// Keys of a run's text that differ from the keys of the settings file. Run ids depend on the text, so it keeps these keys.
  private static let fileKeys = [
    "finance.commissions": "finance.commission", "finance.commission": "finance.commission (agreed)", "finance.taxes": "finance.tax",
  ]

  /// The entry under its key in the settings file, for a reader.
  var shown: SettingsEntry { SettingsEntry(Self.fileKeys[key] ?? key, value) }

  /// Returns the differences of two texts as `key: old → new`, sorted by key.
  static func differences(from old: String, to new: String) -> [String] {
    let (before, after) = (values(old), values(new))
    return Set(before.keys).union(after.keys).sorted().compactMap { key in
      guard before[key] != after[key] else { return nil }
      return "\(fileKeys[key] ?? key): \(shown(before[key])) → \(shown(after[key]))"
    }
  }

  private static func shown(_ value: String?) -> String {
    guard let value else { return "(not there)" }
    guard !value.isEmpty else { return "(empty)" }
    return value.count > shownMax ? "\(value.prefix(shownMax))…" : value
  }
}

extension JobSettings {
  /// Every setting that can change a result. Users appear only as a hash, because the text is stored and printed for ever.
  var resultEntries: [SettingsEntry] { resultEntries(people: SettingsEntry.unnamed) }

  private func resultEntries(people: ([String]) -> String) -> [SettingsEntry] {
    apps.sorted { $0.bundleID < $1.bundleID }.flatMap { $0.entries(people: people) } + match.entries + breaks.entries
      + inputs.entries + quarantine.resultEntries + finance.entries + rules.entries
      // These appear in every page. Without them, the identity of earlier runs stays the same.
      + (reportConsole.map { [SettingsEntry("reports.console", $0)] } ?? [])
      + (reportLanguage == .english ? [] : [SettingsEntry("reports.language", reportLanguage.rawValue)])
      + (consumption == ConsumptionSettings() ? [] : consumption.entries)
      + (journal == JournalSettings() ? [] : journal.entries)
  }

  /// Every setting for a reader, including paths that change no result; never a secret.
  public var entries: [SettingsEntry] { entries { $0.sorted().joined(separator: ", ") }.map(\.shown) }

  func entries(people: ([String]) -> String) -> [SettingsEntry] {
    let folders = [
      SettingsEntry("inbox.directory", inboxDirectory ?? ""), SettingsEntry("reports.directory", reportDirectory),
      SettingsEntry("reports.formats", reportFormats.map(\.rawValue).sorted().joined(separator: ", ")),
      SettingsEntry("reports.sheet_rows", "\(reportSheetRows)"),
      SettingsEntry("logs.directory", logDirectory), SettingsEntry("metrics.textfile", metricsFile ?? ""),
    ]
    let spans = RetentionSettings.periods.map { period in
      SettingsEntry("retention.\(period.key)", retention[keyPath: period.seconds].map(DurationText.text) ?? "for ever")
    }
    let limits = QuarantineSettings.limits.map { SettingsEntry("quarantine.\($0.key)", "\(quarantine[keyPath: $0.value])") }
    let wholeFiles = InputKind.allCases.filter { !inputs[$0].finalNewlineIsOptional }.map {
      SettingsEntry("inputs.\($0.rawValue).final_newline", "required")
    }
    let apis = apps.sorted { $0.bundleID < $1.bundleID }.flatMap(\.apiEntries)
    return resultEntries(people: people) + wholeFiles + limits + apis + finance.accessEntries
      + folders + spans + alerts.entries + webhooks.flatMap(\.entries)
      + sources.sorted { $0.name < $1.name }.flatMap(\.entries)
      + (consumption == ConsumptionSettings() ? consumption.entries : [])
      + (journal == JournalSettings() ? journal.entries : [])
  }
}

extension QuarantineSettings {
  fileprivate var resultEntries: [SettingsEntry] { [SettingsEntry("quarantine.storm_above", "\(stormAbove)")] }
}

extension AppSettings {
  fileprivate func entries(people: ([String]) -> String) -> [SettingsEntry] {
    let windows = reviewWindows.map {
      "\($0.from.rfc3339)/\($0.to.rfc3339) \($0.users.isEmpty ? "all users" : people($0.users))"
    }
    return [
      SettingsEntry("apps.\(bundleID).apple_id", appleID.map(String.init) ?? ""),
      SettingsEntry("apps.\(bundleID).review_windows", windows.sorted().joined(separator: "; ")),
      SettingsEntry("apps.\(bundleID).testers", people(testers)),
      SettingsEntry(SettingsEntry.app(bundleID), timeZone),
    ] + (reconcileFrom.map { [SettingsEntry("apps.\(bundleID).reconcile_from", $0.rfc3339)] } ?? [])
  }

  fileprivate var apiEntries: [SettingsEntry] {
    let keys = [
      ("issuer_id", api?.issuerID), ("key_id", api?.keyID), ("key_file", api?.keyFile),
      ("shared_secret_file", api?.sharedSecretFile),
    ]
    return keys.compactMap { name, value in value.map { SettingsEntry("apps.\(bundleID).api.\(name)", $0) } }
  }
}

extension MatchSettings {
  fileprivate var entries: [SettingsEntry] {
    [
      SettingsEntry("match.window", DurationText.text(windowSeconds)),
      SettingsEntry("match.ask_to_buy_window", DurationText.text(askToBuyWindowSeconds)),
      SettingsEntry("match.clock_skew", DurationText.text(clockSkewSeconds)),
    ]
  }
}

extension BreakSettings {
  fileprivate var entries: [SettingsEntry] {
    [
      SettingsEntry("breaks.grace", DurationText.text(graceSeconds)),
      SettingsEntry("breaks.late_verification_after", DurationText.text(lateVerificationSeconds)),
      SettingsEntry("breaks.fail_at", failAt.rawValue),
    ]
  }
}
