internal import Cryptography
package import Domain
internal import Logging
package import Postgres
package import Wording

/// The ledger of runs: one row before the work, and its verdict afterwards. A run without a verdict did not finish.
package struct RunLedger: Sendable {
  package let context: JobContext
  package let session: Session

  package init(context: JobContext, session: Session) {
    self.context = context
    self.session = session
  }

  /// Records the start of a run and returns its attempt number, from 1. Facts ingested at wall-clock time become known at the run's
  /// clock.
  ///
  /// - Parameter part: the part of the job's work, if one clock has runs of several parts.
  private func begin(job: String, part: String?) async throws -> RunHandle {
    let runID = context.runID(job: part.map { "\(job)-\($0)" } ?? job)
    let parameters: [String: Value] = [
      "run_id": .text(runID), "job": .text(job), "settings_sha256": .text(context.settingsSHA256),
      "code_version": .text(context.codeVersion), "as_of": context.asOfValue, "is_ahead": .bool(context.isClockAhead),
      "process": .text(context.process), "roots_sha256": context.rootsSHA256.map(Value.text) ?? .null,
      "entries_sha256": .text(SHA256.hex(Array(context.settings.entriesText.utf8))),
    ]
    let attempt = try await session.retrying { tx in
      try tx.send(context.sql(RunsSQL.adoptBatches), ["as_of": context.asOfValue, "run_id": .text("")])
      let attempt = try tx.rows(context.sql(RunsSQL.begin), parameters)
      try Self.auditSettings(runID: runID, job: job, in: context, &tx)
      return attempt
    }
    context.log.info("run started", metadata: ["run.id": "\(runID)", "job.name": "\(job)"])
    return RunHandle(runID: runID, job: job, attempt: attempt.first ?? 1)
  }

  fileprivate func end(_ run: RunHandle, verdict: Verdict, counts: String, reasons: [Phrase]?) async throws {
    let parameters: [String: Value] = [
      "run_id": .text(run.runID), "attempt": .int4(run.attempt), "verdict": .text(verdict.rawValue),
      "counts": .text(counts), "message": reasons.map { .text(Phrase.json(apart: $0)) } ?? .null,
    ]
    try await session.retrying { tx in
      guard try tx.run(context.sql(RunsSQL.end), parameters) == 1 else { return }
      let manifests = try Self.manifests(of: run.runID, &tx, sql: context.sql).map(\.sha256)
      try tx.audit(
        AuditEntry(
          actor: run.job, act: .runEnded, subject: "\(run.runID)/\(run.attempt)",
          details: [
            .text("run", run.runID), .number("attempt", Int64(run.attempt)), .text("verdict", verdict.rawValue),
            .text("settings", context.settingsSHA256), .text("code", context.codeVersion),
            .texts("manifests", manifests),
          ]), in: context)
    }
    context.log.info("run ended", metadata: ["run.id": "\(run.runID)", "job.name": "\(run.job)", "verdict": "\(verdict.rawValue)"])
  }
}

package struct RunResult<Outcome> {
  package var outcome: Outcome
  package var verdict: Verdict
  package var counts: String
  /// The reasons of the verdict; nil if none are stated.
  package var reasons: [Phrase]?

  package init(_ outcome: Outcome, _ verdict: Verdict, counts: [(name: String, count: some BinaryInteger)], reasons: [Phrase]? = nil) {
    let fields = counts.map { "\(ReportText.quoted($0.name)):\($0.count)" }
    self.init(outcome, verdict, counts: "{\(fields.joined(separator: ","))}", reasons: reasons)
  }

  package init(_ outcome: Outcome, _ verdict: Verdict, counts: String = "{}", reasons: [Phrase]? = nil) {
    self.outcome = outcome
    self.verdict = verdict
    self.counts = counts
    self.reasons = reasons
  }
}

extension JobContext {
  /// Runs work and records its verdict in the run ledger. A run that threw has failed.
  ///
  /// - Parameter part: the part of the job's work, if one clock has runs of several parts.
  package func withRun<Outcome>(
    job: String, part: String? = nil, on session: Session, _ work: (RunHandle) async throws -> RunResult<Outcome>
  ) async throws -> Outcome {
    let ledger = RunLedger(context: self, session: session)
    let run = try await ledger.beginNext(job: job, part: part)
    do {
      let result = try await work(run)
      try await ledger.end(run, verdict: result.verdict, counts: result.counts, reasons: result.reasons)
      return result.outcome
    } catch {
      // Missing input is not a failure of the run.
      let verdict: Verdict = (error as? JobError)?.status == .incomplete ? .incomplete : .failed
      try? await ledger.end(run, verdict: verdict, counts: "{}", reasons: [.plain("\(error)")])
      throw error
    }
  }

  /// Runs work on a dedicated connection under a lock, and records its verdict in the run ledger.
  ///
  /// - Parameter lock: taken for the whole run; nil allows concurrent runs.
  package func withRun<Outcome>(
    job: String, part: String? = nil, lock: JobLock?,
    _ work: (RunHandle, Session) async throws -> RunResult<Outcome>
  ) async throws -> Outcome {
    try await withSession { session in
      try await lock?.take(on: session, in: self)
      return try await withRun(job: job, part: part, on: session) { run in try await work(run, session) }
    }
  }
}

extension RunLedger {
  /// Returns the manifests that a run wrote, with their folders.
  package static func manifests(
    of runID: String, _ tx: inout DatabaseTransaction, sql: SQLFiles
  ) throws -> [(sha256: String, directory: String)] {
    try tx.rows(sql(RunsSQL.knownManifests), ["run_id": .text(runID)]).map { (sha256: $0.0, directory: $0.1) }
  }

  /// Maximum number of workers that start the same run at the same instant.
  private static let beginsMax = 8

  /// Starts a run. If another worker took the same attempt number, takes the next one.
  fileprivate func beginNext(job: String, part: String?) async throws -> RunHandle {
    for _ in 1..<Self.beginsMax {
      do {
        return try await begin(job: job, part: part)
      } catch PostgresError.server(let error) where error.sqlState == .uniqueViolation {
        continue
      }
    }
    return try await begin(job: job, part: part)
  }

  /// Appends settings and rules that differ from those of the previous run to the audit chain.
  private static func auditSettings(runID: String, job: String, in context: JobContext, _ tx: inout DatabaseTransaction) throws {
    let rules = context.settings.rules.rules.sorted { $0.key < $1.key }
    let common: [String: Value] = ["at": context.asOfValue, "actor": .text(job), "run_id": .text(runID)]
    let text = context.settings.canonicalText
    for text in [text, context.settings.entriesText] {
      let hash = SHA256.hex(Array(text.utf8))
      try tx.send(context.sql(RunsSQL.storeSettings), ["settings_sha256": .text(hash), "settings": .text(text)])
    }
    let before = try tx.rows(context.sql(AuditSQL.settingsBefore)).map { (sha256: $0.0, text: $0.1) }.first
    if before?.sha256 != context.settingsSHA256 {
      let changed = before?.text.map { SettingsEntry.differences(from: $0, to: text) } ?? []
      // The statement compares once more, because another run may have begun with the same settings.
      let change: [String: Value] = ["settings_sha256": .text(context.settingsSHA256), "changed": .textArray(changed)]
      try tx.send(context.sql(AuditSQL.settingsChange), common.merging(change) { $1 })
    }
    let settings = rules.map { "\($0.value.state.rawValue) version \($0.value.version): \($0.value.parameterText)" }
    try tx.send(
      context.sql(AuditSQL.rulesChange),
      common.merging(["names": .textArray(rules.map(\.key)), "settings": .textArray(settings)]) { $1 })
  }
}

package struct RunHandle: Sendable {
  package var runID: String
  var job: String
  var attempt: Int32
}
