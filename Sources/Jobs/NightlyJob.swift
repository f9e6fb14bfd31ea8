public import Domain
internal import Intake
internal import Logging
internal import Postgres

/// The whole chain under one run: ingest the inbox, match, detect, settle and plan renewals, report; one verdict, one
/// exit status.
public struct NightlyJob: Sendable {
  let context: JobContext
  let acceptsSettings: Bool

  /// - Parameter acceptsSettings: goes on when an app that has charges is no longer named in the settings.
  public init(context: JobContext, acceptsSettings: Bool = false) {
    self.context = context
    self.acceptsSettings = acceptsSettings
  }

  /// What a night came to.
  public struct Outcome: Sendable {
    public var runID: String
    public var verdict: Verdict
    /// Why the verdict is what it is, one line each.
    public var reasons: [String]
    public var tallies: [(kind: InputKind, tally: Tally)]
    public var match: MatchOutcome
    public var detect: DetectOutcome
    /// nil when nothing is known that renews.
    public var renewals: Renewals?
    /// Folder with the reports and their manifest.
    public var reportDirectory: String
  }

  /// What a night says about renewals.
  public struct Renewals: Sendable {
    public var settled: RenewalSettleJob.Outcome
    public var plans: [RenewalPlanJob.Plan]

    /// `25 outcomes new or changed; plan 2026-12-08: 27 due`.
    public var summary: String {
      let days = plans.filter { $0.forecastCount != nil }.map { "plan \($0.day) \($0.bundleID): \($0.memberCount) due" }
      return (["\(settled.changedCount) outcomes new or changed"] + days).joined(separator: "; ")
    }
  }

  /// - Parameter inbox: folder to read; nil takes the configured one.
  /// - Parameter reportDirectory: folder for this night's reports; nil makes one named by the clock under the configured one.
  public func run(inbox: String?, reportDirectory: String?) async throws -> Outcome {
    let session = try await context.open()
    for lock in [JobLock.nightly, .match, .detect, .renewals] { try await lock.take(on: session, in: context) }
    let settings = SettingsChange(context: context)
    do {
      try await settings.refuseUnnamedApps(accepts: acceptsSettings, on: session)
    } catch {
      await session.close()
      throw error
    }
    let ledger = RunLedger(context: context, session: session)
    let run = try await ledger.begin(job: "nightly")
    do {
      let outcome = try await work(run: run, session: session, inbox: inbox, reportDirectory: reportDirectory)
      try await ledger.end(
        run, verdict: outcome.verdict, counts: outcome.countsJSON, message: outcome.reasons.joined(separator: "; "))
      await session.close()
      return outcome
    } catch {
      try? await ledger.end(run, verdict: .failed, counts: "{}", message: String(describing: error))
      await session.close()
      throw error
    }
  }

  private func work(
    run: RunHandle, session: Session, inbox: String?, reportDirectory: String?
  ) async throws -> Outcome {
    var reasons: [String] = []
    var verdict = Verdict.clean
    func worsen(_ to: Verdict, _ reason: String) {
      verdict = max(verdict, to)
      reasons.append(reason)
    }
    if let change = try await SettingsChange(context: context).sinceLastNight(on: session) {
      for line in change.lines { worsen(.clean, line) }
    }
    var kinds: Set<InputKind> = []
    if let folder = inboxFolder(inbox) {
      do {
        kinds = try await ingest(folder: folder, runID: run.runID, worsen: worsen)
      } catch let error as JobError where error.status == .incomplete {
        worsen(.incomplete, error.message)
      }
      try await RunLedger(context: context, session: session).adoptBatches()
    }
    try await PostDrain(context: context, session: session, runID: run.runID).run()
    let tallies = try await RunLedger(context: context, session: session).tallies(of: run.runID, atLeast: kinds)
    let judged = try await EvidenceJudge(context: context).judge(runID: run.runID, on: session)
    if judged.changedCount > 0 {
      context.log.info("evidence judged anew", metadata: ["outcome": "\(judged.summary)"])
    }
    let (match, detect) = try await decided(runID: run.runID, on: session, worsen: worsen)
    let renewals = try await renewals(runID: run.runID, on: session)
    for reason in detect.staleInputs { worsen(.incomplete, reason) }
    let rows = tallies.reduce(0) { $0 + Int64($1.tally.input) }
    for finding in RunLedger(context: context, session: session).rowFindings(rows: rows) {
      worsen(finding.verdict, finding.reason)
    }
    for cut in try await CutInput.open(context: context, on: session) { worsen(.incomplete, cut.description) }
    let parked = try await openParkedCount(on: session)
    if parked > 0 { worsen(.warnings, Self.parkedReason(parked)) }
    let breaks = detect.breakVerdict(failAt: context.settings.breaks.failAt)
    if breaks > .clean { worsen(breaks, detect.summary) }
    let directory = reportDirectory ?? "\(context.settings.reportDirectory)/\(context.asOf.rfc3339.prefix(10))"
    try await ReportJob(context: context).write(
      kind: .all, formats: [.csv, .json, .html], directory: directory, runID: run.runID, verdict: verdict,
      reasons: reasons, on: session)
    try await RunLedger(context: context, session: session).recordManifest(directory: directory, runID: run.runID)
    return Outcome(
      runID: run.runID, verdict: verdict, reasons: reasons, tallies: tallies, match: match, detect: detect,
      renewals: renewals, reportDirectory: directory)
  }

  /// Settles the renewals that came due, and freezes the plan of each app's next day unless it has one.
  private func renewals(runID: String, on session: Session) async throws -> Renewals? {
    let sql = context.sql
    let hasRenewals = try await session.transaction(.readOnlySnapshot) { tx in
      try tx.rows(sql("renewals/has_renewals.sql")) { row throws(PostgresError) in try row.bool() }.first ?? false
    }
    guard hasRenewals, !context.settings.apps.isEmpty else { return nil }
    let settled = try await RenewalSettleJob(context: context).settle(runID: runID, on: session)
    let plans = try await RenewalPlanJob(context: context).run(day: nil, runID: runID, on: session)
    return Renewals(settled: settled, plans: plans)
  }

  /// Matches and detects on one state of all inputs, checks a sample of each, and decides everything anew if a sample is
  /// not what it should be.
  private func decided(
    runID: String, on session: Session, worsen: (Verdict, String) -> Void
  ) async throws -> (match: MatchOutcome, detect: DetectOutcome) {
    let matching = MatchJob(context: context)
    let detecting = DetectJob(context: context)
    func decide(isFull: Bool) async throws -> (match: MatchOutcome, detect: DetectOutcome) {
      try await session.deciding(isDryRun: false) { tx in
        let match = try matching.decide(runID: runID, isFull: isFull, &tx)
        // The names of the working tables are free again, and no plan is forced on what comes after.
        try tx.execute("discard temp; set local enable_nestloop = default; set local work_mem = default")
        return (match, try detecting.decide(runID: runID, isFull: isFull, keepsRows: false, &tx))
      }
    }
    var outcome = try await decide(isFull: false)
    if let stale = try await matching.check(on: session).first {
      worsen(.warnings, Self.stale("matches", stale, "matched"))
      outcome = try await decide(isFull: true)
    } else if let stale = try await detecting.check(on: session).first {
      worsen(.warnings, Self.stale("breaks", stale, "looked at"))
      outcome.detect = try await detecting.run(runID: runID, isFull: true, isDryRun: false, on: session)
    }
    return outcome
  }

  static func parkedReason(_ count: Int) -> String {
    "\(count) parked item\(count == 1 ? " waits" : "s wait") in the dead letters"
  }

  private static func stale(_ decisions: String, _ subject: String, _ done: String) -> String {
    "the self-check found \(decisions) that were not current (\(subject)); everything was \(done) anew"
  }

  /// The folder to read; nil when none is configured and none lies where one is looked for.
  private func inboxFolder(_ given: String?) -> String? {
    if let folder = given ?? context.settings.inbox.directory { return folder }
    return Inbox.isDirectory("inbox") ? "inbox" : nil
  }

  /// - Returns: kinds of which there were files.
  private func ingest(
    folder: String, runID: String, worsen: (Verdict, String) -> Void
  ) async throws -> Set<InputKind> {
    let inbox = try Inbox.contents(directory: folder)
    for refused in inbox.refused { worsen(.incomplete, refused.description) }
    for kind in [InputKind.catalogue, .users, .orders, .apple] {
      guard let paths = inbox.files[kind] else { continue }
      let outcome = try await IngestJob(context: context).run(
        kind: kind, files: paths, format: nil, source: .imported, runID: runID, resumes: true)
      for refused in outcome.refusedFiles { worsen(.incomplete, refused.reason) }
    }
    return Set(inbox.files.keys)
  }

  private func openParkedCount(on session: Session) async throws -> Int {
    let sql = context.sql
    let asOf = context.asOfValue
    return try await session.transaction(.readOnlySnapshot) { tx in
      try tx.rows(sql("runs/open_parked.sql"), ["as_of": asOf]) { row throws(PostgresError) in Int(try row.int8()) }.first ?? 0
    }
  }
}

extension RunLedger {
  /// What a run read, also before it was broken off and begun again; what others read before it is not its own.
  ///
  /// - Parameter kinds: told also when nothing of them was read.
  func tallies(of runID: String, atLeast kinds: Set<InputKind>) async throws -> [(kind: InputKind, tally: Tally)] {
    let sql = context.sql
    let rows = try await session.transaction(.readOnlySnapshot) { tx in
      try tx.rows(sql("runs/run_tallies.sql"), ["run_id": .text(runID)]) { row throws(PostgresError) in
        (
          kind: try row.text(),
          tally: Tally(
            input: Int(try row.int8()), accepted: Int(try row.int8()), repeated: Int(try row.int8()),
            ignored: Int(try row.int8()), parked: Int(try row.int8()))
        )
      }
    }
    let read = Dictionary(rows.map { ($0.kind, $0.tally) }) { one, _ in one }
    return [InputKind.catalogue, .users, .orders, .apple].compactMap { kind in
      guard let tally = read[kind.rawValue] ?? (kinds.contains(kind) ? Tally() : nil) else { return nil }
      return (kind, tally)
    }
  }

  /// Lets batches read on the wall clock count from this run's clock on.
  func adoptBatches() async throws {
    let sql = context.sql
    let asOf = context.asOfValue
    try await session.retrying { tx in _ = try tx.run(sql("runs/adopt_batches.sql"), ["as_of": asOf]) }
  }
}

extension DetectOutcome {
  /// `12 breaks (critical 1, high 11), 3 pending`, and the decided breaks and the signals when there are any.
  public var summary: String {
    let bySeverity = Severity.allCases.reversed().compactMap { severity in
      openCounts[severity].map { "\(severity.rawValue) \($0)" }
    }
    let total = openCounts.values.reduce(0, +)
    let parts = bySeverity.isEmpty ? "" : " (\(bySeverity.joined(separator: ", ")))"
    let signals = liveSignalCount > 0 ? ", \(liveSignalCount) signals" : ""
    let decided = decidedCount > 0 ? ", \(decidedCount) decided" : ""
    return "\(total) breaks\(parts)\(decided), \(pendingCount) pending\(signals)"
  }
}

extension NightlyJob.Outcome {
  /// Counts for the run ledger, as a JSON object with a fixed order of keys.
  var countsJSON: String {
    var fields = tallies.map { kind, tally in
      "\"\(kind.rawValue)\":{\"input\":\(tally.input),\"accepted\":\(tally.accepted),"
        + "\"repeated\":\(tally.repeated),\"ignored\":\(tally.ignored),\"parked\":\(tally.parked)}"
    }
    fields.append("\"matches\":{\"begun\":\(match.begunCount),\"ended\":\(match.endedCount)}")
    let undecided = detect.openCounts.values.reduce(0, +)
    fields.append(
      "\"breaks\":\(undecided + detect.decidedCount),\"undecided\":\(undecided),\"decided\":\(detect.decidedCount),"
        + "\"pending\":\(detect.pendingCount)")
    if let renewals {
      let members = renewals.plans.reduce(0) { $0 + $1.memberCount }
      fields.append("\"renewals\":{\"settled\":\(renewals.settled.changedCount),\"planned\":\(members)}")
    }
    return "{\(fields.joined(separator: ","))}"
  }
}
