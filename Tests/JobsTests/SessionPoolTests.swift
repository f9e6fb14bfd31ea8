/// Sessions stay open between transactions. They are reused, but never under another role, never with a lock, and never when dead.
@Suite(.cleansUp) struct SessionPoolTests {
  private static let questions = [
    "pid": "select pg_backend_pid()::text", "secret": "select coalesce(current_setting('payrecon.session', true), '')",
    "fail": "select (1 / (pg_backend_pid() * 0))::text",
    "end": "select pg_terminate_backend(:'pid'::text::integer)::text",
  ]

  private static func ask(_ name: String, _ context: JobContext, _ files: SQLFiles) async throws -> String {
    try await context.transaction(as: .report) { tx in
      try tx.rows(files(Statement("\(name).sql", gives: .text))).first
    } ?? ""
  }

  @Test func sessionIsReusedWithoutItsRole() async throws {
    let scenario = try await Scenario()
    for (name, text) in Self.questions { try scenario.write("\(name).sql", text + "\n") }
    let files = try SQLFiles(directory: scenario.directory)
    let context = try scenario.context(asOf: "2026-05-12T00:00:00Z")
    // Without a pool each transaction opens a separate session.
    let alone = try await Self.ask("pid", context, files)
    #expect(try await Self.ask("pid", context, files) != alone)
    let pooled = context.withPool(SessionPool(idleMax: 2))
    let (ann, bob) = (pooled.withConsoleSession(secret: "a", at: context.asOf), pooled.withConsoleSession(secret: "b", at: context.asOf))
    let first = try await Self.ask("pid", ann, files)
    for one in [ann, bob, pooled, ann] { #expect(try await Self.ask("pid", one, files) == first) }
    for (one, secret) in [(ann, "a"), (bob, "b"), (pooled, ""), (ann, "a"), (ann, "a")] {
      #expect(try await Self.ask("secret", one, files) == secret)
    }
    await #expect(throws: PostgresError.self) { try await Self.ask("fail", ann, files) }
    let second = try await Self.ask("pid", ann, files)
    #expect(second != first)
    // The server ended the session, so the next user gets another one.
    let admin = try await scenario.session(role: nil)
    _ = try await admin.transaction { tx in try tx.run(files(Statement("end.sql")), ["pid": .text(second)]) }
    try await Task.sleep(for: .milliseconds(1000))
    #expect(try await Self.ask("secret", bob, files) == "b")
    #expect(try await Self.ask("pid", bob, files) != second)
  }

  @Test func idleSessionKeepsNoLock() async throws {
    let scenario = try await Scenario()
    let context = try scenario.context(asOf: "2026-05-12T00:00:00Z")
    let pooled = context.withPool(SessionPool(idleMax: 1))
    for one in [pooled, context, pooled] {
      try await one.withSession { session in try await JobLock.trials.take(on: session, in: one) }
    }
  }

  @Test func `locks are taken in order, up to the first that another session holds, so that of two nights one begins`() async throws {
    let scenario = try await Scenario()
    let context = try scenario.context(asOf: "2026-05-12T00:00:00Z")
    let holder = try await scenario.session(role: nil)
    let refused = try await scenario.session(role: nil)
    let third = try await scenario.session(role: nil)
    try await JobLock.match.take(on: holder, in: context)
    await #expect(throws: JobError.self) { try await JobLock.take([.nightly, .match, .detect], on: refused, in: context) }
    try await JobLock.detect.take(on: third, in: context)
    await #expect(throws: JobError.self) { try await JobLock.nightly.take(on: third, in: context) }
  }
}
