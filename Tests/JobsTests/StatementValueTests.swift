import FoundationEssentials

/// Every SQL file that the program runs is declared once in Swift, with the columns of its rows; its header lists its parameters.
/// Both are compared with the folders and with the server's description of each file.
@Suite(.cleansUp) struct StatementValueTests {
  @Test func everyFileIsDeclaredOnceAndEveryDeclarationIsAFile() throws {
    let sql = try TestServer.sql()
    // Files of the migrator and reference data are not statements.
    let run = sql.paths.filter { !$0.contains(/^(schema|functions|reference)\//) }
    try #require(run.count > 600)
    #expect(try SQLStatements.all(in: sql).map(\.path).sorted() == run)
  }

  @Test(arguments: [nil, "payrecon_jobs"]) func declarationsAgreeWithTheServer(role: String?) async throws {
    var connection = try await TestServer.shared.database()
    connection.role = role
    let faults = try await Session.open(connection).use { session in
      try await session.transaction { tx in
        try StatementCheck(files: TestServer.sql(), declared: SQLStatements.all(in: TestServer.sql())).run(&tx)
      }
    }
    #expect(faults.map(\.description) == [])
  }

  @Test func `sources use the declared values, because nothing checks a path in a text or a row read by hand`() throws {
    let root = "\(TestServer.repository)/Sources"
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root).filter {
      $0.hasSuffix(".swift") && !$0.contains("/Statements/") && !$0.hasPrefix("Postgres/")
    }
    try #require(paths.count > 300)
    for path in paths {
      let source = try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
      #expect(source.firstMatch(of: /"[^"\n ]*\.sql"/) == nil, "\(path) names a file of SQL")
      #expect(!source.contains("row throws(PostgresError)"), "\(path) reads rows by hand")
    }
  }
}
