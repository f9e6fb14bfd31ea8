import Cryptography
import FoundationEssentials
import Glibc
import Postgres
import TestSupport

/// A database of a server with Citus that a test may use for itself: what is in it goes.
struct SpreadServer {
  /// Names a coordinator's database that has the extension and knows its nodes; the login is the administrator's.
  static let variable = "PAYRECON_TEST_CITUS_URL"

  /// A command that is given `stop` or `start` and has one node of the server that holds parts of tables stop as if its power went,
  /// or start and take connections: `pg_ctl -D … -m immediate -w stop`, `pg_ctl -D … -w start`.
  static let nodeVariable = "PAYRECON_TEST_CITUS_NODE"

  static var node: String? { ProcessInfo.processInfo.environment[nodeVariable] }

  static var url: String? { ProcessInfo.processInfo.environment[variable] }

  /// A scenario whose large tables lie on the nodes of the server.
  static func scenario() async throws -> Scenario {
    var scenario = try await Scenario()
    await TestServer.shared.drop(scenario.connection)
    scenario.connection = ConnectionSettings(conninfo: url ?? "", applicationName: "payrecon tests")
    let session = try await Session.open(scenario.connection)
    try await session.executeAlone(clearing)
    _ = try await Migrator(files: TestServer.sql(), hash: { SHA256.hex($0) }).migrate(session)
    await session.close()
    return scenario
  }

  struct CommandFailed: Error { var command: String }

  static func tellNode(_ act: String) throws {
    let command = "\(node ?? "false") \(act)"
    guard unsafe system(command) == 0 else { throw CommandFailed(command: command) }
  }

  /// Runs a statement as the administrator.
  static func administer(_ scenario: Scenario, _ statement: String) async throws {
    try await Session.open(scenario.connection).lent { try await $0.executeAlone(statement) }
  }

  /// What a query tells the administrator, a line per row.
  static func told(_ scenario: Scenario, _ query: String) async throws -> [String] {
    try await Session.open(scenario.connection).lent { session in
      try await session.transaction { tx in
        var bytes: [UInt8] = []
        _ = try tx.copyOut("copy (\(query)) to stdout") { bytes += $0 }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
      }
    }
  }

  /// Waits until something holds, looking at it every few milliseconds for a minute at most.
  static func await(_ scenario: Scenario, _ condition: String) async throws {
    for _ in 0..<6_000 {
      if try await told(scenario, "select 1 where \(condition)") == ["1"] { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    throw CommandFailed(command: condition)
  }

  /// Tables go one by one: a schema that is dropped whole does not tell the nodes in an order that they take.
  private static let clearing = """
    do $clear$
    declare
        known record;
    begin
        for known in select tablename as name from pg_tables where schemaname = 'payrecon' loop
            execute format('drop table payrecon.%I cascade', known.name);
        end loop;
        drop schema if exists payrecon_past cascade;
        drop schema if exists payrecon cascade;
    end
    $clear$
    """
}
