import FoundationEssentials
import Glibc

/// Faults around a run: disk, database, settings, command line.
@Suite(.cleansUp) struct FaultsAroundARunTests {
  // MARK: Disk

  /// No file may exceed 8 KiB. The signal of that limit is off, as under most supervisors, so the write fails as on a full disk, which
  /// `FaultsLeadToRemediesTests` tries.
  @Test func fileSizeLimit() async throws {
    let setup = try await Worlds.shared.night().setup.copy(withFiles: true)
    let before = try Setup.files(in: "\(setup.directory)/report")
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" report breaks --out report --as-of \(Setup.asOf)"
    try await setup.program.run(["bash", "-c", script, Program.path], exits: 2, complains: "could not write the report \"report/")
    // The night's report is unchanged and has no temporary file beside it.
    #expect(try Setup.files(in: "\(setup.directory)/report") == before)
  }

  /// Too few threads or too little memory: reported at once with status 75. Root has no process limit.
  @Test func fewProcessesOrLittleMemory() async throws {
    let setup = try await Setup()
    for (limit, reason) in [
      ("nproc=3", "fewer than"), ("nproc=5", "fewer than"), ("as=200000000", "of memory"), ("as=420000000", "of memory"),
    ] {
      let account = geteuid() == 0 && limit.hasPrefix("nproc") ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []
      for command in [["runs", "list"], ["nightly", "--as-of", Setup.asOf], ["settings", "show"], ["serve", "--console"]] {
        try await setup.program.run(
          ["timeout", "20"] + account + ["prlimit", "--\(limit)", Program.path] + command, exits: 75, complains: reason)
      }
    }
  }

  @Test func `a server in recovery accepts no writes yet: status 75`() async throws {
    let setup = try await Setup()
    let database = try await setup.query("select current_database()")
    try await setup.query("alter database \(database) set default_transaction_read_only = on")
    try setup.write("users.csv", "user_id\nU1\n")
    try await setup.program("ingest", "users", "users.csv", "--as-of", Setup.asOf, exits: 75)
  }

  @Test func `a full standard output ends an export with an error, not with half a list and status 0`() async throws {
    let setup = try await Worlds.shared.night().setup.copy()
    for list in ["orders", "runs"] {
      try await setup.program.run(
        ["bash", "-c", "exec \"$0\" export \(list) > /dev/full", Program.path], exits: 2,
        complains: "could not write the result to standard output: No space left on device")
    }
    // A reader that closes the pipe ends the program silently, like any other program there.
    let script = "set -o pipefail; \"$0\" export orders | head -n 1 > /dev/null"
    #expect(try await setup.program.run(["bash", "-c", script, Program.path], exits: 128 + SIGPIPE).complaint == "")
  }

  // MARK: Database

  @Test func databaseDownOrNotThere() async throws {
    var setup = try await Setup()
    let words = setup.connection.conninfo.split(separator: " ").filter { !$0.hasPrefix("dbname=") }
    setup.program.environment["PAYRECON_DATABASE_URL"] = (words + ["dbname=not_there"]).joined(separator: " ")
    try await setup.program("export", "orders", exits: 64, complains: "\"not_there\" does not exist", "PAYRECON_DATABASE_URL")
    setup.program.environment["PAYRECON_DATABASE_URL"] = "host=\(setup.directory)/nowhere dbname=payrecon"
    for words in [["nightly"], ["export", "orders"], ["ingest", "orders", "-"], ["doctor"]] {
      let execution = try await setup.program.run([Program.path] + words, exits: 75, complains: "could not connect to the database")
      // Doctor prints all checks that still work.
      #expect(execution.output.isEmpty == (words != ["doctor"]), "\(execution.text)")
    }
  }

  // MARK: Settings and command line

  @Test func `missing trusted roots: nothing could count as genuine, so nothing is ingested`() async throws {
    var setup = try await Setup()
    let file = try setup.write("apple.ndjson", Setup.bought)
    setup.program.environment["PAYRECON_APPLE_ROOTS"] = "\(setup.directory)/nowhere"
    try await setup.program("ingest", "apple", file, exits: 2, complains: "\(setup.directory)/nowhere")
    #expect(try await setup.rows("evidence").isEmpty)
  }

  @Test(arguments: [
    ["nightly", "--nope"], ["nope"], ["ingest", "nope", "a.csv"], ["ingest", "orders"], ["export", "nope"],
    ["export", "orders", "--format", "nope"], ["nightly", "--as-of", "yesterday"],
    ["nightly", "--as-of", "2026-05-01"], ["ingest", "orders", "a", "--format", "nope"],
    ["deadletter", "discard", "x"], ["report", "nope"],
  ]) func usage(_ words: [String]) async throws {
    let execution = try await Program().run([Program.path] + words, exits: 64)
    #expect(execution.complaint.isEmpty == false)
    #expect(execution.output.isEmpty)
  }

  @Test(arguments: [
    (["nightly"], "--as-of"), (["queue", "snooze", "x", "--reason", "r"], "--until"), (["queue", "undo", "--reason", "r"], "--since"),
    (["lists", "add", "block", "user", "U1", "--owner", "ann", "--reason", "r"], "--until"),
    (["backfill", "nightly", "--from", "2026-05-01T00:00:00Z"], "--to"),
  ]) func `the message names the option, its value and the format`(_ words: [String], _ option: String) async throws {
    let line = [Program.path] + words + [option, "2026-05-01"]
    try await Program().run(line, exits: 64, complains: option, "'2026-05-01'", "RFC 3339")
  }

  @Test(arguments: [
    (["nighly"], "payrecon nightly"), (["exprot", "breaks"], "payrecon export"), (["queue", "dceide"], "payrecon queue decide"),
    (["brake"], "payrecon breaks"), (["nope"], nil), (["nightly", "--nope"], nil),
  ]) func suggestions(_ words: [String], _ meant: String?) async throws {
    let execution = try await Program().run([Program.path] + words, exits: 64)
    #expect(execution.lastErrors.map(\.hint) == [meant.map { "Did you mean '\($0)'?" }], "\(execution.complaint)")
  }

  /// Standard error is no terminal here. The error that ends a command is one line of JSON, like those of the log.
  @Test func theLastErrorIsOneLineOfJSON() async throws {
    var setup = try await Setup()
    let misused = try await setup.program("nightly", "--nope", exits: 64)
    #expect(misused.lastErrors.first?.message.hasPrefix("Unknown option '--nope'") == true, "\(misused.complaint)")
    #expect(misused.lastErrors.first?.usage?.contains("payrecon nightly --help") == true, "\(misused.complaint)")
    setup.program.environment["PAYRECON_LOG_LEVEL"] = "loud"
    let refused = try await setup.program("runs", "list", exits: 64)
    #expect(refused.lastErrors.map(\.message) == ["could not start: PAYRECON_LOG_LEVEL \"loud\" is no level"], "\(refused.complaint)")
    #expect(refused.lastErrors.first?.hint?.hasPrefix("The levels are trace, ") == true, "\(refused.complaint)")
    for run in [misused, refused] { #expect(String(decoding: run.errors, as: UTF8.self).split(separator: "\n").count == 1) }
  }

  /// A difference names the argument that is no report folder, in either place.
  @Test(arguments: [["nowhere", "night"], ["night", "nowhere"]]) func aMissingReportFolderIsNamed(_ folders: [String]) async throws {
    let setup = try await Setup()
    try setup.write("night/manifest.json", "{}")
    try await setup.program.run(
      [Program.path, "runs", "diff"] + folders, exits: 2, complains: "\"nowhere\" is no report folder", lacks: "\"night\" is no")
  }

  @Test(arguments: [["--help"], ["nightly", "--help"], []]) func help(_ words: [String]) async throws {
    let execution = try await Program().run([Program.path] + words, exits: 0)
    #expect(execution.output.isEmpty == false)
    #expect(execution.errors.isEmpty)
  }

  @Test func theVersionNamesTheCommit() async throws {
    let execution = try await Program().run([Program.path, "--version"], exits: 0)
    #expect(execution.text.wholeMatch(of: /0\.1\.0( \([0-9a-f]{12}\+?\))?\n/) != nil)
  }
}
