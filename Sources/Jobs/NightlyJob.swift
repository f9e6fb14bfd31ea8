public import Collect
public import Domain
internal import Ingest
internal import Intake
public import JobCore
public import Matching
internal import Postgres
internal import Reports
internal import Review
internal import SystemCalls
public import Wording

/// The whole chain in one run: ingest, match, detect, settle and plan renewals, and report. It has one verdict and one exit status.
public struct NightlyJob: Sendable {
  let context: JobContext
  let acceptsSettings: Bool
  let acceptsClock: Bool
  let partitioning: Partitioning

  /// - Parameters:
  ///   - acceptsSettings: whether to continue if the settings no longer name an app that has charges.
  ///   - acceptsClock: whether to continue if a file of orders probably has local times.
  public init(context: JobContext, acceptsSettings: Bool = false, acceptsClock: Bool = false, partitioning: Partitioning = Partitioning()) {
    self.context = context
    self.acceptsSettings = acceptsSettings
    self.acceptsClock = acceptsClock
    self.partitioning = partitioning
  }

  public struct Outcome: Sendable {
    public var runID: String
    public var verdict: Verdict
    public var reasons: [Phrase]
    public var tallies: [(kind: InputKind, tally: Tally)]
    /// nil if nothing was decided, because decisions of a later clock exist or the night was finished before.
    public var match: MatchOutcome?
    /// Whether nights decide nothing until an operator acts.
    var awaitsOperator = false
    public var detect: DetectOutcome
    /// nil if no subscription is known.
    public var renewals: Renewals?
    /// Charges and orders that no match can concern, one sentence per app and reason.
    public var notReconciled: [String] = []
    public var reportDirectory: String
  }

  public struct Renewals: Sendable {
    public var settled: RenewalSettleJob.Outcome
    public var plans: [RenewalPlanJob.Plan]

    /// The summary line, as in `25 outcomes new or changed; plan 2026-12-08 com.acme.reader: 27 due`.
    public var summary: String {
      let days = plans.filter { $0.forecastCount != nil }.map { "plan \($0.day) \($0.bundleID): \($0.memberCount) due" }
      return (["\(settled.changedCount) outcomes new or changed"] + days).joined(separator: "; ")
    }
  }

  /// - Parameter inbox: folder to read; nil for the configured one.
  /// - Parameter reportDirectory: folder for the reports; nil for a folder named after the clock's date under the configured one.
  public func run(inbox: String?, reportDirectory: String?) async throws -> Outcome {
    try ReportWorkbook.checkAvailable(for: context.settings.reportFormats)
    let directory = reportDirectory ?? "\(context.settings.reportDirectory)/\(context.asOf.rfc3339.prefix(10))"
    return try await context.withSession { session in
      try await JobLock.take([.nightly, .match, .detect, .renewals], on: session, in: context)
      try await requireFreeInputs(inbox, except: directory)
      try await SettingsChange(context: context).refuseUnnamedApps(accepts: acceptsSettings, on: session)
      await WebhookJob(context: context).gatherBeforeNight()
      var begun: RunHandle?
      do {
        let outcome = try await context.withRun(job: "nightly", on: session) { run in
          begun = run
          let outcome = try await work(run: run, session: session, inbox: inbox, directory: directory)
          return RunResult(
            outcome, outcome.verdict, counts: outcome.countsJSON, reasons: outcome.reasons)
        }
        await ConsoleCases(context: context).refreshAfterDetection()
        if outcome.match != nil || outcome.awaitsOperator, let begun {
          await sendAlert(outcome.verdict, outcome.reasons, of: begun, outcome.reportDirectory, on: session)
        }
        await WebhookJob(context: context).sendAfterNight()
        return outcome
      } catch {
        if let begun { await sendAlert(.failed, [.plain("\(error)")], of: begun, nil, on: session) }
        await WebhookJob(context: context).sendAfterNight()
        throw error
      }
    }
  }

  /// Sends the alerts. The caller skips a night that only looks back, unless an operator must act.
  private func sendAlert(
    _ verdict: Verdict, _ reasons: [Phrase], of run: RunHandle, _ directory: String?, on session: Session
  ) async {
    let page = directory.map { directory in
      guard let link = context.settings.alerts.link else { return "\(directory)/report.html" }
      let folder = directory.split(separator: "/").last.map(String.init) ?? directory
      return "\(link.hasSuffix("/") ? link : link + "/")\(folder)/report.html"
    }
    await NightAlert(context: context).send(
      NightSummary(runID: run.runID, asOf: context.asOf, verdict: verdict, reasons: reasons.map(\.english), report: page), on: session)
  }

  private func work(run: RunHandle, session: Session, inbox: String?, directory: String) async throws -> Outcome {
    var reasons: [Phrase] = []
    var verdict = Verdict.clean
    func worsen(_ to: Verdict, _ reason: Phrase) {
      verdict = max(verdict, to)
      reasons.append(reason)
    }
    if let change = try await SettingsChange(context: context).sinceLastNight(on: session) {
      for line in change.lines { worsen(.clean, line) }
    }
    for line in context.settings.rules.unapproved { worsen(.clean, .plain(line)) }
    let kinds = try await readInput(inbox, except: directory, runID: run.runID, on: session, worsen: worsen)
    let tallies = try await RunLedger(context: context, session: session).tallies(of: run.runID, atLeast: kinds)
    if verdict < .incomplete, let finished = try await finished(runID: run.runID, tallies: tallies, directory: directory, on: session) {
      return finished
    }
    let decisions = try await decisions(runID: run.runID, on: session, worsen: worsen)
    try await assess(decisions, tallies, on: session, worsen: worsen)
    try await writeReport(verdict, reasons, of: run.runID, to: directory, on: session)
    let notReconciled = decisions.match == nil ? [] : try await NotReconciled.sentences(context, on: session)
    return Outcome(
      runID: run.runID, verdict: verdict, reasons: reasons, tallies: tallies, match: decisions.match,
      awaitsOperator: decisions.awaitsOperator, detect: decisions.detect, renewals: decisions.renewals, notReconciled: notReconciled,
      reportDirectory: directory)
  }

  /// Reads the databases of the settings, the inbox and the queue of notifications.
  ///
  /// - Parameter reports: folder of this night's reports, which is never read as input.
  private func readInput(
    _ inbox: String?, except reports: String, runID: String, on session: Session, worsen: (Verdict, Phrase) -> Void
  ) async throws -> Set<InputKind> {
    var kinds = try await pull(runID: runID, worsen: worsen)
    var stamps: [FileStamp] = []
    if let folder = inbox ?? context.settings.inboxFolder {
      do {
        let read = try await ingest(folder: folder, except: reports, runID: runID, worsen: worsen)
        kinds.formUnion(read.kinds)
        stamps = read.stamps
      } catch let error as JobError where error.status == .incomplete {
        worsen(.incomplete, .plain(error.message))
      }
    } else if let missed = try await missedInbox(on: session) {
      worsen(.warnings, .plain(missed))
    }
    try await PostDrain(context: context, session: session, runID: runID).run()
    for stamp in stamps where stamp.hasChanged { worsen(.incomplete, stamp.reason) }
    return kinds
  }

  /// Worsens the verdict by stale, unusual or truncated input, parked items, breaks and wrong sums. Refreshes the sums of the report.
  private func assess(
    _ decisions: Decisions, _ tallies: [(kind: InputKind, tally: Tally)], on session: Session, worsen: (Verdict, Phrase) -> Void
  ) async throws {
    for reason in decisions.detect.staleInputs { worsen(.incomplete, reason) }
    let rows = tallies.reduce(0) { $0 + Int64($1.tally.input) }
    let bounds = (context.limits.rowsMin, context.limits.rowsMax)
    // History is not used: the freshness check of the input covers it.
    for finding in RunGuards.judgeRows(rows, history: [], bounds: bounds) { worsen(finding.verdict, finding.reason) }
    for truncated in try await TruncatedInput.open(context: context, on: session) { worsen(.incomplete, truncated.phrase) }
    let parked = try await context.rows(RunsSQL.openParked, ["as_of": context.asOfValue], on: session).first ?? 0
    if parked > 0 { worsen(.warnings, ReportJob.parkedReason(Int(parked))) }
    let breaks = decisions.detect.breakVerdict(failAt: context.settings.breaks.failAt)
    if breaks > .clean { worsen(breaks, decisions.detect.summary) }
    if decisions.match != nil, let stale = try await ReportSums(context: context).refresh(on: session) {
      worsen(.warnings, Self.stale("night.self_sums", stale, "night.self_added"))
    }
  }

  /// Writes the night's report to a folder and records its hashes.
  func writeReport(_ verdict: Verdict, _ reasons: [Phrase], of runID: String, to directory: String, on session: Session) async throws {
    let header = ReportHeader(kind: .all, context: context, runID: runID, verdict: verdict, reasons: reasons)
    try await ReportJob(context: context).write(header, formats: context.settings.reportFormats, directory: directory, on: session)
    try await RunLedger(context: context, session: session).recordManifest(directory: directory, runID: runID)
  }

  /// Checks, before the run begins, that no other process reads an input of the night.
  ///
  /// - Throws: `JobError` with status 4 that names the other process.
  private func requireFreeInputs(_ inbox: String?, except reports: String) async throws {
    let contents = (inbox ?? context.settings.inboxFolder).flatMap {
      try? Inbox.contents(directory: $0, except: context.settings.ownFolders + [reports])
    }
    let kinds = Set(context.settings.sources.map(\.kind)).union(contents.map { Set($0.files.keys) } ?? [])
    try await context.withSession { session in
      try await JobLock.take(InputKind.allCases.filter(kinds.contains).map(\.lock), on: session, in: context)
    }
  }

  /// Returns a warning if no inbox was read but the last complete night read one, and the settings name no sources; otherwise nil.
  private func missedInbox(on session: Session) async throws -> String? {
    guard context.settings.sources.isEmpty else { return nil }
    let night = try await context.rows(RunsSQL.inboxNight, ["as_of": context.asOfValue], on: session).first
    return night.map {
      "no inbox was read, as the night of \($0) did: neither --inbox nor inbox.directory names one, and there is no folder"
        + " \"inbox\" in \(Machine.workingFolder); start the night from its folder, or name the inbox"
    }
  }

  /// Reads the databases that the settings name. An unreadable one makes the night incomplete; the others are still read.
  private func pull(runID: String, worsen: (Verdict, Phrase) -> Void) async throws -> Set<InputKind> {
    for source in context.settings.sources {
      do {
        let outcome = try await PullJob(context: context).run(source, runID: runID)
        for refused in outcome.refusedFiles { worsen(.incomplete, refused.reason) }
      } catch let error as JobError where error.status != .lockHeld {
        worsen(.incomplete, .plain(error.message))
      }
    }
    return Set(context.settings.sources.map(\.kind))
  }

  /// Ingests the files of the inbox.
  ///
  /// - Parameter reports: folder of this night's reports, which is never read as input.
  /// - Returns: kinds of the files, and the state of the files when they were read.
  private func ingest(
    folder: String, except reports: String, runID: String, worsen: (Verdict, Phrase) -> Void
  ) async throws -> (kinds: Set<InputKind>, stamps: [FileStamp]) {
    let inbox = try Inbox.contents(directory: folder, except: context.settings.ownFolders + [reports])
    var stamps: [FileStamp] = []
    for refused in inbox.refused { worsen(.incomplete, .plain(refused.description)) }
    for kind in InputKind.allCases {
      guard let paths = inbox.files[kind] else { continue }
      let outcome = try await IngestJob(context: context).run(
        kind: kind, files: paths, format: nil, source: .imported, runID: runID, resumes: true)
      for refused in outcome.refusedFiles { worsen(.incomplete, refused.reason) }
      stamps += outcome.stamps
    }
    return (Set(inbox.files.keys), stamps)
  }
}

extension JobSettings {
  /// The configured folder of input files, or else `inbox` if it exists; nil if there is neither.
  var inboxFolder: String? { inboxDirectory ?? (Inbox.isDirectory("inbox") ? "inbox" : nil) }
}

extension RunLedger {
  /// Returns the row counts of a run, including its earlier attempts but no input of other runs.
  ///
  /// - Parameter kinds: kinds that are returned even without any row.
  func tallies(of runID: String, atLeast kinds: Set<InputKind>) async throws -> [(kind: InputKind, tally: Tally)] {
    var read: [String: Tally] = [:]
    for (kind, input, accepted, repeated, ignored, parked) in try await context.rows(
      RunsSQL.runTallies, ["run_id": .text(runID)], on: session)
    {
      read[kind] = Tally(
        input: Int(input), accepted: Int(accepted), repeated: Int(repeated), ignored: Int(ignored), parked: Int(parked))
    }
    return InputKind.allCases.compactMap { kind in
      guard let tally = read[kind.rawValue] ?? (kinds.contains(kind) ? Tally() : nil) else { return nil }
      return (kind, tally)
    }
  }
}

extension NightlyJob.Outcome {
  /// Counts for the run ledger, as a JSON object with a fixed order of keys.
  var countsJSON: String {
    var fields = tallies.map { kind, tally in
      "\"\(kind.rawValue)\":{\"input\":\(tally.input),\"accepted\":\(tally.accepted),"
        + "\"repeated\":\(tally.repeated),\"ignored\":\(tally.ignored),\"parked\":\(tally.parked)}"
    }
    if let match {
      fields.append("\"matches\":{\"created\":\(match.createdCount),\"closed\":\(match.closedCount)}")
    }
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
