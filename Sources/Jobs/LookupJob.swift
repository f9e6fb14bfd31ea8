internal import AppStore
internal import AppStoreServer
public import Collect
internal import Domain
public import JobCore
internal import Matching
internal import Postgres

/// Answers support's question about an id: from what is known, else by asking Apple.
public struct LookupJob: Sendable {
  let context: JobContext
  /// Reads the keys; only what nobody knows needs them.
  let access: @Sendable () throws -> StoreAccess

  public init(context: JobContext, access: @autoclosure @escaping @Sendable () throws -> StoreAccess) {
    self.context = context
    self.access = access
  }

  /// Everything known about an order, a transaction, a charge, a break, a user, a token, a device, or the order id on a
  /// customer's invoice from Apple; of the first ones the beginning of the id is enough.
  ///
  /// What Apple tells is stored as evidence like everything else; which charge it belongs to is decided by the next
  /// match.
  /// - Throws: `JobError` when neither the database nor Apple knows the id, or when it begins several.
  public func run(_ text: String) async throws -> String {
    let typed = String(text.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    let id = try await IDResolver(context: context).whole(typed, among: IDKind.explained)
    do {
      return try await ExplainJob(context: context).explain(id)
    } catch let error as JobError {
      let apps = try access().apps
      guard !apps.isEmpty else { throw error }
      let found = try await ask(id, apps)
      guard !found.isEmpty else { throw error }
      var lines = ["Apple knows \(id):"]
      for transactionID in found { lines.append(try await ExplainJob(context: context).explain(transactionID)) }
      return lines.joined(separator: "\n")
    }
  }

  /// Asks about the id in every app, and stores what comes.
  ///
  /// - Returns: the transactions that the answers name.
  private func ask(_ id: String, _ apps: [StoreAccess.App]) async throws -> [String] {
    var texts: [[UInt8]] = []
    for app in apps {
      do {
        // Transaction ids are digits; the order id on an invoice begins with a letter.
        if id.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
          if case .found(let answer) = try await app.client.findTransaction(id) {
            texts.append(Array(answer.content.signedTransaction.text.utf8))
          }
        } else {
          let answer = try await app.client.lookUpOrder(id)
          if answer.content.isFound == true {
            texts += answer.content.signedTransactions.map { Array($0.text.utf8) }
          }
        }
      } catch {
        try error.throwIfAlarming()
        guard error.retry == .final || error.isNotFoundHere else {
          throw JobError("could not ask Apple about \"\(id)\": \(error)", hint: "Try again later.", status: .temporary)
        }
      }
    }
    return try await store(texts, for: id)
  }

  private func store(_ texts: [[UInt8]], for id: String) async throws -> [String] {
    guard !texts.isEmpty else { return [] }
    let sink = try await context.withSession { session in
      try await JobLock.apple.take(on: session, in: context)
      let sink = try EvidenceSink(context: context, session: session)
      try await sink.prepare()
      let batchID = try await sink.openBatch("lookup", runID: context.runID(job: "lookup"))
      _ = try await sink.store(texts, name: "lookup", batchID: batchID, isLast: true) { _, _ in }
      return sink
    }
    return texts.flatMap { sink.reader.read($0) }.compactMap { $0.verdict == .genuine ? $0.transaction?.transactionID : nil }
  }
}
