internal import AppStore
internal import AppStoreServer
internal import Domain
public import JobCore

/// Asks Apple about one id that somebody has in hand, and stores what comes as evidence like everything else; which charge it
/// belongs to is decided by the next match.
public struct AppleQuestion: Sendable {
  let context: JobContext
  let access: StoreAccess

  public init(context: JobContext, access: StoreAccess) {
    self.context = context
    self.access = access
  }

  /// Whether there is an app that may be asked about.
  public var canAsk: Bool { !access.apps.isEmpty }

  /// Asks about the id in every app.
  ///
  /// - Parameter id: a transaction, or the order id on a customer's invoice from Apple.
  /// - Returns: the transactions that the answers name; none where Apple knows nothing of it.
  /// - Throws: `JobError` when Apple does not answer.
  public func ask(_ id: String) async throws -> [String] {
    var texts: [[UInt8]] = []
    for app in access.apps {
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
        guard error.isAboutTheID else {
          throw Self.unanswered(id, error)
        }
      }
    }
    return try await store(texts)
  }

  /// What is refused for good is refused again, whenever it is asked.
  private static func unanswered(_ id: String, _ fault: APIFault) -> JobError {
    let isFinal = fault.retry == .final
    return JobError(
      "could not ask Apple about \"\(id)\": \(fault)",
      hint: isFinal ? "Asking again gives the same answer: mend what it names first." : "Try again later.",
      status: isFinal ? .error : .temporary)
  }

  private func store(_ texts: [[UInt8]]) async throws -> [String] {
    guard !texts.isEmpty else { return [] }
    let reader = try await EvidenceSink.keepAnswer(texts, name: "lookup", context: context)
    return texts.flatMap { reader.read($0) }.compactMap { $0.verdict == .genuine ? $0.transaction?.transactionID : nil }
  }
}
