import Postgres
import TestSupport
import Testing

/// After backup and restore of a night's database, everything is unchanged and the next night runs.
@Suite(.serialized, .cleansUp) struct BackupTests {
  private static let nextNight = "2026-11-20T00:00:00Z"

  private static func run(_ desk: Desk, _ words: String...) async throws { try await desk.program.run(words, exits: 0) }

  private static func lists(_ desk: Desk) async throws -> [String: [UInt8]] {
    var found: [String: [UInt8]] = [:]
    for list in ["matches", "breaks", "charges", "evidence", "signals"] { found[list] = try await desk.export(list) }
    found["audit"] = try await desk.program("audit", "list", "--format", "csv").output
    return found
  }

  /// Verifies a restored database.
  private static func check(_ desk: Desk, _ world: String, _ before: [String: [UInt8]]) async throws {
    try await desk.program("audit", "verify", exits: 0)
    let after = try await lists(desk)
    for (name, bytes) in before { #expect(after[name] == bytes, "\(name) is not what it was") }
    let run = CSVRows.decode(try await desk.program("export", "runs", "--as-of", Desk.asOf).output)
    let id = try #require(run.first { $0["job"] == "nightly" }?["run_id"])
    try await desk.program("runs", "replay", id, exits: 0)
    try await desk.nightly("\(world)/inbox", asOf: nextNight, out: "next", exits: 1)
    try await desk.program("audit", "verify", exits: 0)
    let doctor = try await desk.program("doctor")
    #expect(doctor.text.contains("ok    privileges"), "\(doctor.text)")
  }

  @Test func dumpOfAGivenServer() async throws {
    let world = try await Worlds.shared.small()
    let desk = try await Desk(world: world)
    try await desk.nightly("\(world)/inbox", out: "night", exits: 1)
    let before = try await Self.lists(desk)
    try await Self.run(desk, "pg_dump", "--format=custom", "--file=night.dump", desk.connection.conninfo)

    var restored = desk
    restored.connection = try await TestServer.shared.emptyDatabase()
    restored.program.environment["PAYRECON_DATABASE_URL"] = restored.connection.conninfo
    try await Self.run(
      desk, "pg_restore", "--exit-on-error", "--single-transaction", "--dbname=\(restored.connection.conninfo)", "night.dump")
    try await Self.check(restored, world, before)
    await TestServer.shared.drop(restored.connection)
  }

  /// A dump and a base backup of the private cluster, each restored to a new cluster.
  @Test func backupsOfThePrivateCluster() async throws {
    let world = try await Worlds.shared.small()
    let given = try await Desk(world: world)
    var desk = given
    desk.program.environment["PAYRECON_DATABASE_URL"] = nil
    desk.program.environment["PAYRECON_STATE_DIR"] = "\(given.directory)/state"
    desk.connection.conninfo = try await Self.start(desk)
    try await desk.nightly("\(world)/inbox", out: "night", exits: 1)
    let before = try await Self.lists(desk)
    try await Self.run(desk, "pg_dump", "--format=custom", "--file=night.dump", desk.connection.conninfo)
    try await Self.run(desk, "pg_dumpall", "--roles-only", "--file=roles.sql", "--dbname=\(desk.connection.conninfo)")
    try await Self.run(desk, "pg_basebackup", "--pgdata=base", "--checkpoint=fast", "--dbname=\(desk.connection.conninfo)")

    var dumped = desk
    dumped.program.environment["PAYRECON_STATE_DIR"] = "\(given.directory)/state-of-dump"
    dumped.connection.conninfo = try await Self.start(dumped)
    // The login of the cluster already exists, and the script reports that. The roles do not exist.
    _ = try await dumped.program.run(["psql", "-Xq", "-f", "roles.sql", dumped.connection.conninfo])
    try await Self.run(
      dumped, "pg_restore", "--exit-on-error", "--single-transaction", "--dbname=\(dumped.connection.conninfo)", "night.dump")
    try await Self.check(dumped, world, before)
    #expect(try await dumped.program("database", "stop").status == 0)

    var based = desk
    based.program.environment["PAYRECON_STATE_DIR"] = "\(given.directory)/state-of-base"
    based.connection.conninfo = try await Self.start(based)
    #expect(try await based.program("database", "stop").status == 0)
    let home = try #require(try await based.program("database", "status").headlineEnd)
    // The server's account remains the owner of its data.
    let owner = try await based.program.run(["stat", "-c", "%U", "\(home)/data"]).text.split(separator: "\n").joined()
    try await Self.run(based, "mv", "\(home)/data", "\(home)/data.old")
    try await Self.run(based, "cp", "-a", "base", "\(home)/data")
    try await Self.run(based, "chown", "-R", owner, "\(home)/data")
    based.connection.conninfo = try await Self.start(based)
    try await Self.check(based, world, before)
    #expect(try await based.program("database", "stop").status == 0)
    #expect(try await desk.program("database", "stop").status == 0)
  }

  private static func start(_ desk: Desk) async throws -> String {
    let started = try await desk.program("database", "start", exits: 0)
    return started.text.split(separator: "\n").joined()
  }
}
