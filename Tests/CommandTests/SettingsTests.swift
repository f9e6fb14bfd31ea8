import FoundationEssentials

/// A night runs only with its intended settings and at a clock that has passed.
@Suite(.cleansUp) struct SettingsTests {
  /// In a wrong folder without settings, or without its settings file, the night refuses to run and creates nothing.
  @Test func nightNeedsSettings() async throws {
    var setup = try await Setup(hasDatabase: false)
    setup.program.environment["PAYRECON_CONFIG"] = nil
    setup.program.directory = try Setup.makeFolder()
    try await setup.program("nightly", exits: 64, complains: "there is no settings file", "PAYRECON_CONFIG")
    setup.program.environment["PAYRECON_CONFIG"] = "nowhere.yaml"
    try await setup.program("nightly", exits: 64, complains: "could not read settings file \"nowhere.yaml\"")
    #expect(!FileManager.default.fileExists(atPath: "\(setup.directory)/state"))
  }

  /// A first try needs no settings. After a run with settings, no job decides or verifies without them, in any folder.
  @Test func settingsStayRequiredAfterTheirFirstRun() async throws {
    let setup = try await Setup()
    try setup.writeInbox()
    var lost = setup.program
    lost.environment["PAYRECON_CONFIG"] = nil
    lost.directory = try Setup.makeFolder()
    let more = try setup.write("more.ndjson", ApplePurchase("470001000000002", at: "2026-05-10T10:00:20Z").jws + "\n")
    let judges: [(name: String, rest: [String])] = [
      ("ingest apple", [more]), ("match", []), ("match", ["--dry-run"]), ("detect", []), ("evidence judge", []),
      ("renewals settle", []), ("renewals plan", []), ("deadletter retry", []), ("tieout", ["--period", "2026-P08"]),
    ]
    func run(_ job: (name: String, rest: [String]), asOf: String) async throws -> Execution {
      let words = [Program.path] + job.name.split(separator: " ").map(String.init) + job.rest + ["--as-of", asOf]
      return try await setup.patiently { try await lost.run(words) }
    }
    for job in judges.prefix(5) {
      let first = try await run(job, asOf: "2026-05-10T12:00:00Z")
      #expect([0, 1, 3].contains(first.status ?? -1), "\(job) \(first.complaint)")
    }
    try await setup.nightly(asOf: "2026-05-11T00:00:00Z", exits: 0)
    let stated = try await setup.rows("evidence")
    for job in judges {
      let refused = try await run(job, asOf: "2026-05-12T00:00:00Z")
      #expect(refused.status == 64 && refused.complaint.contains("refused to run \(job.name): there is no settings file"), "\(refused)")
    }
    #expect(try await setup.rows("evidence") == stated)
    let users = try setup.write("users.csv", "user_id\nU1\n")
    #expect(try await lost("ingest", "users", users, "--as-of", "2026-05-12T00:00:00Z").status == 0)
  }

  /// A setting changed since the last complete night is named in the summary, the report, the audit chain and `settings show`.
  @Test func changesAreReported() async throws {
    let setup = try await Setup()
    try setup.writeInbox()
    try await setup.nightly(asOf: "2026-05-11T00:00:00Z", exits: 0, lacks: "setting changed")
    #expect(try await setup.program("settings", "show", "--diff").status == 0)
    try setup.write("payrecon.yaml", Setup.settings().replacing("grace: 24h", with: "grace: 36h"))
    let stated = "breaks.grace: 1d → 36h"
    try await setup.program("settings", "show", "--diff", exits: 1, prints: stated)
    let second = try await setup.nightly(asOf: "2026-05-12T00:00:00Z", exits: 0)
    let report = try Setup.files(in: "\(setup.directory)/report")
    for name in ["manifest.json", "report.html"] {
      #expect(String(decoding: try #require(report[name]), as: UTF8.self).contains(stated), "\(name)")
    }
    #expect(second.text.contains(stated), "\(second.text)")
    #expect(try await setup.program("audit", "list", "--format", "json").text.contains(stated))
    #expect(try await setup.program("audit", "verify").status == 0)
    // The same night started again prints the same. The next one has no change to print.
    #expect(try await setup.nightly(asOf: "2026-05-12T00:00:00Z").text.contains(stated))
    #expect(try await !setup.nightly(asOf: "2026-05-13T00:00:00Z").text.contains("setting changed"))
    // Users in the settings are shown only to a reader of the file.
    try setup.write(
      "payrecon.yaml", Setup.settings().replacing("time_zone: Asia/Shanghai", with: "time_zone: Asia/Shanghai, testers: [U-SECRET]"))
    try await setup.nightly(asOf: "2026-05-14T00:00:00Z", prints: "apps.com.acme.reader.testers: (empty) → 1 people (", lacks: "U-SECRET")
    #expect(try await setup.count("settings_texts where settings like '%U-SECRET%'") == 0)
    #expect(try await setup.program("settings", "show").text.contains("apps.com.acme.reader.testers: U-SECRET\n"))
    try setup.write("payrecon.yaml", Setup.settings().replacing("grace: 24h", with: "grace: 36h"))
    try await setup.program("settings", "show", prints: "breaks.grace: 36h\n", "inputs.users.max_age: none\n")
  }

  @Test func `values of environment variables are in effect, so they are shown with the variable`() async throws {
    var setup = try await Setup()
    setup.program.environment["PAYRECON_METRICS_FILE"] = "night.prom"
    setup.program.environment["PAYRECON_APPSTORE_URL"] = "https://user:secret@store.example.com"
    setup.program.environment["PAYRECON_APPSTORE_PAUSE_MS"] = "700"
    let shown = try await setup.program("settings", "show").text
    for line in [
      "metrics.textfile: night.prom # from PAYRECON_METRICS_FILE", "logs.directory: logs", "PAYRECON_APPSTORE_PAUSE_MS: 700",
      "PAYRECON_APPSTORE_URL: set, not shown because it may contain a password",
      "PAYRECON_DATABASE_URL: set, not shown because it may contain a password",
    ] {
      #expect(shown.contains("\(line)\n"), "\(line): \(shown)")
    }
    #expect(!shown.contains("secret@"), "\(shown)")
  }

  /// `--diff` names every kind of changed setting, also those that change no result, and no unchanged default.
  @Test func everyChangedSettingIsListed() async throws {
    let setup = try await Setup()
    try setup.writeInbox()
    try await setup.nightly(asOf: "2026-05-11T00:00:00Z", exits: 0)
    try setup.write("key", "whsec_" + Data(repeating: 7, count: 32).base64EncodedString())
    let api = "time_zone: Asia/Shanghai, testers: [U-SECRET], api: {issuer_id: i, key_id: k, key_file: key.p8}"
    let changed =
      Setup.settings().replacing("time_zone: Asia/Shanghai", with: api) + """
        sources: [{name: shop, kind: orders, relation: shop.orders}]
        inbox: {directory: in}
        reports: {formats: [csv], directory: out}
        retention: {parked: 90d}
        quarantine: {queue_posts: 9, foreign_posts: 8}
        alerts: {when: always}
        webhooks: [{name: setup, url: "https://x.example/s3cret", secret_file: key}]
        logs: {directory: log}
        metrics: {textfile: m.prom}
        consumption: {send: true}
        journal: {policy: agent}

        """
    try setup.write("payrecon.yaml", changed)
    let diff = try await setup.program("settings", "show", "--diff")
    let lines = diff.text.split(separator: "\n").dropFirst()
    let app = "apps.com.acme.reader"
    #expect(
      lines.map { String($0.prefix { $0 != ":" }) } == [
        "alerts.when", "\(app).api.issuer_id", "\(app).api.key_file", "\(app).api.key_id", "\(app).testers", "consumption.send",
        "inbox.directory", "journal.policy", "logs.directory", "metrics.textfile", "quarantine.foreign_posts", "quarantine.queue_posts",
        "reports.directory", "reports.formats", "retention.parked", "sources.shop.from", "sources.shop.kind",
        "sources.shop.overlap_seconds", "sources.shop.query_sha256", "webhooks.setup",
      ], "\(diff.text)")
    #expect(diff.status == 1 && !diff.text.contains("s3cret") && !diff.text.contains("U-SECRET"), "\(diff.text)")
    // A night that stored only the settings of results is compared by them.
    _ = try await setup.query("update payrecon.runs set entries_sha256 = null")
    try await setup.program("settings", "show", "--diff", prints: "consumption.send", lacks: "inbox.directory")
    // The next night stores the changed ones, although its identity is that of the night before.
    try setup.write("payrecon.yaml", Setup.settings() + "retention: {parked: 90d}\n")
    try await setup.nightly(asOf: "2026-05-12T00:00:00Z", exits: 0)
    #expect(try await setup.program("settings", "show", "--diff").status == 0)
    try setup.write("payrecon.yaml", Setup.settings())
    let back = try await setup.program("settings", "show", "--diff").text
    #expect(back.split(separator: "\n").dropFirst() == ["retention.parked: 90d → for ever"], "\(back)")
  }

  @Test func appWithChargesMustStayInTheSettings() async throws {
    let setup = try await Setup()
    try setup.writeInbox()
    try await setup.nightly(asOf: "2026-05-11T00:00:00Z", exits: 0)
    let named = Setup.settings()
    // The app without charges may be removed.
    let lines = named.split(separator: "\n")
    func without(_ bundle: String) -> String { lines.filter { !$0.contains(bundle) }.joined(separator: "\n") + "\n" }
    try setup.write("payrecon.yaml", without("com.acme.kids"))
    try await setup.nightly(asOf: "2026-05-12T00:00:00Z", exits: 0)
    try setup.write("payrecon.yaml", without("com.acme.reader"))
    for words in [["nightly", "--inbox", "inbox", "--out", "report"], ["ingest", "apple", "inbox/apple.ndjson"]] {
      try await setup.patiently(
        words, asOf: "2026-05-13T00:00:00Z", exits: 64, text: "", complains: "\"com.acme.reader\"", "--accept-settings")
    }
    #expect(try await setup.rows("runs").count == 2)
    #expect(try await setup.nightly(asOf: "2026-05-13T00:00:00Z", ["--accept-settings"]).status != 64)
    // The removal needs one confirmation. If the app is added and removed again, it needs another.
    #expect(try await setup.nightly(asOf: "2026-05-14T00:00:00Z").status != 64)
    try setup.write("payrecon.yaml", named)
    #expect(try await setup.nightly(asOf: "2026-05-15T00:00:00Z").status != 64)
    try setup.write("payrecon.yaml", without("com.acme.reader"))
    try await setup.nightly(asOf: "2026-05-16T00:00:00Z", exits: 64)
  }

  /// Every command refuses a clock in the future. With permission, such a run does not update the last-success clocks.
  @Test func futureClocksNeedPermission() async throws {
    let setup = try await Setup()
    try setup.write("payrecon.yaml", Setup.settings(inputs: "{orders: {max_age: none}, apple: {max_age: none}}"))
    try setup.writeInbox()
    try await setup.nightly(asOf: "2026-05-11T00:00:00Z", exits: 0)
    let ahead = "2098-01-01T00:00:00Z"
    for words in [["nightly"], ["detect"], ["export", "orders"], ["report", "daily"], ["ingest", "users", "none.csv"]] {
      // Started through a shell, which does not add `--future`.
      let line = ["sh", "-c", "\"$0\" \"$@\"", Program.path] + words + ["--as-of", ahead]
      try await setup.program.run(line, exits: 64, complains: "it is later than now")
    }
    let before = try await setup.metrics().split(separator: "\n")
    try await setup.nightly(asOf: ahead, ["--future"], exits: 0)
    let after = try await setup.metrics().split(separator: "\n")
    for name in ["last_clean_as_of_seconds", "last_complete_as_of_seconds", "last_complete_ended_seconds"] {
      let line = try #require(before.first { $0.hasPrefix("payrecon_run_\(name){job=\"nightly\"}") })
      #expect(after.contains(line), "\(line)")
    }
    #expect(try await setup.program("run-due", "--future", "--jobs", "nojobs").status == 64)
  }

  @Test func ratesAreShownUnderTheKeysOfTheFile() async throws {
    let rates =
      "finance: {tax: [{storefront: DEU, valid_from: 2026-01-01, percent: 19}], "
      + "commission: [{storefront: DEU, programme: standard, valid_from: 2026-01-01, percent: 20}]}\n"
    let stated = try await Self.show(Setup.settings() + rates).text
    let keys = stated.split(separator: "\n").map { $0.prefix { $0 != ":" } }
    #expect(keys.contains("finance.tax") && keys.contains("finance.commission"), "\(stated)")
    #expect(!keys.contains("finance.taxes") && !keys.contains("finance.commissions"), "\(stated)")
    #expect(stated.contains("finance.commission (agreed): DEU standard 2026-01-01 2000"), "\(stated)")
  }

  @Test(arguments: [
    ("printed", "report; printed from 0001-01-01"), ("report", "report"),
    (
      "[{source: printed, valid_from: 2026-06-28}, {source: report, valid_from: 2026-03-01}]",
      "report; report from 2026-03-01; printed from 2026-06-28"
    ),
  ]) func `a single word applies always, a list from its days on`(_ text: String, _ shown: String) async throws {
    let stated = try await Self.show(Setup.settings() + "finance: {fx_source: \(text)}\n")
    #expect(
      stated.text.split(separator: "\n").contains { $0.contains("finance.fx_source") && $0.hasSuffix(shown) },
      "\(stated.text)\(stated.complaint)")
  }

  /// Shows the settings of a text, without a database.
  static func show(_ text: String) async throws -> Execution {
    let folder = try Setup.makeFolder()
    try Data(text.utf8).write(to: URL(filePath: "\(folder)/payrecon.yaml"))
    var program = Program()
    program.environment = ["PAYRECON_CONFIG": "\(folder)/payrecon.yaml", "PAYRECON_SQL_DIR": "\(TestServer.repository)/sql"]
    return try await program("settings", "show")
  }

  /// A fault names its key and the value, unless the value may be a secret.
  @Test(arguments: [
    ("apps: [{bundle_id: a.b, time_zone: Asia/Beijing}]", "Asia/Beijing", true),
    ("apps: [{bundle_id: a.b, apple_id: 15e8}]", "15e8", true), ("breaks: {fail_at: grave}", "grave", true),
    ("breaks: {grace: 1 day}", "1 day", true), ("reports: {formats: [pdf]}", "pdf", true), ("reports: {sheet_rows: 1}", "1", true),
    ("inputs: {orders: {max_age: 30}}", "30", true), ("rules: {R01: {state: on-call}}", "on-call", true),
    ("finance: {programme: tiny}", "tiny", true), ("retention: {parked: 1h}", "1h", true), ("alerts: {when: never}", "never", true),
    ("alerts: {webhook: https://hooks.example.com/s3cret}", "s3cret", false), ("pasword: s3cret", "s3cret", false),
    ("alerts: {email: {server: \"https://u:s3cret@mail\", from: a@b.c, to: [d@e.f]}}", "s3cret", false),
  ]) func aFaultQuotesTheValue(_ block: String, _ value: String, _ isQuoted: Bool) async throws {
    let refused = try await Self.show("\(block)\n")
    #expect(refused.status == 64)
    #expect(refused.complaint.contains("\"\(value)\"") == isQuoted, "\(refused.complaint)")
    #expect(isQuoted || !refused.complaint.contains(value), "\(refused.complaint)")
    #expect(refused.complaint.components(separatedBy: "\"\(value)\"").count <= 2, "\(refused.complaint)")
  }

  @Test(arguments: [
    ("brakes: {grace: 24h}", "\"brakes\""), ("breaks: {grase: 24h}", "\"breaks.grase\""), ("breaks: {grace: soon}", "\"breaks.grace\""),
    ("apps: [{bundle_id: a, colour: red}]", "\"apps[0].colour\""), ("breaks: {fail_at: often}", "\"breaks.fail_at\""),
    ("breaks: [", "not YAML: line "), ("breaks: {}\ninbox: s3cret: x", "not YAML: line 2, column "),
    ("inbox: {directory: s3cret}\ninputs: {}\nbreaks: {}\ninputs: {}\n", "not YAML: the key \"inputs\" is repeated, first on line 2;"),
    ("rules: {R99: {state: live}}", "\"rules.R99\""), ("rules: {R02: {users_most: 4}}", "\"rules.R02.users_most\""),
    ("rules: {R02: {state: on}}", "\"rules.R02.state\""), ("rules: {R02: {version: 2, window: soon}}", "\"rules.R02.window\""),
    ("rules: {R10: {version: 2, amounts: {CNY: lots}}}", "\"rules.R10.amounts.CNY\""),
    ("rules: {R02: {users_max: 5}}", "a version above 1"),
    ("finance: {fx_source: [{source: spot, valid_from: 2026-01-01}]}", "\"finance.fx_source[0].source\""),
    ("finance: {fx_source: [{source: printed}]}", "\"finance.fx_source[0]\""),
    ("finance: {late_settle_after: 36h}", "\"finance.late_settle_after\""),
    ("finance: {accounts: [{vendor: us, issuer_id: i, key_id: k, key_file: f}]}", "\"finance.accounts[0].vendor\""),
    ("alerts: {email: {server: mail.example.com, from: a@example.com, to: [b@example.com]}}", "must be smtps://HOST"),
    ("alerts: {email: {server: \"smtps://m\", from: \"a@example.com>\\r\\nBcc: x\", to: [b@example.com]}}", "must be an address"),
    ("alerts: {email: {server: \"smtps://m\", from: a@example.com, to: []}}", "must be a list of 1 to 50"),
    ("alerts: {email: {server: \"smtps://m\", from: a@example.com, to: [b@example.com], user: u}}", "needs \"user\" and \"password_file\""),
    ("alerts: {notices: {}}", "needs \"email\""), ("alerts: {webhook: {}}", "needs \"url\" or \"url_file\""),
    ("alerts: {when: never}", "not one of change, always"),
    ("webhooks: [{url: http://x, secret_file: key}]", "needs \"name\" and \"secret_file\""),
    ("webhooks: [{name: a, secret_file: key}]", "needs \"url\" or \"url_file\""),
    ("webhooks: [{name: A b, url: http://x, secret_file: key}]", "must be lower-case"),
    ("webhooks: [{name: a, url: http://x, secret_file: key, events: [all]}]", "not one of case.opened"),
    ("webhooks: [{name: a, url: http://x, secret_file: key, timeout: 1h}]", "must be 1s to 30s"),
    ("webhooks: [{name: a, url: https://x, secret_file: key}, {name: a, url: https://y, secret_file: key}]", "names \"a\" twice"),
    ("webhooks: [{name: a, url: http://x/s3cret, secret_file: key}]", "\"webhooks[0].url\" must be https"),
    ("webhooks: [{name: a, url: ftp://x/s3cret, secret_file: key}]", "x would be called by another protocol than https"),
    ("webhooks: [{name: a, url: file:///s3cret, secret_file: key}]", "\"webhooks[0].url\" must be https"),
    ("inputs: {orders: {final_newline: maybe}}", "inputs.orders.final_newline"),
    ("", "it names no app"), ("apps: []", "it names no app"), ("breaks: {grace: 24h}", "it names no app"),
  ]) func `a fault names its key, its place or the remedy, and no secret`(_ text: String, _ part: String) async throws {
    let refused = try await Self.show("\(text)\n")
    #expect(refused.status == 64 && refused.complaint.contains(part), "\(refused.text)\(refused.complaint)")
    #expect(refused.complaint.contains("payrecon.yaml") && !refused.complaint.contains("s3cret"), "\(refused.complaint)")
  }

  private static let readingCommands = [
    ["export", "orders"], ["report", "daily"], ["lookup", "X"], ["breaks"], ["queue"], ["lists"], ["rules"], ["runs"],
    ["audit"], ["deadletter"], ["settings", "show", "--diff"], ["doctor"], ["match", "--dry-run"],
    ["detect", "--explain", "X"], ["database", "psql"], ["database", "accounts", "list"], ["database", "status"], ["database", "stop"],
    ["nightly", "--help"], ["database", "psql", "--help"], ["settings", "show"], ["export", "--help"],
  ]

  @Test func readingCommandsCreateNoCluster() async throws {
    let setup = try await Setup(hasDatabase: false)
    for words in Self.readingCommands {
      let execution = try await setup.program.run([Program.path] + words)
      #expect(!FileManager.default.fileExists(atPath: "\(setup.directory)/state"), "\(words)")
      let needsNone =
        words.contains("--help") || ["rules", "settings show", "database status", "database stop"].contains(words.joined(separator: " "))
      #expect((execution.status == 0) == needsNone, "\(words): \(execution.text)\(execution.complaint)")
      if !needsNone { #expect((execution.complaint + execution.text).contains("there is no database yet"), "\(words)") }
    }
  }
}
