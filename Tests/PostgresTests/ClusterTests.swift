import Foundation

@Suite("Private cluster") struct ClusterTests {
  private func status(_ cluster: PrivateCluster) async throws -> (process: Int32, home: String)? {
    guard case .running(let process, let home, _) = try await cluster.status() else { return nil }
    return (process, home)
  }

  @Test("a state folder with a character that PostgreSQL refuses is refused before anything is made", arguments: [",", "$", "\"", "`"])
  func unusableName(_ character: String) async throws {
    let folder = try Folder()
    let state = "\(folder.path)/a\(character)b"
    let error = await #expect(throws: ClusterError.self) { _ = try await PrivateCluster(stateDirectory: state).start() }
    #expect(error?.message.contains("the character \(character)") == true)
    #expect(!FileManager.default.fileExists(atPath: state))
  }

  @Test func `first commands at once make one server; it survives a kill, a foreign process number, a stop and a start`() async throws {
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
    Leftovers.shared.add(process: first.process, home: first.home, folder: folder)
    let conninfo = try #require(texts.first)
    try await write(conninfo)

    kill(first.process, SIGKILL)
    while try await status(cluster) != nil { await Task.yield() }
    // After a reboot the process number may belong to any process, here to this one.
    let file = "\(first.home)/data/postmaster.pid"
    let old = try String(contentsOfFile: file, encoding: .utf8)
    let other = old.replacing("\(first.process)\n", with: "\(getpid())\n", maxReplacements: 1)
    try Data(other.utf8).write(to: URL(fileURLWithPath: file))
    #expect("\(try await cluster.status())".hasPrefix("stopped"))
    #expect(try await cluster.start() == conninfo)
    let second = try #require(try await status(cluster))
    Leftovers.shared.add(process: second.process, home: second.home, folder: folder)
    #expect(second.process != first.process)
    #expect(try await count(conninfo) == 1)

    try await cluster.stop()
    try await cluster.stop()
    #expect(try await status(cluster) == nil)
    #expect(try await cluster.start() == conninfo)
    #expect(try await count(conninfo) == 1)
    try await cluster.stop()
  }

  /// Damage to a cluster by an outside action.
  enum Mishap: String, Sendable, CaseIterable {
    /// The state folder was moved while its server was running.
    case moved
    /// The data folder is missing, and the mark of a finished cluster still exists.
    case dataGone
    /// The data folder was moved while its server was running, with or without the mark of a finished cluster.
    case dataMoved, dataAndMarkMoved
    /// The process file and the socket of the running server were removed.
    case processFileGone
  }

  @Test("a cluster that was meddled with is found, nothing is overwritten, and what to do is said", arguments: Mishap.allCases)
  func mishaps(_ mishap: Mishap) async throws {
    let folder = try Folder()
    var state = "\(folder.path)/state"
    let conninfo = try await PrivateCluster(stateDirectory: state).start()
    let found = try #require(try await status(PrivateCluster(stateDirectory: state)))
    Leftovers.shared.add(process: found.process, home: found.home, folder: folder)
    try await write(conninfo)
    let files = FileManager.default
    let hint: String
    switch mishap {
    case .moved:
      guard found.home.hasPrefix(state) else { return }
      try files.moveItem(atPath: state, toPath: "\(folder.path)/moved")
      // At the old path, no second cluster is created beside the running server.
      await #expect { try await PrivateCluster(stateDirectory: state).start() } throws: {
        "\($0)".contains("was started here still runs") && "\($0)".contains("kill -INT \(found.process)")
      }
      // The old path also reports the running server.
      let old = PrivateCluster(stateDirectory: state)
      #expect("\(try await old.status())".contains("was started here still runs"))
      await #expect { try await old.startExisting() } throws: { "\($0)".contains("was started here still runs") }
      await #expect { try await old.stop() } throws: { "\($0)".contains("was started here still runs") }
      try? files.removeItem(atPath: state)
      state = "\(folder.path)/moved"
      hint = "was moved from"
    case .dataGone:
      try await PrivateCluster(stateDirectory: state).stop()
      try files.moveItem(atPath: "\(found.home)/data", toPath: "\(folder.path)/kept")
      hint = "is gone or empty"
    case .dataMoved, .dataAndMarkMoved:
      try files.moveItem(atPath: "\(found.home)/data", toPath: "\(folder.path)/kept")
      if mishap == .dataAndMarkMoved { try files.removeItem(atPath: "\(found.home)/ready") }
      hint = "was started here still runs"
      await #expect { try await PrivateCluster(stateDirectory: state).stop() } throws: { "\($0)".contains(hint) }
    case .processFileGone:
      let file = "\(found.home)/data/postmaster.pid"
      // PostgreSQL checks the file once a minute. The test keeps it aside, so that the check finds it again.
      try files.moveItem(atPath: file, toPath: "\(file).aside")
      hint = "its server runs (process \(found.process))"
    }
    let cluster = PrivateCluster(stateDirectory: state)
    #expect("\(try await cluster.status())".contains(hint))
    await #expect { try await cluster.start() } throws: { "\($0)".contains(hint) && "\($0)".contains("hint: ") }
    await #expect { try await cluster.startExisting() } throws: { "\($0)".contains(hint) }
    // The remedy in the message works, and all data is there.
    switch mishap {
    case .moved: try await cluster.stop()
    case .dataGone, .dataMoved, .dataAndMarkMoved:
      try files.moveItem(atPath: "\(folder.path)/kept", toPath: "\(found.home)/data")
    case .processFileGone:
      let file = "\(found.home)/data/postmaster.pid"
      try files.moveItem(atPath: "\(file).aside", toPath: file)
    }
    #expect(try await count(cluster.start()) == 1)
    let again = try #require(try await status(cluster))
    Leftovers.shared.add(process: again.process, home: again.home, folder: folder)
    try await cluster.stop()
    let stopped = try await cluster.status()
    #expect("\(stopped)".hasPrefix("stopped"), "\(stopped)")
  }

  @Test func `the server has checksums, UTF-8, the C collation, no network and the caller's database`() async throws {
    let session = try await TestServer.open(TestServer.shared.database())
    let file = try sql(
      """
      select concat_ws(' ', current_setting('data_checksums'), pg_encoding_to_char(encoding), datcollate,
        current_setting('listen_addresses') = '', current_setting('fsync'), current_user)
      from pg_database where datname = current_database()
      """, gives: .text)
    #expect(try await session.rows(file) == ["on UTF8 C t on payrecon"])
  }

  private func write(_ conninfo: String) async throws {
    let session = try await TestServer.open(conninfo)
    try await session.transaction { tx in
      try tx.execute("create schema payrecon; create table kept (n integer); insert into kept values (1)")
    }
    await session.close()
  }

  private func count(_ conninfo: String) async throws -> Int64? {
    let session = try await TestServer.open(conninfo)
    let file = try sql("select count(*) from kept", gives: .int8)
    let rows = try await session.rows(file)
    await session.close()
    return rows.first
  }
}
