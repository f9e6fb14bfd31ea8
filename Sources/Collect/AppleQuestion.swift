internal import AppStore
internal import AppStoreServer
internal import Domain
public import JobCore
internal import Wording

/// Queries Apple about one id on request, and stores the answer as evidence. The next match decides which charge it belongs to.
public struct AppleQuestion: Sendable {
  let context: JobContext
  let access: StoreAccess

  public init(context: JobContext, access: StoreAccess) {
    self.context = context
    self.access = access
  }

  /// Whether at least one app has API credentials.
  public var canAsk: Bool { !access.apps.isEmpty }

  /// Queries the id in every app.
  ///
  /// - Parameter id: a transaction id, or the order id on a customer's invoice from Apple.
  /// - Returns: the transaction ids in the answers; empty when Apple knows none.
  /// - Throws: `JobError` when Apple does not answer for an app, and no other app's answer contains the id.
  public func ask(_ id: String) async throws -> [String] {
    var texts: [[UInt8]] = []
    let errors = try await context.eachApp(access.apps, bundleID: \.settings.bundleID) { app in
      do throws(APIFault) {
        // Transaction ids consist of digits; the order id on an invoice begins with a letter.
        if id.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
          if let found = try await app.client.findTransaction(id) { texts.append(Array(found.signedTransaction.text.utf8)) }
        } else {
          let answer = try await app.client.lookUpOrder(id)
          if answer.isFound == true { texts += answer.signedTransactions.map { Array($0.text.utf8) } }
        }
      } catch {
        try error.throwIfAlarming(in: "payrecon lookup")
        guard error.isAboutTheID else { throw Self.unanswered(id, error) }
      }
    }
    if texts.isEmpty { try access.throwFirstError(errors) }
    guard !texts.isEmpty else { return [] }
    let reader = try await EvidenceSink.keepAnswer(texts, name: "lookup", context: context)
    return texts.flatMap { reader.read($0) }.compactMap { $0.verdict == .genuine ? $0.transaction?.transactionID : nil }
  }

  /// Returns the error for a failed query. A final refusal stays the same at every repetition.
  private static func unanswered(_ id: String, _ fault: APIFault) -> JobError {
    let isFinal = fault.retry == .final
    return JobError(
      Phrase("refusal.ask", ["id": .plain(id), "why": fault.phrase]),
      hint: isFinal ? "Asking again gives the same answer: mend what it names first." : "Try again later.",
      status: isFinal ? .error : .temporary)
  }
}
