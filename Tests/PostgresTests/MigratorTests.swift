import Foundation
import Postgres
import Testing

@Suite("Migrations")
struct MigratorTests {
  /// Stands in for SHA-256, which lives in another module.
  private static let hash: @Sendable ([UInt8]) -> String = { bytes in
    "h" + String(bytes.reduce(UInt64(7)) { $0 &* 31 &+ UInt64($1) }, radix: 16)
  }
  private static let one = ["migrations/0001_one.sql": "create table payrecon.one (n integer)"]
  private static let two = one.merging(["migrations/0002_two.sql": "create table payrecon.two (n integer);"])
  { a, _ in a }

  private func migrator(_ texts: [String: String]) throws -> Migrator {
    Migrator(files: try SQLFolder(texts).files, hash: Self.hash)
  }

  private func session() async throws -> Session {
    try await Session.open(
      ConnectionSettings(conninfo: TestServer.shared.database(), applicationName: "test"))
  }

  private func failure(_ texts: [String: String], _ session: Session) async throws -> String {
    let migrator = try migrator(texts)
    let error = await #expect(throws: (any Error).self) { try await migrator.migrate(session) }
    return "\(try #require(error))"
  }

  @Test("each file is applied once, in order, and later ones on top")
  func order() async throws {
    let session = try await session()
    #expect(try await migrator(Self.two).pending(on: session) == ["0001_one", "0002_two"])
    #expect(try await migrator(Self.one).migrate(session) == ["0001_one"])
    #expect(try await migrator(Self.two).pending(on: session) == ["0002_two"])
    #expect(try await migrator(Self.two).migrate(session) == ["0002_two"])
    #expect(try await migrator(Self.two).migrate(session) == [])
    let kept = try sql("select number, name, sha256 from payrecon.migrations order by number")
    let rows = try await session.transaction { tx in
      try tx.rows(kept) { row throws(PostgresError) in "\(try row.int4()) \(try row.text()) \(try row.text())"
      }
    }
    let hashes = ["migrations/0001_one.sql", "migrations/0002_two.sql"].map {
      Self.hash(Array(Self.two[$0, default: ""].utf8))
    }
    #expect(rows == ["1 0001_one \(hashes[0])", "2 0002_two \(hashes[1])"])
    await session.close()
  }

  @Test("a file that was changed after it was applied is refused with both hashes")
  func changed() async throws {
    let session = try await session()
    _ = try await migrator(Self.two).migrate(session)
    let edited = "create table payrecon.one (n bigint)"
    let text = try await failure(Self.two.merging(["migrations/0001_one.sql": edited]) { $1 }, session)
    #expect(text.contains("migrations/0001_one.sql"))
    #expect(text.contains(Self.hash(Array(edited.utf8))))
    #expect(text.contains(Self.hash(Array(Self.one["migrations/0001_one.sql", default: ""].utf8))))
    await session.close()
  }

  @Test("gaps, shared numbers and other names are refused before anything is applied")
  func numbering() async throws {
    let session = try await session()
    let gap = ["migrations/0001_one.sql": "select 1", "migrations/0003_three.sql": "select 1"]
    #expect(try await failure(gap, session).contains("number 2 is missing"))
    let shared = Self.one.merging(["migrations/0001_too.sql": "select 1"]) { $1 }
    #expect(try await failure(shared, session).contains("share a number"))
    #expect(try await failure(["migrations/1_one.sql": "select 1"], session).contains("0001_what.sql"))
    #expect(try await failure(["other.sql": "select 1"], session).contains("could not find migrations"))
    #expect(try await migrator(Self.one).pending(on: session) == ["0001_one"])
    await session.close()
  }

  @Test("a database that is ahead of the files, or went another way, is refused")
  func prefix() async throws {
    let session = try await session()
    _ = try await migrator(Self.two).migrate(session)
    #expect(try await failure(Self.one, session).contains("0002_two, which this program does not have"))
    let other = Self.one.merging(["migrations/0002_other.sql": "select 1"]) { $1 }
    #expect(try await failure(other, session).contains("its migration 2 is 0002_two, here it is 0002_other"))
    await session.close()
  }

  @Test("a file that fails leaves nothing of itself, and the ones before it stay")
  func failing() async throws {
    let session = try await session()
    let broken = Self.one.merging(
      ["migrations/0002_two.sql": "create table payrecon.two (n integer);\nselect nothing;"]) { $1 }
    #expect(try await failure(broken, session).contains("migrations/0002_two.sql:2:8"))
    #expect(try await migrator(Self.two).migrate(session) == ["0002_two"])
    await session.close()
  }

  @Test("two migrators at once apply each file once")
  func together() async throws {
    let conninfo = try await TestServer.shared.database()
    var texts: [String: String] = [:]
    for number in 1...12 {
      let digits = String(repeating: "0", count: number < 10 ? 3 : 2) + "\(number)"
      texts["migrations/\(digits)_t.sql"] = "create table payrecon.t\(number) (n integer)"
    }
    let migrator = try migrator(texts)
    let applied = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<4 {
        group.addTask {
          let session = try await Session.open(
            ConnectionSettings(conninfo: conninfo, applicationName: "test"))
          let names = try await migrator.migrate(session)
          await session.close()
          return names
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(applied.sorted() == texts.keys.map { String($0.dropFirst(11).dropLast(4)) }.sorted())
  }
}
