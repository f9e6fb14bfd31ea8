import FoundationEssentials

/// An upgraded database equals a new one.
@Suite(.cleansUp) struct SchemaUpgradeTests {
  /// Migration of a hypothetical next version.
  private static let next = """
    alter table payrecon.webhook_cases add column seen_at timestamptz;
    create table payrecon.next_version (night text collate "C" not null, constraint next_version_pkey primary key (night));
    """

  @Test func upgradedDatabaseEqualsANewOne() async throws {
    let (shipped, next) = (try TestServer.sql(), try Self.nextVersion())
    let new = try await TestServer.shared.emptyDatabase()
    let old = try await TestServer.shared.emptyDatabase()
    #expect(try await Self.migrate(old, shipped) == ["baseline", "functions", "reference"])
    // Simulates a manual change of break classes.
    let session = try await Session.open(old)
    try await session.executeAlone("update payrecon.break_classes set owner_team = 'nobody', runbook = '' where priority < 50")
    try await session.executeAlone("delete from payrecon.applied_texts where part = 'reference'")
    await session.close()
    #expect(try await Self.migrate(old, next) == ["0001_next_version", "functions", "reference"])
    #expect(try await Self.migrate(new, next) == ["baseline", "0001_next_version", "functions", "reference"])
    let (before, after) = (try await Self.described(old), try await Self.described(new))
    #expect(before.count > 200)
    #expect(before == after, "\(Set(before).symmetricDifference(after).sorted().prefix(4))")
    for database in [old, new] {
      #expect(try await Self.migrate(database, next) == [])
      await #expect(throws: MigrationError.self) { try await Self.migrate(database, shipped) }
    }
  }

  @Test func `every migration has an entry in the audit chain, including the baseline, which is older than the chain`() async throws {
    let setup = try await Setup()
    let session = try await Session.open(setup.connection)
    _ = try await Migrator(files: Self.nextVersion(), hash: { SHA256.hex($0) }).migrate(session)
    await session.close()
    let entries = try await setup.query("select act || ' ' || subject from payrecon.audit_log order by number")
    let first = "migration_applied baseline\nfunctions_made functions\nreference_made reference\n"
    #expect(entries == first + "migration_applied 0001_next_version\nfunctions_made functions")
  }

  @Test func `a changed later verdict no longer fits its seal`() async throws {
    let setup = try await Setup()
    try await setup.query(
      """
      insert into payrecon.readers values ('reader', 'roots', '', 1);
      insert into payrecon.batches (kind, file_name, content_sha256, source, run_id, state, is_clock_given, known_at)
      values ('apple', 'judgement', '', 'import', 'r', 'done', true, now());
      insert into payrecon.judgements
      select
        sha256('former'), batch_id, 0, 'reader', 'genuine', '""'::jsonb, 'receipt', 'com.acme.reader', 'Production', null, '1', null,
        sha256('own'), now()
      from payrecon.batches
      union all
      select
        sha256('other'), batch_id, 0, 'reader', 'foreign', '"bundle"', 'transaction', 'com.acme', '', 'c', null, '2', null, null
      from payrecon.batches;
      select payrecon.audit_append(now(), 'payrecon', 'evidence_judged', batch_id || '/0', json_build_object('rows', count(*), 'digest',
        encode(sha256(string_agg(payrecon.judgement_row_hash(sha256, batch_id, chunk, reader_sha256, verdict, reason, kind, bundle_id,
          environment, charge_id, transaction_id, original_transaction_id, replaced_by, signed_at), ''::bytea
          order by encode(sha256, 'hex') collate "C")), 'hex'))::text)
      from payrecon.judgements
      group by batch_id
      """)
    try await setup.program("audit", "verify", exits: 0)
    try await setup.query("update payrecon.judgements set replaced_by = sha256('another') where replaced_by is not null")
    try await setup.program("audit", "verify", exits: 1, prints: "one was changed or replaced")
  }

  /// Evidence hashes are binary in every table. Hex text is for files, for our own texts and for samples that are not evidence.
  @Test func hashesOfEvidenceAreBytes() async throws {
    let setup = try await Setup()
    let letters = try await setup.query(
      """
      select columns.table_name || '.' || columns.column_name
      from information_schema.columns
      inner join information_schema.tables using (table_schema, table_name)
      where columns.table_schema = 'payrecon' and tables.table_type = 'BASE TABLE' and columns.data_type = 'text'
        and columns.column_name in ('sha256', 'parent_sha256', 'evidence_sha256', 'replaced_by')
      order by 1
      """)
    let known = ["applied_texts", "attachment_bodies", "case_attachments", "migrations", "quarantined_items"]
    #expect(letters.split(separator: "\n") == known.map { "\($0).sha256" })
  }

  /// A run in partitions of another program version stays open, and detect notices it. The next run restarts and ends it.
  @Test func runInPartitionsOfAnotherVersion() async throws {
    let setup = try await Setup(world: try await Worlds.shared.small())
    _ = try await setup.query(
      """
      insert into payrecon.partitions (partition, partition_count, is_decided, settings_sha256, code_version, as_of)
      select partition, 2, partition = 0, 'then', 'then', 'epoch' from generate_series(0, 3) as numbered (partition)
      """)
    let joined = "match: no run in partitions is under way with these settings\n"
    try await setup.program("match", "--join", "--as-of", Setup.asOf, text: joined)
    #expect(try await setup.program("match", "--partitions", "2", "--as-of", Setup.asOf).status == 0)
    #expect(try await setup.count("partitions") == 0)
  }

  /// Returns the shipped files and one additional migration.
  private static func nextVersion() throws -> SQLFiles {
    let folder = try Setup.makeFolder()
    try FileManager.default.copyItem(atPath: "\(TestServer.repository)/sql", toPath: "\(folder)/sql")
    try Data(next.utf8).write(to: URL(filePath: "\(folder)/sql/schema/0001_next_version.sql"))
    return try SQLFiles.withTexts(in: "\(folder)/sql")
  }

  private static func migrate(_ database: ConnectionSettings, _ files: SQLFiles) async throws -> [String] {
    let session = try await Session.open(database)
    let names = try await Migrator(files: files, hash: { SHA256.hex($0) }).migrate(session)
    await session.close()
    return names
  }

  /// Returns the lines of the schema with owners and privileges, and of the break classes. Their order may differ.
  private static func described(_ database: ConnectionSettings) async throws -> [String] {
    let schema = try await Program().run(["pg_dump", "--schema-only", "--dbname", database.conninfo], exits: 0).text
    let classes = try await Program().run(
      ["psql", "-XAtq", "-c", "select break_classes::text from payrecon.break_classes", database.conninfo], exits: 0)
    // Newer versions of pg_dump begin with a random key after a backslash.
    return (schema + classes.text).split(separator: "\n").filter { !$0.hasPrefix("\\") }.map(String.init).sorted()
  }
}
