internal import Collect
internal import Domain
internal import Ingest
internal import JobCore
internal import Logging
internal import Matching
internal import Postgres
internal import Reports
internal import Wording

extension NightlyJob {
  /// The decisions of a night, or the earlier state if decisions of a later clock exist.
  struct Decisions {
    var match: MatchOutcome?
    var detect: DetectOutcome
    var renewals: Renewals?
    /// Whether nights decide nothing until an operator acts: earlier decisions lie ahead of this machine's clock, or a file's clock is
    /// wrong.
    var awaitsOperator = false
  }

  /// Judges, matches, detects and settles. Before the clock of the last decisions, it only returns the known state.
  ///
  /// A decision there would change the reports between the two clocks.
  func decisions(runID: String, on session: Session, worsen: (Verdict, Phrase) -> Void) async throws -> Decisions {
    if let later = try await DecidedClock.after(context, on: session) {
      let isAhead = later.asOf > WallClock.now()
      worsen(
        .incomplete,
        Phrase("night.night_decided", ["later": .plain("\(later)"), "at": .plain(context.asOf.rfc3339)]))
      worsen(
        .incomplete,
        isAhead
          ? Phrase("night.night_ahead", ["run": .plain(later.runID), "at": .plain(later.asOf.rfc3339)]) : "night.night_later")
      return Decisions(match: nil, detect: try await knownState(on: session), renewals: nil, awaitsOperator: isAhead)
    }
    let clocks = acceptsClock ? [] : try await OrderClock.suspects(context: context, on: session)
    guard clocks.isEmpty else {
      for clock in clocks { worsen(.incomplete, .plain(clock.description)) }
      return Decisions(match: nil, detect: try await knownState(on: session), renewals: nil, awaitsOperator: true)
    }
    let judged = try await EvidenceJudge(context: context).judge(runID: runID, on: session)
    if judged.changedCount > 0 {
      context.log.info("evidence re-evaluated", metadata: ["outcome": "\(judged.summary)"])
    }
    let (match, detect) = try await decided(runID: runID, on: session, worsen: worsen)
    return Decisions(match: match, detect: detect, renewals: try await renewals(runID: runID, on: session))
  }

  /// Returns the outcome of a night that an earlier attempt finished; nil if the night must be decided.
  ///
  /// Once decisions of a later clock exist, a night that reads nothing new changes nothing. Its report is written only to a folder that
  /// does not contain it.
  func finished(
    runID: String, tallies: [(kind: InputKind, tally: Tally)], directory: String, on session: Session
  ) async throws -> Outcome? {
    let parameters: [String: Value] = [
      "run_id": .text(runID), "settings_sha256": .text(context.settingsSHA256), "code_version": .text(context.codeVersion),
    ]
    let (found, manifests) = try await session.transaction(.readOnlySnapshot) { tx in
      let found = try tx.rows(context.sql(RunsSQL.finished), parameters).map { (verdict: $0.0, message: $0.1) }.first
      return (found, try RunLedger.manifests(of: runID, &tx, sql: context.sql).map(\.sha256))
    }
    guard let found, let verdict = Verdict(rawValue: found.verdict) else { return nil }
    context.log.info("run was finished before", metadata: ["run.id": "\(runID)", "verdict": "\(verdict.rawValue)"])
    let known = try Phrase.apart(json: found.message)
    let reasons = known.isEmpty ? [] : [Phrase.joined(known, by: "said.apart")]
    let manifest = try? Manifest.read(directory: directory)
    if manifest.map({ !manifests.contains($0.sha256) }) ?? true {
      try await writeReport(verdict, reasons, of: runID, to: directory, on: session)
    }
    return Outcome(
      runID: runID, verdict: verdict, reasons: reasons, tallies: tallies, match: nil, detect: try await knownState(on: session),
      renewals: nil, reportDirectory: directory)
  }

  /// Returns the breaks, signals and inputs as of the clock.
  private func knownState(on session: Session) async throws -> DetectOutcome {
    return try await session.transaction(.readOnlySnapshot) { tx in
      try tx.lookBack(to: context.asOf, files: context.sql)
      var outcome = try DetectOutcome.standing(asOf: context.asOfValue, in: context.sql, &tx)
      outcome.staleInputs = try InputState.stale(asOf: context.asOf, in: context, &tx).map(\.reason)
      return outcome
    }
  }

  private func renewals(runID: String, on session: Session) async throws -> Renewals? {
    let hasRenewals = try await context.rows(RenewalsSQL.hasRenewals, on: session).first ?? false
    guard hasRenewals, !context.settings.apps.isEmpty else { return nil }
    let settled = try await RenewalSettleJob(context: context).settle(runID: runID, on: session)
    let plans = try await RenewalPlanJob(context: context).run(day: nil, runID: runID, on: session)
    return Renewals(settled: settled, plans: plans)
  }

  /// Matches and detects on one snapshot of all inputs; a match of everything is decided in partitions first. Re-evaluates everything if a
  /// self-check of a sample fails.
  private func decided(
    runID: String, on session: Session, worsen: (Verdict, Phrase) -> Void
  ) async throws -> (match: MatchOutcome, detect: DetectOutcome) {
    let matching = MatchJob(context: context, partitioning: partitioning)
    let detecting = DetectJob(context: context)
    func decide(matchesAll: Bool = false, detectsAll: Bool = false) async throws -> (match: MatchOutcome, detect: DetectOutcome) {
      try await matching.afterPartitions(isFull: matchesAll, on: session) {
        try await context.deciding(run: runID, on: session) { tx in
          let match = try matching.decide(runID: runID, isFull: matchesAll, keepsRows: false, &tx)
          // Frees the names of the working tables and resets the planner settings for the next step.
          tx.send("discard temp; set local enable_nestloop = default; set local work_mem = default")
          return (match, try detecting.decide(runID: runID, isFull: detectsAll, keepsRows: false, &tx))
        }
      }
    }
    let outcome = try await decide()
    switch try await SelfCheck(context: context).difference(after: outcome, on: session) {
    case .match(let stale):
      worsen(.warnings, Self.stale("night.self_matches", stale, "night.self_matched"))
      return try await decide(matchesAll: true, detectsAll: true)
    case .breaks(let stale):
      worsen(.warnings, Self.stale(.code("breaks"), stale, "night.self_looked"))
      // Input ingested during the run is matched first.
      return (outcome.match, try await decide(detectsAll: true).detect)
    case nil: return outcome
    }
  }

  static func stale(_ decisions: Phrase, _ subject: String, _ done: Phrase) -> Phrase {
    Phrase("night.self_check", ["what": decisions, "subject": .plain(subject), "done": done])
  }
}
