import Cryptography
import FoundationEssentials
import Postgres
import TestSupport

/// A database of a server with Citus that a test may use for itself: what is in it goes.
struct SpreadServer {
  /// Names a coordinator's database that has the extension and knows its nodes; the login is the administrator's.
  static let variable = "PAYRECON_TEST_CITUS_URL"

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
