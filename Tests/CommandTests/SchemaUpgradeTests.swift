import Cryptography
import FoundationEssentials
import Postgres
import TestSupport
import Testing

/// Functions, views, their rights and the reference data of a database do not depend on which versions it has seen.
@Suite struct SchemaUpgradeTests {
  /// Schema files that the releases had which kept functions and reference data in them.
  private static let schemaOfThen = 17

  @Test func anUpgradedDatabaseIsLikeANewOne() async throws {
    let files = try TestServer.sql()
    let new = try await TestServer.shared.emptyDatabase()
    let old = try await TestServer.shared.emptyDatabase()
    let folder = try Desk.makeFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: "\(folder)/schema", withIntermediateDirectories: true)
    for path in files.paths where path.hasPrefix("schema/") {
      guard let number = Int(path.dropFirst("schema/".count).prefix(4)), number <= Self.schemaOfThen else { continue }
      try Data(files.text(path).utf8).write(to: URL(filePath: "\(folder)/\(path)"))
    }
    let then = try SQLFiles(directory: folder)
    #expect(try await Self.migrate(old, then).count == Self.schemaOfThen)
    // Somebody edited a class by hand.
    let session = try await Session.open(old)
    try await session.executeAlone("update payrecon.break_classes set owner_team = 'nobody', runbook = '' where priority < 50")
    await session.close()
    for database in [old, new] {
      let names = try await Self.migrate(database, files)
      #expect(names.suffix(2) == ["functions", "reference"])
      #expect(try await Self.migrate(database, files) == [])
    }
    let before = try await Self.told(old)
    let after = try await Self.told(new)
    #expect(before.count > 200)
    #expect(before == after, "\(Set(before).symmetricDifference(after).sorted().prefix(4))")
    for database in [old, new] { await TestServer.shared.drop(database) }
  }

  private static func migrate(_ database: ConnectionSettings, _ files: SQLFiles) async throws -> [String] {
    let session = try await Session.open(database)
    let names = try await Migrator(files: files, hash: { SHA256.hex($0) }).migrate(session)
    await session.close()
    return names
  }

  /// Every routine, view, table, column, right and row of reference data, as lines.
  private static func told(_ database: ConnectionSettings) async throws -> [String] {
    let session = try await Session.open(database)
    let folder = try Desk.makeFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let text = """
      with ours as (select oid, nspname from pg_namespace where nspname in ('payrecon', 'payrecon_past'))
      select
        concat_ws(
          E'\\n', pg_get_functiondef(pg_proc.oid), pg_get_userbyid(pg_proc.proowner),
          (select string_agg(item::text, ' ' order by item::text) from unnest(pg_proc.proacl) as item)
        )
      from pg_proc
      inner join ours on ours.oid = pg_proc.pronamespace
      union all
      select
        concat_ws(
          E'\\n', ours.nspname, pg_class.relname, pg_class.relkind, pg_get_userbyid(pg_class.relowner), pg_class.reloptions::text,
          case pg_class.relkind when 'v' then pg_get_viewdef(pg_class.oid) end,
          (select string_agg(item::text, ' ' order by item::text) from unnest(pg_class.relacl) as item)
        )
      from pg_class
      inner join ours on ours.oid = pg_class.relnamespace
      where pg_class.relkind in ('r', 'v', 'i', 'S')
      union all
      select concat_ws(' ', columns.table_schema, columns.table_name, columns.column_name, columns.data_type)
      from information_schema.columns
      inner join ours on ours.nspname = columns.table_schema
      union all
      select break_classes::text from payrecon.break_classes
      order by 1
      """
    try Data(text.utf8).write(to: URL(filePath: "\(folder)/told.sql"))
    let file = try SQLFiles(directory: folder)("told.sql")
    let lines = try await session.transaction { tx in
      try tx.rows(file) { row throws(PostgresError) in try row.text() }
    }
    await session.close()
    return lines
  }
}
