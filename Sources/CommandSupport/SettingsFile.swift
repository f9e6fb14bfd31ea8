internal import Domain
internal import FoundationEssentials
internal import JobCore
internal import YAML
internal import Yams

struct SettingsError: YAMLFileError, CustomStringConvertible {
  static let file = "settings file"
  static let whole = "settings"
  static let key = "setting"

  var description: String
}

typealias SettingsNode = YAMLNode<SettingsError>

/// Reads the YAML settings strictly: an unrecognized key is an error that names it.
///
/// Uses Yams, because a layered key-value reader could neither represent a list of apps nor reject a misspelt key.
enum SettingsFile {
  /// - Throws: `SettingsError` if the file cannot be read, or a key or value is invalid.
  static func read(path: String, rules: [RuleDefinition]) throws -> JobSettings {
    let text: String
    do {
      text = try String(contentsOfFile: path, encoding: .utf8)
    } catch {
      throw SettingsError(
        description: "could not read settings file \"\(path)\": "
          + "check that it is there, is UTF-8 and may be read by this account")
    }
    var settings = try parse(text, path: path, rules: rules)
    settings.file = path
    return settings
  }

  static func parse(_ text: String, path: String, rules: [RuleDefinition]) throws -> JobSettings {
    let root: Node?
    do {
      root = try YAMLSyntax.root(of: text)
    } catch {
      throw SettingsError(description: "could not read settings file \"\(path)\": not YAML: \(error)")
    }
    var settings = JobSettings(rules: rules)
    guard let root, root != Node("") else { return settings }
    let top = try SettingsNode(root, file: path).mapping([
      "apps", "match", "breaks", "rules", "inputs", "reports", "inbox", "logs", "metrics", "retention",
      "quarantine", "alerts", "webhooks", "sources", "finance", "consumption", "journal",
    ])
    if let node = top["apps"] { settings.apps = try node.list(uniqueBy: \.bundleID, app) }
    if let match = try top["match"]?.mapping(["window", "ask_to_buy_window", "clock_skew"]) {
      try match["window"]?.seconds(into: &settings.match.windowSeconds)
      try match["ask_to_buy_window"]?.seconds(into: &settings.match.askToBuyWindowSeconds)
      try match["clock_skew"]?.seconds(into: &settings.match.clockSkewSeconds)
    }
    if let breaks = try top["breaks"]?.mapping(["grace", "late_verification_after", "fail_at"]) {
      try breaks["grace"]?.seconds(into: &settings.breaks.graceSeconds)
      try breaks["late_verification_after"]?.seconds(into: &settings.breaks.lateVerificationSeconds)
      if let node = breaks["fail_at"] { settings.breaks.failAt = try node.choice(Severity.allCases) }
    }
    if let node = top["rules"] { try RulesBlock.read(node, into: &settings.rules) }
    for (name, node) in try top["inputs"]?.mapping(Set(InputKind.allCases.map(\.rawValue))) ?? [:] {
      guard let kind = InputKind(rawValue: name) else { continue }
      try InputsBlock.read(node, kind, into: &settings.inputs[kind])
    }
    if let node = try top["logs"]?.mapping(["directory"])["directory"] { settings.logDirectory = try node.text() }
    if let node = top["reports"] { try reports(node, into: &settings) }
    if let node = try top["inbox"]?.mapping(["directory"])["directory"] { settings.inboxDirectory = try node.text() }
    if let node = try top["metrics"]?.mapping(["textfile"])["textfile"] { settings.metricsFile = try node.text() }
    if let quarantine = top["quarantine"] { try self.quarantine(quarantine, into: &settings.quarantine) }
    if let sources = top["sources"] { settings.sources = try SourcesBlock.read(sources) }
    if let alerts = top["alerts"] { settings.alerts = try AlertsBlock.read(alerts) }
    if let webhooks = top["webhooks"] { settings.webhooks = try WebhooksBlock.read(webhooks) }
    if let finance = top["finance"] { settings.finance = try FinanceBlock.read(finance) }
    if let consumption = top["consumption"] { settings.consumption = try ConsumptionBlock.read(consumption) }
    if let journal = top["journal"] { settings.journal = try JournalBlock.read(journal) }
    if let retention = top["retention"] { settings.retention = try RetentionBlock.read(retention) }
    return settings
  }

  private static func reports(_ node: SettingsNode, into settings: inout JobSettings) throws {
    let reports = try node.mapping(["directory", "formats", "sheet_rows", "console", "language"])
    if let node = reports["directory"] { settings.reportDirectory = try node.text() }
    if let node = reports["formats"] { settings.reportFormats = try formats(node) }
    if let node = reports["console"] { settings.reportConsole = try console(node) }
    if let node = reports["language"] { settings.reportLanguage = try node.choice(Language.allCases) }
    guard let node = reports["sheet_rows"] else { return }
    guard let rows = Int(try node.text()), (2...JobSettings.sheetRowsMax).contains(rows) else {
      throw node.fault("must be 2 to \(JobSettings.sheetRowsMax)")
    }
    settings.reportSheetRows = rows
  }

  /// Reads an address without characters that could inject an attribute, and removes a final slash.
  private static func console(_ node: SettingsNode) throws -> String {
    let text = try node.text()
    let rest = ["https://", "http://"].first { text.hasPrefix($0) }.map { text.dropFirst($0.count) } ?? ""
    let isPlain = rest.utf8.allSatisfy { byte in
      let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      return isLetter || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-._~:/[]".utf8.contains(byte)
    }
    guard isPlain, rest.first?.isLetter == true || rest.first?.isNumber == true || rest.first == "[", text.utf8.count <= 200 else {
      throw node.fault("must be an address such as https://console.example.com")
    }
    return text.hasSuffix("/") ? String(text.dropLast()) : text
  }

  private static func formats(_ node: SettingsNode) throws -> Set<ReportFormat> {
    let formats = try node.list().map { try $0.choice(ReportFormat.allCases) }
    guard !formats.isEmpty else { throw node.fault("names no format") }
    return Set(formats)
  }

  private static func quarantine(_ node: SettingsNode, into settings: inout QuarantineSettings) throws {
    let fields = try node.mapping([
      "storm_above", "keep_items", "keep_bytes", "queue_posts", "queue_bytes", "foreign_posts", "receipt_posts",
    ])
    if let above = fields["storm_above"] { settings.stormAbove = try above.integer() }
    for (key, value) in QuarantineSettings.limits {
      if let limit = fields[key] { settings[keyPath: value] = try limit.integer() }
    }
  }

  private static func app(_ node: SettingsNode) throws -> AppSettings {
    let fields = try node.mapping(["bundle_id", "apple_id", "time_zone", "reconcile_from", "testers", "review_windows", "api"])
    guard let bundle = fields["bundle_id"] else { throw node.fault("needs \"bundle_id\"") }
    var app = AppSettings(bundleID: try bundle.text())
    app.appleID = try fields["apple_id"]?.integer()
    if let zone = fields["time_zone"] {
      app.timeZone = try zone.text()
      guard TimeZone(identifier: app.timeZone) != nil else {
        throw zone.fault("is not an IANA time zone name, such as Asia/Shanghai")
      }
    }
    app.reconcileFrom = try fields["reconcile_from"]?.instant()
    app.testers = try fields["testers"]?.list().map { try $0.text() } ?? []
    app.reviewWindows = try fields["review_windows"]?.list().map(reviewWindow) ?? []
    if let api = try fields["api"]?.mapping(["issuer_id", "key_id", "key_file", "shared_secret_file"]) {
      var keys = APISettings()
      keys.issuerID = try api["issuer_id"]?.text()
      keys.keyID = try api["key_id"]?.text()
      keys.keyFile = try api["key_file"]?.text()
      keys.sharedSecretFile = try api["shared_secret_file"]?.text()
      app.api = keys
    }
    return app
  }

  private static func reviewWindow(_ node: SettingsNode) throws -> ReviewWindow {
    let fields = try node.mapping(["from", "to", "users"])
    guard let from = fields["from"], let to = fields["to"] else { throw node.fault("needs \"from\" and \"to\"") }
    let window = ReviewWindow(
      from: try from.instant(), to: try to.instant(),
      users: try fields["users"]?.list().map { try $0.text() } ?? [])
    guard window.from < window.to else { throw node.fault("ends before it begins") }
    return window
  }
}
