internal import AppStoreServer
internal import Domain
internal import Ingest
internal import Intake
internal import JobCore
internal import Logging
internal import Postgres

/// Downloads the reports of one vendor number.
///
/// No transaction is open during a request. Each answer is stored with its position in one transaction, so a killed run can simply be
/// started again.
struct ReportCollector: Sendable {
  let context: JobContext
  let session: Session
  let account: ReportAccess.Account
  let calendar: [FiscalPeriod]
  let again: Set<String>
  let runID: String

  /// Sum of fault weights at which a run ends.
  private static let faultWeightMax = 10
  /// Weight of a request without an answer after all repetitions; a refusal with an unknown message weighs 1.
  private static let noAnswerWeight = 4

  private var vendor: String { account.settings.vendor }

  private struct Progress {
    var outcome = FinanceOutcome()
    var positions: [ConnectQuery: ReportPosition]
    /// Kinds of reports that are no longer requested in this run.
    var closed: Set<ConnectReport> = []
    var faultWeight = 0
    /// Reports that already have a message.
    var reported: Set<ConnectQuery> = []
  }

  func run(asksMax: Int) async throws -> FinanceOutcome {
    let plan = ReportPlan(
      reports: context.settings.finance.reports.compactMap(ConnectReport.init), vendor: vendor,
      from: account.settings.from.flatMap(CivilDate.init), to: account.settings.to.flatMap(CivilDate.init), calendar: calendar,
      again: again, asOf: context.asOf)
    var progress = Progress(positions: try await ReportPosition.load(vendor: vendor, on: session, sql: context.sql))
    try await recordLapsed(plan, &progress)
    for (query, lastDay) in plan.queries where plan.isDue(query, lastDay: lastDay, progress.positions[query]) {
      guard progress.outcome.askCount < asksMax, progress.faultWeight < Self.faultWeightMax, progress.outcome.alarms.isEmpty else { break }
      guard !progress.closed.contains(query.report) else { continue }
      try await ask(query, lastDay, plan, &progress)
      context.progress.report(stage: "finance \(vendor)", done: progress.outcome.askCount, total: nil)
    }
    progress.outcome.judge(plan, progress.positions, except: progress.reported, asOf: context.asOf)
    return progress.outcome
  }

  private func ask(_ query: ConnectQuery, _ lastDay: CivilDate, _ plan: ReportPlan, _ progress: inout Progress) async throws {
    progress.outcome.askCount += 1
    let answer: ConnectAnswer
    do {
      answer = try await account.client.download(query)
    } catch {
      try Task.checkCancellation()
      progress.reported.insert(query)
      return record(error, query, &progress)
    }
    if answer.outcome == .report { return try await store(answer.body, query, &progress) }
    let said = ReportPosition(plan.outcome(answer.outcome, of: query, lastDay: lastDay), words: answer.words, askedAt: context.asOf)
    try await save(said, query)
    // A stored report stays stored, whatever Apple answers later.
    var kept = said
    kept.contentSHA256 = progress.positions[query]?.contentSHA256
    progress.positions[query] = kept
    switch said.outcome {
    case .noSales: progress.outcome.noSalesCount += 1
    case .notReady: progress.outcome.notReadyCount += 1
    case .forbidden, .wrongVendor: progress.closed.insert(query.report)
    case .report, .outsideRetention, .refused: break
    }
  }

  private func store(_ body: [UInt8], _ query: ConnectQuery, _ progress: inout Progress) async throws {
    let before = progress.positions[query]
    let (askedAt, sql) = (context.asOf, context.sql)
    let position = { @Sendable (record: FinanceDownload.Record) in
      // Refused bytes are no report: they may be a proxy's page, and the report is still missing.
      record.refusal.map { ReportPosition(.refused, words: $0, askedAt: askedAt) }
        ?? ReportPosition(.report, askedAt: askedAt, contentSHA256: record.contentSHA256)
    }
    let name = name(query)
    var stated = FinanceFileName(name)
    stated.vendor = vendor
    let (outcome, record) = try await FinanceDownload(context: context, session: session).store(
      body, name: name + (body.starts(with: [0x1F, 0x8B]) ? ".gz" : ""), stated: stated, asked: (query.report.rawValue, query.period),
      known: before?.contentSHA256, runID: runID
    ) { record, tx in
      try position(record).save(query, &tx, sql: sql)
      guard record.refusal == nil else { return }
      try tx.send(sql(CollectSQL.closeRefused), ["file_name": .text(name), "decided_at": askedAt.sqlValue])
    }
    switch outcome {
    case .truncated(let reason):
      progress.faultWeight += Self.noAnswerWeight
      progress.reported.insert(query)
      progress.outcome.missing.append("\(query): what came is not whole (\(reason)); the next run asks again")
      return
    case .stored(let tally):
      progress.outcome.tally = progress.outcome.tally + tally
      progress.outcome.takenCount += 1
      if before?.contentSHA256 != nil {
        progress.outcome.restatedCount += 1
        context.log.notice("report restated", metadata: ["report": "\(query)"])
      }
    case .unchanged: progress.outcome.takenCount += 1
    case .refused: progress.outcome.tally = progress.outcome.tally + Tally(input: 1, parked: 1)
    }
    progress.positions[query] = record.map(position)
  }

  /// Returns the name of the unpacked file, which identifies the report to the program and to readers.
  private func name(_ query: ConnectQuery) -> String {
    let region = query.report.region.isEmpty ? "" : "_\(query.report.region)"
    return "\(query.report.rawValue)_\(vendor)_\(query.period)\(region).txt"
  }

  /// Records the consequences of a request without an answer.
  private func record(_ fault: APIFault, _ query: ConnectQuery, _ progress: inout Progress) {
    if case .configurationAlarm = fault.retry {
      progress.outcome.alarms.append("\(query): \(fault)")
      return
    }
    progress.outcome.missing.append("\(query): \(fault)")
    switch fault.retry {
    case .retryAt: progress.faultWeight = Self.faultWeightMax
    case .retry: progress.faultWeight += fault.isBudgetUnreachable ? Self.faultWeightMax : Self.noAnswerWeight
    case .final, .otherEnvironment, .configurationAlarm: progress.faultWeight += 1
    }
  }

  /// Marks reports as lost that were never downloaded while Apple had them.
  private func recordLapsed(_ plan: ReportPlan, _ progress: inout Progress) async throws {
    for query in plan.lapsed(progress.positions) {
      let position = ReportPosition(
        .outsideRetention, words: "not got within \(query.report.schedule.retentionDays) days", askedAt: context.asOf)
      try await save(position, query, isAsked: false)
      progress.positions[query] = position
      progress.outcome.lost.append(
        "\(query): Apple keeps it no longer and nobody got it; a copy from elsewhere is read by payrecon ingest finance")
    }
  }

  private func save(_ position: ReportPosition, _ query: ConnectQuery, isAsked: Bool = true) async throws {
    let sql = context.sql
    try await session.retrying { tx in try position.save(query, isAsked: isAsked, &tx, sql: sql) }
  }
}
