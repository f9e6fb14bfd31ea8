import Foundation
import Postgres
import Testing

@Suite("Private cluster")
struct ClusterTests {
  private func status(_ cluster: PrivateCluster) async throws -> (process: Int32, home: String)? {
    guard case .running(let process, let home, _) = try await cluster.status() else { return nil }
    return (process, home)
  }

  @Test(
    "first commands at once make one server; it survives a kill, a foreign process number, a stop and a start"
  )
  func life() async throws {
    let folder = try Folder()
    let state = "\(folder.path)/with space/and 'quote"
    let cluster = PrivateCluster(stateDirectory: state)
    #expect("\(try await cluster.status())".hasPrefix("not made yet"))
    try await cluster.stop()
    let texts = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<3 { group.addTask { try await PrivateCluster(stateDirectory: state).start() } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(texts.count == 1)
    let first = try #require(try await status(cluster))
    Leftovers.shared.add(process: first.process, folders: [first.home, folder.path])
    folder.keep()
    let conninfo = try #require(texts.first)
    try await write(conninfo)

    kill(first.process, SIGKILL)
    while try await status(cluster) != nil { await Task.yield() }
    // After a restart of the machine the number may be that of any process, say this one.
    let file = "\(first.home)/data/postmaster.pid"
    let old = try String(contentsOfFile: file, encoding: .utf8)
    let other = old.replacing("\(first.process)\n", with: "\(getpid())\n", maxReplacements: 1)
    try Data(other.utf8).write(to: URL(fileURLWithPath: file))
    #expect("\(try await cluster.status())".hasPrefix("stopped"))
    #expect(try await cluster.start() == conninfo)
    let second = try #require(try await status(cluster))
    Leftovers.shared.add(process: second.process, folders: [])
    #expect(second.process != first.process)
    #expect(try await count(conninfo) == 1)

    try await cluster.stop()
    try await cluster.stop()
    #expect(try await status(cluster) == nil)
    #expect(try await cluster.start() == conninfo)
    #expect(try await count(conninfo) == 1)
    try await cluster.stop()
  }

  @Test("the server has checksums, UTF-8, the C collation, no network and the caller's database")
  func settings() async throws {
    let conninfo = try await TestServer.shared.database()
    let session = try await Session.open(ConnectionSettings(conninfo: conninfo, applicationName: "test"))
    let file = try sql(
      """
      select concat_ws(' ', current_setting('data_checksums'), pg_encoding_to_char(encoding), datcollate,
        current_setting('listen_addresses') = '', current_setting('fsync'), current_user)
      from pg_database where datname = current_database()
      """)
    let rows = try await session.transaction { tx in
      try tx.rows(file) { row throws(PostgresError) in try row.text() }
    }
    #expect(rows == ["on UTF8 C t on payrecon"])
    await session.close()
  }

  private func write(_ conninfo: String) async throws {
    let session = try await Session.open(ConnectionSettings(conninfo: conninfo, applicationName: "test"))
    try await session.transaction { tx in
      try tx.execute("create schema payrecon; create table kept (n integer); insert into kept values (1)")
    }
    await session.close()
  }

  private func count(_ conninfo: String) async throws -> Int64? {
    let session = try await Session.open(ConnectionSettings(conninfo: conninfo, applicationName: "test"))
    let file = try sql("select count(*) from kept")
    let rows = try await session.transaction { tx in
      try tx.rows(file) { row throws(PostgresError) in try row.int8() }
    }
    await session.close()
    return rows.first
  }
}
