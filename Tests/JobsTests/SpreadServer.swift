import FoundationEssentials
import Glibc

/// A database of a server with Citus for exclusive use by a test, which deletes its content.
struct SpreadServer {
  /// Name of the variable with the coordinator's database. It has the extension and knows its nodes, and the login is the
  /// administrator's.
  static let variable = "PAYRECON_TEST_CITUS_URL"

  /// Name of the variable with a command to which the test appends `stop` or `start`.
  ///
  /// `stop` ends a node that stores parts of tables as a power failure does, for example `pg_ctl -D … -m immediate -w stop`.
  /// `start` starts it and accepts connections, for example `pg_ctl -D … -w start`.
  static let nodeVariable = "PAYRECON_TEST_CITUS_NODE"

  static var node: String? { ProcessInfo.processInfo.environment[nodeVariable] }

  static var url: String? { ProcessInfo.processInfo.environment[variable] }

  static func scenario() async throws -> Scenario {
    var scenario = try await Scenario()
    await TestServer.shared.drop(scenario.connection)
    scenario.connection = ConnectionSettings(conninfo: url ?? "", applicationName: "payrecon tests")
    try await scenario.execute(clearing)
    try await scenario.migrate(TestServer.sql())
    return scenario
  }

  struct CommandFailed: Error { var command: String }

  static func runNode(_ act: String) throws {
    let command = "\(node ?? "false") \(act)"
    guard unsafe system(command) == 0 else { throw CommandFailed(command: command) }
  }

  /// Tables are dropped one by one, because dropping the whole schema reaches the nodes in an order that fails.
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
