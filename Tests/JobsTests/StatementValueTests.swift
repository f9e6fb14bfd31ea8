import FoundationEssentials
import JobCore
import Postgres
import Testing
import TestSupport

/// A file of these folders stands once in Swift, with its parameters and the cells of its rows: both are compared with the
/// folder and with what the server says of each file, whether or not a test ever runs it.
@Suite struct StatementValueTests {
  @Test func everyFileIsDeclaredOnceAndEveryDeclarationIsAFile() throws {
    let files = try TestServer.sql().paths
    for home in SQLHome.all {
      let declared = home.statements.map(\.path)
      #expect(declared.sorted() == files.filter { $0.hasPrefix("\(home.folder)/") }, "\(home.folder)")
    }
    #expect(SQLHome.all.map(\.statements.count).reduce(0, +) > 400)
  }

  @Test func everyDeclarationIsWhatTheServerSays() async throws {
    let scenario = try await Scenario()
    let session = try await Session.open(scenario.connection)
    let faults = try await session.transaction { tx in
      try StatementCheck(files: TestServer.sql(), declared: SQLHome.all.flatMap(\.statements)).run(&tx)
    }
    await session.close()
    await scenario.end()
    #expect(faults.map(\.description) == [])
  }

  /// Who wants such a file takes the value: a path in a text is checked by nothing.
  @Test func noSourceNamesSuchAFileByItsPath() throws {
    let root = "\(TestServer.repository)/Sources"
    let paths = try FileManager.default.subpathsOfDirectory(atPath: root).filter {
      $0.hasSuffix(".swift") && !$0.contains("/Statements/")
    }
    try #require(paths.count > 300)
    for path in paths {
      let source = try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
      for home in SQLHome.all {
        #expect(source.firstMatch(of: try Regex("\"\(home.folder)/[^\"\n ]*\\.sql\"")) == nil, "\(path) names a file of \(home.folder)")
      }
    }
  }
}
