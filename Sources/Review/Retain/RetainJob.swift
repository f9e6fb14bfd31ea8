public import Domain
public import JobCore
internal import Postgres

/// Removal of expired operational rows and of inactive people, after the periods in the settings.
///
/// The role of this job has no privilege on facts, decisions, reports and the audit chain.
public struct RetainJob: Sendable {
  static let pageRowsMax: Int64 = 5000
  /// People erased in one run; the next run continues.
  static let personsMax: Int64 = 1000
  /// Longest time for which a run blocks all writers.
  static let personsTimeMax = Duration.seconds(600)

  let context: JobContext
  let account: String

  public init(context: JobContext, account: String) { (self.context, self.account) = (context, account) }

  /// Rows removed, or due in a dry run, of one table.
  public struct Row: Sendable, Hashable {
    public var table: String
    public var count: Int64
    /// Age limit of the rows; nil if all are kept.
    public var before: Timestamp?
  }

  public struct Outcome: Sendable {
    public var rows: [Row] = []
    /// Whether more people were due than one run erases.
    public var hasMorePersons = false
  }

  /// A file of sql/retain, the tables it counts, and the age limit of their rows.
  private struct Rule: Sendable {
    var statement: Statement<String, Int64>
    var tables: [String]
    var seconds: Int64?
    var name: String { tables[0] }
  }

  private static let quarantine = "quarantine"

  private var rules: [Rule] {
    let spans = context.settings.retention
    return [
      Rule(statement: RetainSQL.parkedItems, tables: ["parked_items"], seconds: spans.parkedSeconds),
      Rule(statement: RetainSQL.quarantine, tables: [Self.quarantine], seconds: spans.quarantineSeconds),
      Rule(statement: RetainSQL.jobWindows, tables: ["job_windows", "job_attempts"], seconds: spans.jobWindowSeconds),
      Rule(statement: RetainSQL.caseLeases, tables: ["case_leases"], seconds: spans.caseLeaseSeconds),
    ]
  }

  /// Removes rows page by page, each in a transaction with its audit entry. A killed run can simply be restarted.
  ///
  /// - Throws: `JobError` with status 4 if another run is active, or if people are due and a job that writes names is running.
  public func run(isDryRun: Bool) async throws -> Outcome {
    try await context.withSession { session in
      try await JobLock.retain.take(on: session, in: context)
      return try await withEraser(isDryRun: isDryRun) { eraser in
        guard !isDryRun else { return try await work(runID: "", eraser: eraser, isDryRun: true) }
        return try await context.withRun(job: "retain", on: session) { run in
          let outcome = try await work(runID: run.runID, eraser: eraser, isDryRun: false)
          return RunResult(outcome, .clean, counts: outcome.rows.map { ($0.table, $0.count) })
        }
      }
    }
  }

  /// Passes a session that may erase people; nil if the settings keep everyone.
  private func withEraser(isDryRun: Bool, _ work: (Session?) async throws -> Outcome) async throws -> Outcome {
    guard context.settings.retention.personSeconds != nil else { return try await work(nil) }
    return try await context.withSession(as: .erase) { session in
      // Prevents a running job from writing the old name after the erasure.
      if !isDryRun { try await JobLock.take(JobLock.writers, on: session, in: context) }
      return try await work(session)
    }
  }

  /// Erases people first, because their session blocks every writer until it ends.
  private func work(runID: String, eraser: Session?, isDryRun: Bool) async throws -> Outcome {
    var outcome = Outcome()
    let persons = try await forgetPersons(eraser, isDryRun: isDryRun, &outcome)
    await eraser?.close()
    try await context.withSession(as: .retain) { session in
      for rule in rules {
        let rows = try await apply(rule, runID: runID, isDryRun: isDryRun, on: session)
        // Quarantine is reported only if rows were removed, because most installations have none.
        outcome.rows += rows.filter { $0.table != Self.quarantine || $0.count > 0 }
      }
    }
    outcome.rows.append(persons)
    return outcome
  }

  private func before(_ seconds: Int64?) -> Timestamp? { seconds.map { context.asOf.advanced(bySeconds: -$0) } }

  // MARK: Rows

  private func apply(_ rule: Rule, runID: String, isDryRun: Bool, on session: Session) async throws -> [Row] {
    guard let before = before(rule.seconds) else { return rule.tables.map { Row(table: $0, count: 0) } }
    var totals: [String: Int64] = [:]
    while true {
      let page = try await page(rule, before: before, runID: runID, isDryRun: isDryRun, on: session)
      for (table, count) in page { totals[table, default: 0] += count }
      context.progress.report(stage: "retain \(rule.name)", done: Int(totals[rule.name] ?? 0), total: nil)
      guard !isDryRun, (page[rule.name] ?? 0) >= Self.pageRowsMax else { break }
    }
    return rule.tables.map { Row(table: $0, count: totals[$0] ?? 0, before: before) }
  }

  /// Removes one page, or counts all due rows in a dry run.
  private func page(_ rule: Rule, before: Timestamp, runID: String, isDryRun: Bool, on session: Session) async throws -> [String: Int64] {
    let parameters: [String: Value] = [
      "before": before.sqlValue, "row_max": .int8(Self.pageRowsMax),
      "is_dry_run": .bool(isDryRun),
    ]
    return try await session.retrying { tx in
      let counts = try tx.rows(context.sql(rule.statement), parameters)
      let removed = counts.filter { $0.1 > 0 }
      if !isDryRun, !removed.isEmpty {
        try tx.audit(
          AuditEntry(
            actor: "retention", act: .rowsRemoved, subject: rule.name,
            details: [.text("account", account), .text("run", runID), .text("before", before.rfc3339)]
              + removed.map { .number($0.0, $0.1) }), in: context)
      }
      return Dictionary(counts) { first, _ in first }
    }
  }

  // MARK: People

  private func forgetPersons(_ eraser: Session?, isDryRun: Bool, _ outcome: inout Outcome) async throws -> Row {
    guard let eraser, let since = before(context.settings.retention.personSeconds) else { return Row(table: "persons", count: 0) }
    let users = try await duePersons(since: since, on: eraser)
    let due = users.prefix(Int(Self.personsMax))
    let count = isDryRun ? due.count : try await forget(Array(due), since: since, on: eraser)
    outcome.hasMorePersons = users.count > count
    return Row(table: "persons", count: Int64(count), before: since)
  }

  /// Erases people until the time limit and returns their number.
  private func forget(_ users: [String], since: Timestamp, on session: Session) async throws -> Int {
    let job = EraseJob(context: context)
    let actor = Actor(name: "retention", account: account)
    let reason = "nothing was heard since \(since.rfc3339)"
    let end = ContinuousClock.now + Self.personsTimeMax
    for (place, user) in users.enumerated() {
      guard ContinuousClock.now < end else { return place }
      _ = try await job.erase(user, by: actor, reason: reason, isDryRun: false, on: session)
      context.progress.report(stage: "retain persons", done: place + 1, total: users.count)
    }
    return users.count
  }

  /// Returns one person more than a run may erase, to detect a remainder.
  private func duePersons(since: Timestamp, on session: Session) async throws -> [String] {
    let apps = context.settings.apps
    let kept = apps.flatMap { $0.testers + $0.reviewWindows.flatMap(\.users) }
    let parameters: [String: Value] = [
      "as_of": context.asOfValue, "since": since.sqlValue,
      "kept": .textArray(kept), "row_max": .int8(Self.personsMax + 1),
    ]
    return try await context.rows(RetainSQL.persons, parameters, on: session)
  }
}
