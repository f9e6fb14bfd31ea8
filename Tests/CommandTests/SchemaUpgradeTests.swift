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
    let old = try await Self.database(of: Self.schemaOfThen)
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

  /// Schema files of a release whose tables are called as they are today, but for those that are named next.
  private static let schemaWithData = 30
  /// Tables of it in which a small world leaves rows, at least.
  private static let filledLeast = 25

  /// Schema files before hashes of evidence were bytes.
  private static let schemaOfLetters = 73

  /// Later verdicts were sealed when hashes of evidence stood as letters: the seals hold, and one that was changed is found.
  @Test func sealsOfVerdictsOutliveTheLetters() async throws {
    var desk = try await Desk()
    let (new, old) = (desk.connection, try await Self.database(of: Self.schemaOfLetters))
    desk.connection = old
    desk.program.environment["PAYRECON_DATABASE_URL"] = old.conninfo
    try await desk.query(
      """
      insert into payrecon.readers values ('reader', 'roots', '', 1);
      insert into payrecon.batches (kind, file_name, content_sha256, source, run_id, state, is_clock_given, known_at)
      values ('apple', 'judgement', '', 'import', 'r', 'done', true, now());
      insert into payrecon.judgements
      select
        encode(sha256('former'), 'hex'), batch_id, 0, 'reader', 'genuine', '', 'receipt', 'com.acme.reader', 'Production', null, '1', null,
        encode(sha256('own'), 'hex'), now()
      from payrecon.batches
      union all
      select
        encode(sha256('other'), 'hex'), batch_id, 0, 'reader', 'foreign', 'bundle', 'transaction', 'com.acme', '', 'c', null, '2', null,
        null
      from payrecon.batches;
      select payrecon.audit_append(now(), 'payrecon', 'evidence_judged', batch_id || '/0', json_build_object('rows', count(*), 'digest',
        encode(sha256(string_agg(sha256(record_send(judgements)), ''::bytea order by judgements.sha256)), 'hex'))::text)
      from payrecon.judgements
      group by batch_id
      """)
    #expect(try await desk.program("init").status == 0)
    let verified = try await desk.program("audit", "verify")
    #expect(verified.status == 0, "\(verified.text)\(verified.complaint)")
    try await desk.query("update payrecon.judgements set replaced_by = sha256('another') where replaced_by is not null")
    let changed = try await desk.program("audit", "verify")
    #expect(changed.status == 1)
    #expect(changed.text.contains("one was changed or replaced"), "\(changed.text)")
    await TestServer.shared.drop(new)
    await desk.end()
  }

  /// Hashes of evidence are bytes in every table; letters are those of files, of our own texts and of samples that are no evidence.
  @Test func hashesOfEvidenceAreBytes() async throws {
    let desk = try await Desk()
    #expect(try await desk.program("init").status == 0)
    let letters = try await desk.query(
      """
      select columns.table_name || '.' || columns.column_name
      from information_schema.columns
      inner join information_schema.tables using (table_schema, table_name)
      where columns.table_schema = 'payrecon' and tables.table_type = 'BASE TABLE' and columns.data_type = 'text'
        and columns.column_name in ('sha256', 'parent_sha256', 'evidence_sha256', 'replaced_by')
      order by 1
      """)
    let known = ["attachment_bodies", "case_attachments", "made_parts", "migrations", "quarantined_items"]
    #expect(letters.split(separator: "\n") == known.map { "\($0).sha256" })
    await desk.end()
  }

  /// Schema files before pieces were more than match's.
  private static let schemaOfMatchPieces = 64

  /// A match run in pieces that was under way stays so, which detect heeds; the next run begins it anew, and ends it.
  @Test func aRunInPiecesOutlivesAnUpgrade() async throws {
    let world = try await Worlds.shared.small()
    var desk = try await Desk(world: world)
    let (new, old) = (desk.connection, try await Self.database(of: Self.schemaOfMatchPieces))
    desk.connection = old
    desk.program.environment["PAYRECON_DATABASE_URL"] = old.conninfo
    _ = try await desk.query(
      """
      with members as (insert into payrecon.piece_members (kind, id, piece) values ('order', 'PO-1', 0)),
      state as (
        insert into payrecon.match_state (name, settings_sha256, code_version, has_keys) values ('match', '', '', true)
      )
      insert into payrecon.match_pieces (piece, share_count, is_decided, settings_sha256, code_version)
      select piece, 2, piece = 0, 'then', 'then' from generate_series(0, 3) as share (piece)
      """)
    let upgraded = try await desk.program("init")
    #expect(upgraded.status == 0, "\(upgraded.complaint)")
    #expect(try await desk.query("select count(*) from payrecon.pieces where job = 'match' and not is_decided") == "3")
    for job in ["detect", "match"] {
      let joined = try await desk.program(job, "--join", "--as-of", Desk.asOf)
      #expect(joined.text == "\(job): no run in pieces is under way with these settings\n")
    }
    #expect(try await desk.program("match", "--pieces", "2", "--as-of", Desk.asOf).status == 0)
    let whole = try await desk.program("match", "--full", "--workers", "2", "--as-of", Desk.asOf)
    #expect(whole.status == 0 && whole.complaint.contains("one session decides everything"), "\(whole.complaint)")
    for table in ["pieces", "piece_members"] { #expect(try await desk.query("select count(*) from payrecon.\(table)") == "0") }
    await TestServer.shared.drop(new)
    await desk.end()
  }

  /// A database as the first schema files make it.
  private static func database(of schema: Int) async throws -> ConnectionSettings {
    let files = try TestServer.sql()
    let folder = try Desk.makeFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: "\(folder)/schema", withIntermediateDirectories: true)
    for path in files.paths where path.hasPrefix("schema/") {
      guard let number = Int(path.dropFirst("schema/".count).prefix(4)), number <= schema else { continue }
      try Data(files.text(path).utf8).write(to: URL(filePath: "\(folder)/\(path)"))
    }
    let database = try await TestServer.shared.emptyDatabase()
    #expect(try await migrate(database, SQLFiles(directory: folder)).count == schema)
    return database
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
    let file = try SQLFiles(directory: folder)(Statement("told.sql", gives: .text))
    let lines = try await session.transaction { tx in try tx.rows(file) }
    await session.close()
    return lines
  }
}
