import FoundationEssentials
import Glibc
import Postgres
import TestSupport
import Testing

/// Faults around a run: disk, database, settings, command line.
@Suite(.cleansUp) struct FailureTests {
  // MARK: Disk

  /// A report that exceeds the disk ends with a message, exit status 2 and no partial file. With free space it is written.
  @Test func fullDisk() async throws {
    let world = try await Worlds.shared.small()
    let setup = try await Setup(world: world)
    let folder = "\(setup.directory)/small"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let mount = try await setup.program.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", folder])
    guard mount.status == 0 else {
      print("skipped: this account may not mount a small disk; see fileSizeLimit for the same by a limit")
      await setup.end()
      return
    }
    let execution = try await setup.nightly("\(world)/inbox", out: "small/report", exits: 2)
    #expect(execution.complaint.contains("could not write the report \"small/report/"), "\(execution.complaint)")
    #expect(execution.complaint.contains("no space is left on the disk"), "\(execution.complaint)")
    #expect(execution.complaint.contains("hint: "))
    #expect(try Setup.files(in: "\(folder)/report").isEmpty)
    // The decisions are stored, and the ledger knows the run's end.
    #expect(try await setup.rows("matches").isEmpty == false)
    #expect(try await setup.rows("runs").cells("verdict") == ["failed"])
    #expect(try await setup.program.run(["mount", "-o", "remount,size=16m", folder]).status == 0)
    try await setup.nightly("\(world)/inbox", out: "small/report", exits: 1)
    let expected = try await Worlds.shared.night().outcome
    #expect(try await setup.outcome(report: "small/report").differences(from: expected) == [])
    _ = try await setup.program.run(["umount", folder])
  }

  /// The same for any account: no file may exceed 8 KiB. The signal of that limit is off, as under most supervisors, so the write
  /// fails.
  @Test func fileSizeLimit() async throws {
    let world = try await Worlds.shared.small()
    let setup = try await Setup(world: world)
    try await setup.nightly("\(world)/inbox", exits: 1)
    let before = try Setup.files(in: "\(setup.directory)/report")
    let limited = try await setup.program.run(
      ["bash", "-c", "trap '' XFSZ; ulimit -f 8; exec \"$0\" report breaks --out report --as-of \(Setup.asOf)", Program.path], exits: 2)
    #expect(limited.complaint.contains("could not write the report \"report/"), "\(limited.complaint)")
    // The night's report is unchanged and has no temporary file beside it.
    #expect(try Setup.files(in: "\(setup.directory)/report") == before)
  }

  /// Too few threads or too little memory: reported at once with status 75. Root has no process limit.
  @Test func fewProcessesOrLittleMemory() async throws {
    let setup = try await Setup()
    for (limit, reason) in [("nproc=3", "fewer than"), ("nproc=5", "fewer than"), ("as=200000000", "of memory"), ("as=420000000", "of memory")] {
      let account = geteuid() == 0 && limit.hasPrefix("nproc") ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
      for command in [["runs", "list"], ["nightly", "--as-of", Setup.asOf], ["settings", "show"], ["serve", "--console"]] {
        let execution = try await setup.program.run(["timeout", "20"] + account + ["prlimit", "--\(limit)", Program.path] + command)
        #expect(
          execution.status == 75 && execution.complaint.contains(reason),
          "\(limit) \(command): \(execution.status ?? -1) \(execution.complaint)")
      }
    }
  }

  /// A server in recovery accepts no writes yet: status 75.
  @Test func aServerInRecovery() async throws {
    let setup = try await Setup()
    let database = try await setup.query("select current_database()")
    try await setup.query("alter database \(database) set default_transaction_read_only = on")
    try setup.write("users.csv", "user_id\nU1\n")
    try await setup.program("ingest", "users", "users.csv", "--as-of", Setup.asOf, exits: 75)
  }

  /// A full standard output ends an export with an error, not with half a list and status 0.
  @Test func fullOutput() async throws {
    let setup = try await Worlds.shared.night().setup.copy()
    for list in ["orders", "runs"] {
      let execution = try await setup.program.run(["bash", "-c", "exec \"$0\" export \(list) > /dev/full", Program.path], exits: 2)
      #expect(execution.complaint.contains("could not write the result to standard output: No space left on device"))
    }
    // A reader that closes the pipe ends the program silently, like any other program there.
    let piped = try await setup.program.run(["bash", "-c", "set -o pipefail; \"$0\" export orders | head -n 1 > /dev/null", Program.path])
    #expect(piped.status == 128 + SIGPIPE)
    #expect(piped.complaint == "")
  }

  // MARK: Database

  @Test func databaseDown() async throws {
    var setup = try await Setup()
    setup.program.environment["PAYRECON_DATABASE_URL"] = "host=\(setup.directory)/nowhere dbname=payrecon"
    for words in [["nightly"], ["export", "orders"], ["ingest", "orders", "-"], ["doctor"]] {
      let execution = try await setup.program.run([Program.path] + words, exits: 75)
      #expect(execution.complaint.contains("could not connect to the database"), "\(execution.complaint)")
      // Doctor prints all checks that still work.
      #expect(execution.output.isEmpty == (words != ["doctor"]), "\(execution.text)")
    }
  }

  @Test func databaseIsNotThere() async throws {
    var setup = try await Setup()
    let words = setup.connection.conninfo.split(separator: " ").filter { !$0.hasPrefix("dbname=") }
    setup.program.environment["PAYRECON_DATABASE_URL"] = (words + ["dbname=not_there"]).joined(separator: " ")
    let execution = try await setup.program("export", "orders")
    #expect(execution.status == 2 || execution.status == 75)
    #expect(execution.complaint.contains("\"not_there\" does not exist"), "\(execution.complaint)")
  }

  /// Connections lost during a run: a temporary error with a message. The next start has the result of an undisturbed night.
  @Test(arguments: ["evidence", "matches", "break_events"]) func databaseGone(at table: String) async throws {
    let world = try await Worlds.shared.small()
    let expected = try await Worlds.shared.night().outcome
    let setup = try await Setup(world: world)
    let blocker = try await setup.block(table)
    async let disturbed = setup.nightly("\(world)/inbox")
    let isCut = try await setup.waitForLock(on: table)
    #expect(isCut)
    try await setup.cutNight()
    let execution = try await disturbed
    await blocker.close()
    #expect(execution.status == 75, "\(execution.complaint)")
    #expect(execution.complaint.contains("payrecon: could not finish: "), "\(execution.complaint)")
    try await setup.nightly("\(world)/inbox", exits: 1)
    #expect(try await setup.outcome().differences(from: expected) == [])
  }

  // MARK: Settings and command line

  /// Settings with a fault, and the key or place that the message names.
  private static let wrongSettings = [
    ("brakes: {grace: 24h}", "\"brakes\""), ("breaks: {grase: 24h}", "\"breaks.grase\""),
    ("apps: [{bundle_id: a, colour: red}]", "\"apps[0].colour\""),
    ("breaks: {grace: soon}", "\"breaks.grace\""),
    ("breaks: {fail_at: often}", "\"breaks.fail_at\""), ("breaks: [", "not YAML: line "),
    ("inbox: {directory: SECRET}\ninputs: {}\nbreaks: {}\ninputs: {}\n", "not YAML: the key \"inputs\" is repeated, first on line 2;"),
    ("breaks: {}\ninbox: SECRET: x", "not YAML: line 2, column "),
    ("rules: {R99: {state: live}}", "\"rules.R99\""), ("rules: {R02: {users_most: 4}}", "\"rules.R02.users_most\""),
    ("rules: {R02: {state: on}}", "\"rules.R02.state\""), ("rules: {R02: {version: 2, window: soon}}", "\"rules.R02.window\""),
    ("rules: {R10: {version: 2, amounts: {CNY: lots}}}", "\"rules.R10.amounts.CNY\""),
    ("rules: {R02: {users_max: 5}}", "a version above 1"),
    ("finance: {fx_source: [{source: spot, valid_from: 2026-01-01}]}", "\"finance.fx_source[0].source\""),
    ("finance: {fx_source: [{source: printed}]}", "\"finance.fx_source[0]\""),
    ("finance: {late_settle_after: 36h}", "\"finance.late_settle_after\""),
    ("finance: {accounts: [{vendor: us, issuer_id: i, key_id: k, key_file: f}]}", "\"finance.accounts[0].vendor\""),
  ]

  @Test func settings() async throws {
    let setup = try await Setup()
    for (text, named) in Self.wrongSettings {
      try setup.write("payrecon.yaml", text)
      let execution = try await setup.program("nightly", "--as-of", Setup.asOf)
      #expect(execution.status == 64 || execution.status == 2, "\(text)")
      #expect(execution.complaint.contains(named), "\(execution.complaint)")
      #expect(execution.complaint.contains("payrecon.yaml") && !execution.complaint.contains("SECRET"), "\(text)")
    }
    #expect(try await setup.rows("runs", settings: Setup.settings()).isEmpty)
  }

  @Test func settingsFileIsMissing() async throws {
    var setup = try await Setup()
    setup.program.environment["PAYRECON_CONFIG"] = "\(setup.directory)/nowhere.yaml"
    let execution = try await setup.program("nightly", "--as-of", Setup.asOf)
    #expect(execution.status == 64 || execution.status == 2)
    #expect(execution.complaint.contains("could not read settings file \"\(setup.directory)/nowhere.yaml\""))
  }

  /// Missing trusted roots: nothing could count as genuine, so nothing is ingested.
  @Test func rootsAreMissing() async throws {
    var setup = try await Setup()
    let file = try setup.write("apple.ndjson", Scenario.sign(ApplePurchase("470001000000001", at: "2026-05-10T10:00:20Z")) + "\n")
    setup.program.environment["PAYRECON_APPLE_ROOTS"] = "\(setup.directory)/nowhere"
    let execution = try await setup.program("ingest", "apple", file, exits: 2)
    #expect(execution.complaint.contains("\(setup.directory)/nowhere"), "\(execution.complaint)")
    #expect(try await setup.rows("evidence").isEmpty)
  }

  @Test(arguments: [
    ["nightly", "--nope"], ["nope"], ["ingest", "nope", "a.csv"], ["ingest", "orders"], ["export", "nope"],
    ["export", "orders", "--format", "nope"], ["nightly", "--as-of", "yesterday"],
    ["nightly", "--as-of", "2026-05-01"], ["ingest", "orders", "a", "--format", "nope"],
    ["deadletter", "discard", "x"], ["report", "nope"],
  ]) func usage(_ words: [String]) async throws {
    let execution = try await Program().run([Program.path] + words)
    #expect(execution.status == 64, "\(execution.complaint)")
    #expect(execution.complaint.isEmpty == false)
    #expect(execution.output.isEmpty)
  }

  /// The message names the option, its value and the format.
  @Test(arguments: [
    (["nightly"], "--as-of"), (["queue", "snooze", "x", "--reason", "r"], "--until"), (["queue", "undo", "--reason", "r"], "--since"),
    (["lists", "add", "block", "user", "U1", "--owner", "ann", "--reason", "r"], "--until"),
    (["backfill", "nightly", "--from", "2026-05-01T00:00:00Z"], "--to"),
  ]) func instantsOfOptions(_ words: [String], _ option: String) async throws {
    let execution = try await Program().run([Program.path] + words + [option, "2026-05-01"])
    #expect(execution.status == 64, "\(execution.complaint)")
    for part in [option, "'2026-05-01'", "RFC 3339"] { #expect(execution.complaint.contains(part), "\(execution.complaint)") }
  }

  @Test(arguments: [
    (["nighly"], "payrecon nightly"), (["exprot", "breaks"], "payrecon export"), (["queue", "dceide"], "payrecon queue decide"),
    (["brake"], "payrecon breaks"), (["nope"], nil), (["nightly", "--nope"], nil),
  ]) func suggestions(_ words: [String], _ meant: String?) async throws {
    let execution = try await Program().run([Program.path] + words)
    #expect(execution.status == 64)
    let suggestion = execution.complaint.split(separator: "\n").first { $0.hasPrefix("Did you mean") }
    #expect(suggestion == meant.map { "Did you mean '\($0)'?" }, "\(execution.complaint)")
  }

  @Test(arguments: [["--help"], ["--version"], ["nightly", "--help"], []]) func help(_ words: [String]) async throws {
    let execution = try await Program().run([Program.path] + words)
    #expect(execution.status == 0, "\(execution.complaint)")
    #expect(execution.output.isEmpty == false)
    #expect(execution.errors.isEmpty)
  }
}
