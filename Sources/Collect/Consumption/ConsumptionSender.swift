internal import AppStoreServer
internal import Cryptography
internal import Domain
internal import JobCore
internal import Postgres

/// One run of the answers to Apple's requests for consumption information.
struct ConsumptionSender: Sendable {
  let job: ConsumptionSendJob
  let session: Session
  let runID: String
  private let decision: ConsumptionDecision
  private let clients: [String: AppStoreServerClient]

  init(job: ConsumptionSendJob, session: Session, runID: String) {
    self.job = job
    self.session = session
    self.runID = runID
    clients = Dictionary(job.access.apps.map { ($0.settings.bundleID, $0.client) }) { first, _ in first }
    decision = ConsumptionDecision(job.context.settings.consumption, bundleIDs: Set(clients.keys))
  }

  private struct Answer: Sendable {
    var request: ConsumptionRequest
    var body: String
    var result: Result

    enum Result: Sendable {
      case sent
      case refused(APIFault)
      case failed(APIFault)
      /// Not sent, because the service is down or the time is over.
      case unsent
    }
  }

  /// A recorded end of a request.
  private struct End: Sendable {
    var key: ConsumptionRequest.Key
    var outcome: String
    var reason: String
    /// Text of the answer; nil if none was decided.
    var body: String?
  }

  func run() async throws -> ConsumptionSendJob.Outcome {
    var outcome = ConsumptionSendJob.Outcome()
    var left: Set<ConsumptionRequest.Key> = []
    var failures = 0
    while failures < ConsumptionSendJob.failuresMax {
      let requests = try await open()
      if job.context.settings.consumption.isSending { try await endOverdue(requests, &outcome) }
      let due = requests.filter { !left.contains($0.key) && decision.obstacle($0, at: job.now()) == nil }
      guard !due.isEmpty else { break }
      let batch = Array(due.prefix(ConsumptionSendJob.answersMax))
      let decided = try await decide(batch)
      let answers = await send(decided, failuresMax: ConsumptionSendJob.failuresMax - failures)
      try await record(answers, &outcome)
      // An answer that another process decided during this run is left for the next one.
      left.formUnion(batch.map(\.key))
      failures += answers.count { if case .failed = $0.result { true } else { false } }
      job.context.progress.report(stage: "consumption", done: outcome.sentCount, total: nil)
      for case .failed(let fault) in answers.map(\.result) { try fault.throwIfAlarming() }
    }
    try await count(&outcome)
    outcome.unasked = job.access.unasked(of: job.context.settings.apps, by: [.key])
    return outcome
  }

  /// Reads the open requests as known now, so that a consent withdrawn during the run counts.
  private func open() async throws -> [ConsumptionRequest] {
    let context = job.context
    return try await session.transaction(.readOnlySnapshot) { tx in try ConsumptionRequest.all(in: context, &tx) }
  }

  private func count(_ outcome: inout ConsumptionSendJob.Outcome) async throws {
    let now = job.now()
    let open = try await open().filter { $0.end == nil && $0.dueAt > now }
    outcome.openCount = open.count
    let urgentTo = now.advanced(bySeconds: ConsumptionSettings.urgentSeconds)
    outcome.urgentCount = open.count { $0.key.environment == .production && $0.dueAt <= urgentTo }
  }

  // MARK: Before the attempts

  /// Records the answers that are not recorded yet, and returns those that may be sent.
  private func decide(_ requests: [ConsumptionRequest]) async throws -> [(request: ConsumptionRequest, body: String)] {
    let context = job.context
    let statement = try context.sql(ConsumptionSQL.intend)
    let runID = runID
    let planned = requests.map { ($0, $0.decidedBody ?? body($0)) }
    return try await session.retrying { tx in
      try planned.compactMap { request, body in
        guard let body, let order = request.order else { return nil }
        if request.decidedBody != nil { return (request, body) }
        let isRecorded = try tx.run(
          statement,
          Self.parameters(request.key, runID, context).merging([
            "charge_id": .text(request.chargeID), "order_id": .text(order.id), "body": .text(body),
            "body_sha256": .text(SHA256.hex(Array(body.utf8))),
            "due_at": .timestamptz(microseconds: request.dueAt.microseconds),
          ]) { $1 }) == 1
        return isRecorded ? (request, body) : nil
      }
    }
  }

  /// Returns the text of an answer; nil if Apple would refuse it.
  private func body(_ request: ConsumptionRequest) -> String? {
    guard let order = request.order else { return nil }
    let answer = decision.answer(request, order)
    return answer.refusal == nil ? String(decoding: answer.body, as: UTF8.self) : nil
  }

  // MARK: Attempts

  /// Sends several answers, a few concurrently.
  private func send(_ decided: [(request: ConsumptionRequest, body: String)], failuresMax: Int) async -> [Answer] {
    await withTaskGroup(of: Answer.self) { group in
      var answers: [Answer] = []
      var failures = 0
      var rest = decided[...]
      for (request, body) in rest.prefix(StoreAccess.lanes) { group.addTask { await self.send(request, body) } }
      rest = rest.dropFirst(StoreAccess.lanes)
      while let answer = await group.next() {
        answers.append(answer)
        if case .failed(let fault) = answer.result { failures += fault.endsAnswers ? failuresMax : 1 }
        guard failures < failuresMax else { continue }
        if let (request, body) = rest.popFirst() { group.addTask { await self.send(request, body) } }
      }
      return answers + rest.map { Answer(request: $0.request, body: $0.body, result: .unsent) }
    }
  }

  private func send(_ request: ConsumptionRequest, _ body: String) async -> Answer {
    var answer = Answer(request: request, body: body, result: .unsent)
    guard decision.obstacle(request, at: job.now()) == nil, let client = clients[request.key.bundleID] else { return answer }
    do throws(APIFault) {
      _ = try await client.sendConsumption(body: Array(body.utf8), for: request.key.transactionID, in: request.key.environment)
      answer.result = .sent
    } catch {
      answer.result = error.refusesAnswer ? .refused(error) : .failed(error)
    }
    return answer
  }

  // MARK: After the attempts

  private func record(_ answers: [Answer], _ outcome: inout ConsumptionSendJob.Outcome) async throws {
    var ends: [End] = []
    for answer in answers {
      var end = End(key: answer.request.key, outcome: "sent", reason: "", body: answer.body)
      switch answer.result {
      case .sent: outcome.sentCount += 1
      case .refused(let fault):
        outcome.refusedCount += 1
        end.outcome = "refused"
        end.reason = fault.description
      case .failed(let fault):
        let line = "consumption \(answer.request.key.bundleID): \(fault)"
        if !outcome.unfinished.contains(line) { outcome.unfinished.append(line) }
        continue
      case .unsent: continue
      }
      ends.append(end)
    }
    try await record(ends)
  }

  /// Records the requests whose time is over without a recorded answer.
  private func endOverdue(_ requests: [ConsumptionRequest], _ outcome: inout ConsumptionSendJob.Outcome) async throws {
    let now = job.now()
    let ends = requests.filter { $0.end == nil && $0.dueAt <= now }.map { request in
      let obstacle = decision.obstacle(request)
      var end = End(key: request.key, outcome: "expired", reason: obstacle?.text ?? "no run could send the answer in time", body: nil)
      if let body = request.decidedBody {
        end.outcome = "unconfirmed"
        end.reason = "an answer was decided, and no run recorded Apple's confirmation in time"
        end.body = body
      } else if obstacle?.isAboutConsent == true {
        end.outcome = "no_consent"
      }
      return end
    }
    for end in ends { outcome.ended[end.outcome, default: 0] += 1 }
    try await record(ends)
  }

  /// Records ends, each with its entry in the audit chain.
  private func record(_ ends: [End]) async throws {
    guard !ends.isEmpty else { return }
    let (context, runID) = (job.context, runID)
    let statement = try context.sql(ConsumptionSQL.end)
    try await session.retrying { tx in
      var recorded: [End] = []
      for end in ends {
        let values: [String: Value] = ["outcome": .text(end.outcome), "reason": .text(end.reason)]
        let isNew = try tx.run(statement, Self.parameters(end.key, runID, context).merging(values) { $1 }) == 1
        if isNew { recorded.append(end) }
      }
      for end in recorded { try tx.audit(Self.entry(end, runID), in: context) }
    }
  }

  private static func entry(_ end: End, _ runID: String) -> AuditEntry {
    AuditEntry(
      actor: "consumption-send", act: .consumptionEnded, subject: end.key.transactionID,
      details: [
        .text("bundle_id", end.key.bundleID), .text("environment", end.key.environment.appStoreEnvironment.rawValue),
        .text("requested_at", end.key.requestedAt.rfc3339), .text("outcome", end.outcome), .text("run", runID),
      ] + (end.body.map { [.text("body_sha256", SHA256.hex(Array($0.utf8)))] } ?? []))
  }

  private static func parameters(_ key: ConsumptionRequest.Key, _ runID: String, _ context: JobContext) -> [String: Value] {
    [
      "transaction_id": .text(key.transactionID), "bundle_id": .text(key.bundleID),
      "environment": .text(key.environment.appStoreEnvironment.rawValue),
      "requested_at": .timestamptz(microseconds: key.requestedAt.microseconds), "run_id": .text(runID), "as_of": context.asOfValue,
    ]
  }
}

extension APIFault {
  /// Whether Apple read this answer and will never accept it.
  ///
  /// An unknown transaction is none: Apple can lose an id for a time. A refusal without Apple's code may be a proxy's.
  fileprivate var refusesAnswer: Bool {
    guard retry == .final else { return false }
    switch cause {
    case .code, .unrecognizedCode: return status == 400 || status == 403 || status == 404
    case .refusedArgument: return true
    default: return false
    }
  }

  /// Whether the next answer would fail in the same way: no budget, or settings that Apple refuses.
  fileprivate var endsAnswers: Bool {
    if case .configurationAlarm = retry { return true }
    return cause == .budgetSpent || cause == .cancelled || isBudgetUnreachable
  }
}
