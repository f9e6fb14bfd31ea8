import Cryptography
import Postgres
import TestSupport
import Testing

/// A database from before the audit chain: what is in it enters the chain, and from then on it is whole.
@Suite struct AuditUpgradeTests {
  @Test func whatWasThereBeforeIsSealed() async throws {
    var desk = try await Desk()
    let given = desk.connection
    desk.connection = try await TestServer.shared.emptyDatabase()
    desk.program.environment["PAYRECON_DATABASE_URL"] = desk.connection.conninfo
    try await Self.migrateToBefore(desk)
    try await desk.query(
      """
      insert into payrecon.batches (kind, file_name, content_sha256, source, run_id, state, is_clock_given, known_at)
      values ('apple', 'old-1.jws', 'a', 'import', 'r', 'done', true, now()), ('apple', 'old-2.jws', 'b', 'import', 'r', 'open', true, now());
      insert into payrecon.evidence (sha256, kind, verdict, reason, bundle_id, environment, source, body, batch_id, received_at)
      select encode(sha256(convert_to('item ' || item, 'UTF8')), 'hex'), 'transaction', 'genuine', '', 'com.acme.reader',
        'Production', 'import', convert_to('item ' || item, 'UTF8'), 1 + item % 2, now()
      from generate_series(1, 5000) as item;
      insert into payrecon.runs (run_id, attempt, job, settings_sha256, code_version, verdict, as_of, started_at, ended_at)
      values ('old', 1, 'nightly', 'x', '0', 'clean', now(), now(), now()), ('old', 2, 'nightly', 'x', '0', null, now(), now(), null);
      insert into payrecon.report_manifests (run_id, directory, manifest_sha256, written_at) values ('old', 'd', 'abc', now());
      insert into payrecon.list_entries (entry_id, list, subject_kind, subject_id, owner, reason, account, valid_from, valid_to, added_at)
      values ('e1', 'block', 'device', 'D1', 'ann', 'x', 'ann', now(), now() + interval '1 day', now());
      insert into payrecon.case_decisions (case_id, decision_id, step, action, outcome, subject_kind, subject_id, reason,
        decided_by, approved_by, account, proposal_step, at)
      values ('c1', 'd1', 'proposed', 'ban', 'confirmed', 'user', 'U1', 'x', 'ann', null, 'ann', null, now()),
        ('c1', 'd1', 'effective', 'ban', 'confirmed', 'user', 'U1', 'x', 'ann', 'bob', 'bob', 'proposed', now());
      insert into payrecon.consumption_answers values ('100', 'sent', 'ann', 'x', now())
      """)
    #expect(try await desk.program("init").status == 0)
    let verified = try await desk.program("audit", "verify")
    #expect(verified.status == 0, "\(verified.text)\(verified.complaint)")
    #expect(verified.text.contains("evidence  5000 rows in 2 batches, 2 seals"), "\(verified.text)")
    // Old rows are told apart as new ones are, but for their own hash.
    try await desk.query(
      "update payrecon.evidence set verdict = 'forged' where sha256 = (select sha256 from payrecon.evidence order by 1 limit 1)")
    let changed = try await desk.program("audit", "verify")
    #expect(changed.status == 1)
    #expect(changed.text.contains("one was replaced"), "\(changed.text)")
    await TestServer.shared.drop(desk.connection)
    desk.connection = given
    await desk.end()
  }

  /// Applies the migrations up to 0008 as the program of that time did.
  private static func migrateToBefore(_ desk: Desk) async throws {
    try await desk.query(
      """
      create schema payrecon;
      create table payrecon.migrations (number integer primary key, name text collate "C" not null,
        sha256 text collate "C" not null, duration_ms bigint not null)
      """)
    let files = try TestServer.sql()
    for path in files.paths where path.hasPrefix("schema/") {
      let name = String(path.dropFirst("schema/".count).dropLast(".sql".count))
      guard let number = Int(name.prefix(4)), number < 9 else { continue }
      let applied = try await desk.program.run([
        "psql", "-Xq", "-1", "-v", "ON_ERROR_STOP=1", "-f", "\(TestServer.repository)/sql/\(path)", desk.connection.conninfo,
      ])
      #expect(applied.status == 0, "\(name): \(applied.complaint)")
      let hash = SHA256.hex(Array(try files.text(path).utf8))
      try await desk.query("insert into payrecon.migrations values (\(number), '\(name)', '\(hash)', 0)")
    }
  }
}
