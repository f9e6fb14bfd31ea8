internal import AppStoreServer
internal import Cryptography
internal import Domain
internal import JobCore
internal import Logging
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
    decision = ConsumptionDecision(settings: job.context.settings.consumption, bundleIDs: Set(clients.keys))
  }

  private struct Answer: Sendable {
    var request: ConsumptionRequest
    var body: String
    var result: Result

    enum Result: Sendable {
      case sent
      case refused(APIFault)
      case failed(APIFault)
      /// Not sent, because the consent could not be read; with the reason.
      case unread(String)
      /// Not sent, because an obstacle appeared after the decision.
      case unsent
    }
  }

  /// A recorded end of a request.
  private struct End: Sendable {
    var key: ConsumptionRequest.Key
    var outcome: String
    var reason: String
    /// Text of the answer; nil if none was decided.
    var body: String? = nil
  }

  /// The failed attempts of a run by App Store. A failing one is left for the next run and stops no other.
  private struct Failures: Sendable {
    private var counts: [ConsumptionRequest.Service: Int] = [:]

    mutating func add(_ fault: APIFault, of service: ConsumptionRequest.Service) {
      // An App Store that does not know one transaction is not down.
      guard !fault.isNotFoundHere else { return }
      counts[service, default: 0] += fault.endsRun ? ConsumptionSendJob.failuresMax : 1
    }

    func isDown(_ service: ConsumptionRequest.Service) -> Bool { counts[service, default: 0] >= ConsumptionSendJob.failuresMax }
  }

  func run() async throws -> ConsumptionSendJob.Outcome {
    var outcome = ConsumptionSendJob.Outcome()
    var left: Set<ConsumptionRequest.Key> = []
    var failures = Failures()
    while true {
      try Task.checkCancellation()
      let requests = try await open()
      if job.context.settings.consumption.isSending { try await endWithoutAnswer(requests, &outcome) }
      let due = requests.filter {
        !left.contains($0.key) && !failures.isDown($0.key.service) && decision.obstacle($0, at: job.now()) == nil
      }
      guard !due.isEmpty else { break }
      // Customers' money comes before tests.
      let ordered = due.filter { $0.key.environment == .production } + due.filter { $0.key.environment != .production }
      let batch = Array(ordered.prefix(ConsumptionSendJob.answersMax))
      let decided = try await decide(batch, &outcome)
      let answers = await send(decided, &failures)
      try await record(answers, &outcome)
      // An answer that another process decided during this run is left for the next one.
      left.formUnion(batch.map(\.key))
      job.context.progress.report(stage: "consumption", done: outcome.sentCount, total: nil)
    }
    try await count(&outcome)
    return outcome
  }

  /// Reads the open requests as known now, so that a consent withdrawn during the run counts.
  private func open() async throws -> [ConsumptionRequest] {
    try await session.transaction(.readOnlySnapshot) { tx in try ConsumptionRequest.all(in: job.context, isSending: true, &tx) }
  }

  private func count(_ outcome: inout ConsumptionSendJob.Outcome) async throws {
    let now = job.now()
    let open = try await open().filter { $0.end == nil && $0.dueAt > now }
    outcome.openCount = open.count
    let urgentTo = now.advanced(bySeconds: ConsumptionSettings.urgentSeconds)
    outcome.urgentCount = open.count { $0.key.environment == .production && $0.dueAt <= urgentTo }
    let waiting = open.filter { job.context.settings.consumption.isSending && decision.obstacle($0, at: now) == .noKey }
    for (app, requests) in Dictionary(grouping: waiting, by: \.key.bundleID).sorted(by: { $0.key < $1.key }) {
      outcome.unfinished.append(
        "consumption \(app): \(requests.count) requests are not answered, because the app has no \(StoreAccess.Means.key.rawValue)")
    }
    let reported = Set(waiting.map(\.key.bundleID))
    outcome.unasked = job.access.unasked(of: job.context.settings.apps.filter { !reported.contains($0.bundleID) }, by: [.key])
  }

  // MARK: Before the attempts

  /// Records the answers that are not recorded yet, and returns those that may be sent.
  private func decide(
    _ requests: [ConsumptionRequest], _ outcome: inout ConsumptionSendJob.Outcome
  ) async throws -> [(request: ConsumptionRequest, body: String)] {
    let statement = try job.context.sql(ConsumptionSQL.recordAnswer)
    var planned: [(request: ConsumptionRequest, order: ConsumptionRequest.Order, body: String)] = []
    var ends: [End] = []
    for request in requests {
      guard let order = request.order else { continue }
      let answer = decision.answer(request, order)
      if request.decidedBody == nil, let refusal = answer.refusal {
        ends.append(End(key: request.key, outcome: "refused", reason: "not sent, because Apple refuses such an answer: \(refusal)"))
      } else {
        planned.append((request, order, request.decidedBody ?? String(decoding: answer.body, as: UTF8.self)))
      }
    }
    outcome.refusedCount += ends.count
    try await record(ends)
    return try await session.retrying { [planned] tx in
      try planned.compactMap { request, order, body in
        if request.decidedBody != nil { return (request, body) }
        let isRecorded =
          try tx.run(
            statement,
            parameters(request.key).merging([
              "charge_id": .text(request.chargeID), "order_id": .text(order.id), "body": .text(body),
              "body_sha256": .text(SHA256.hex(Array(body.utf8))), "due_at": request.dueAt.sqlValue,
            ]) { $1 }) == 1
        return isRecorded ? (request, body) : nil
      }
    }
  }

  // MARK: Attempts

  /// Sends several answers, a few concurrently.
  private func send(_ decided: [(request: ConsumptionRequest, body: String)], _ failures: inout Failures) async -> [Answer] {
    await withTaskGroup(of: Answer.self) { group in
      var answers: [Answer] = []
      var rest = decided[...]
      for (request, body) in rest.prefix(StoreAccess.connections) { group.addTask { await self.send(request, body) } }
      rest = rest.dropFirst(StoreAccess.connections)
      while let answer = await group.next() {
        answers.append(answer)
        if case .failed(let fault) = answer.result { failures.add(fault, of: answer.request.key.service) }
        rest = rest.drop { failures.isDown($0.request.key.service) }
        if let (request, body) = rest.popFirst() { group.addTask { await self.send(request, body) } }
      }
      return answers
    }
  }

  /// Sends an answer. The consent is read again directly before the call.
  private func send(_ request: ConsumptionRequest, _ body: String) async -> Answer {
    var answer = Answer(request: request, body: body, result: .unsent)
    guard let client = clients[request.key.bundleID] else { return answer }
    do {
      guard let newest = try await reread(request), decision.obstacle(newest, at: job.now()) == nil else { return answer }
    } catch {
      answer.result = .unread("\(error)")
      return answer
    }
    do throws(APIFault) {
      try await client.sendConsumption(body: Array(body.utf8), for: request.key.transactionID, in: request.key.environment)
      answer.result = .sent
    } catch {
      answer.result = error.refusesAnswer ? .refused(error) : .failed(error)
    }
    return answer
  }

  private func reread(_ request: ConsumptionRequest) async throws -> ConsumptionRequest? {
    try await session.transaction(.readOnlySnapshot) { tx in try request.reread(in: job.context, &tx) }
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
        outcome.leave("consumption \(answer.request.key.bundleID): \(fault)")
        continue
      case .unread(let reason):
        outcome.leave("consumption \(answer.request.key.bundleID): could not read the consent again, \(reason)")
        continue
      case .unsent: continue
      }
      ends.append(end)
    }
    try await record(ends)
  }

  /// Records the ends of requests that get no answer: their time is over, or Apple refunded the purchase.
  private func endWithoutAnswer(_ requests: [ConsumptionRequest], _ outcome: inout ConsumptionSendJob.Outcome) async throws {
    let now = job.now()
    let ends = requests.filter { $0.end == nil }.compactMap { request -> End? in
      let isOver = request.dueAt <= now
      // An answer that Apple may have received ends with Apple's time.
      if let body = request.decidedBody {
        let reason = "an answer was decided, and no run recorded Apple's confirmation in time"
        return isOver ? End(key: request.key, outcome: "unconfirmed", reason: reason, body: body) : nil
      }
      let obstacle = decision.obstacle(request)
      if obstacle == .refunded { return End(key: request.key, outcome: "refunded", reason: ConsumptionObstacle.refunded.text) }
      guard isOver else { return nil }
      return End(
        key: request.key, outcome: obstacle?.isAboutConsent == true ? "no_consent" : "expired",
        reason: obstacle?.text ?? "no run could send the answer in time")
    }
    for end in ends { outcome.ended[end.outcome, default: 0] += 1 }
    try await record(ends)
  }

  /// Records ends, each with its entry in the audit chain.
  private func record(_ ends: [End]) async throws {
    guard !ends.isEmpty else { return }
    for end in ends where end.outcome == "refused" {
      job.context.log.warning(
        "a consumption request stays without an answer",
        metadata: ["bundle_id": "\(end.key.bundleID)", "transaction_id": "\(end.key.transactionID)", "reason": "\(end.reason)"])
    }
    let statement = try job.context.sql(ConsumptionSQL.end)
    try await session.retrying { tx in
      var recorded: [End] = []
      for end in ends {
        let values: [String: Value] = ["outcome": .text(end.outcome), "reason": .text(end.reason)]
        let isNew = try tx.run(statement, parameters(end.key).merging(values) { $1 }) == 1
        if isNew { recorded.append(end) }
      }
      for end in recorded { try tx.audit(entry(end), in: job.context) }
    }
  }

  private func entry(_ end: End) -> AuditEntry {
    AuditEntry(
      actor: "consumption-send", act: .consumptionEnded, subject: end.key.transactionID,
      details: [
        .text("bundle_id", end.key.bundleID), .text("environment", end.key.environment.appStoreEnvironment.rawValue),
        .text("requested_at", end.key.requestedAt.rfc3339), .text("outcome", end.outcome), .text("run", runID),
      ] + (end.body.map { [.text("body_sha256", SHA256.hex(Array($0.utf8)))] } ?? []))
  }

  private func parameters(_ key: ConsumptionRequest.Key) -> [String: Value] {
    key.parameters.merging(["run_id": .text(runID), "as_of": job.context.asOfValue]) { $1 }
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
}
