internal import AppStoreServer
public import JobCore
internal import Postgres
internal import Wording

/// Queries Apple about transactions before a decision against their holder. A reviewer waits for the answer, which is stored as evidence.
public struct TransactionStateSource: AppleStateSource {
  let context: JobContext
  /// Called only when a request is necessary, because it reads keys.
  let access: @Sendable (JobContext) throws -> StoreAccess

  /// Maximum time that a reviewer waits.
  static let patience = Duration.seconds(10)
  static let inFlightMax = 8

  public init(context: JobContext, access: @escaping @Sendable (JobContext) throws -> StoreAccess) {
    self.context = context
    self.access = access
  }

  private struct Request: Sendable {
    var question: AppleStateQuery
    var client: AppStoreServerClient
  }

  /// An answer, or nil when the time was up before it.
  private typealias Answer = (question: AppleStateQuery, found: TransactionSearch)?

  public func ask(_ questions: [AppleStateQuery]) async -> AppleStateResult {
    var result = AppleStateResult()
    do {
      let access = try access(context)
      try access.throwFirstError()
      let clients = access.apps.reduce(into: [:]) { $0[$1.client.bundleID] = $1.client }
      let requests = questions.compactMap { question in clients[question.bundleID].map { Request(question: question, client: $0) } }
      let answers = await Self.answers(requests)
      if let fault = answers.compactMap({ $0?.found.fault }).last { result.missingReason = fault.phrase }
      if answers.contains(where: { $0 == nil }) {
        result.missingReason = Phrase("refusal.no_answer_within", ["seconds": .plain("\(Self.patience.components.seconds)")])
      }
      let signed = answers.compactMap { if case .signed(let text)? = $0?.found { text } else { nil } }
      let unknown = answers.compactMap { if case (let question, .unknown)? = $0 { question } else { nil } }
      _ = try await EvidenceSink.keepAnswer(signed, name: "asked again", context: context) { [context] tx, _ in
        for question in unknown where !question.isKnown {
          try tx.recordMiss(of: question.transactionID, bundleID: question.bundleID, in: context)
        }
      }
      result.askedCount = signed.count + unknown.count
      result.unknownIDs = unknown.map(\.transactionID).sorted()
    } catch let failure as PostgresError where failure.isAboutPermission {
      result.missingReason = "refusal.may_not_store"
    } catch {
      result.missingReason = (error as? JobError)?.phrase ?? .plain("\(error)")
    }
    return result
  }

  private static func answers(_ requests: [Request]) async -> [Answer] {
    guard !requests.isEmpty else { return [] }
    return await withTaskGroup(of: Answer.self) { group in
      var (answers, rest): ([Answer], ArraySlice<Request>) = ([], requests[...])
      group.addTask {
        try? await Task.sleep(for: patience)
        return nil
      }
      func ask(_ request: Request) {
        group.addTask { (request.question, await TransactionSearch(request.question.transactionID, request.client)) }
      }
      for request in rest.prefix(inFlightMax) { ask(request) }
      rest = rest.dropFirst(inFlightMax)
      while answers.count < requests.count, let answer = await group.next() {
        answers.append(answer)
        // After one failure no further request is sent, because a reviewer waits.
        guard let answer, answer.found.fault == nil else { break }
        if let request = rest.popFirst() { ask(request) }
      }
      group.cancelAll()
      return answers
    }
  }
}
