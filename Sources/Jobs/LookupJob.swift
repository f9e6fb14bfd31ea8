public import Collect
public import JobCore
internal import Matching

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
    } catch let error as JobError where error.isNotFound {
      let question = AppleQuestion(context: context, access: try access())
      guard question.canAsk else { throw error.adding("Apple was not asked: no app of the settings has an API key") }
      let found = try await question.ask(id)
      guard !found.isEmpty else { throw error.adding("Apple was asked, and does not know it either") }
      var lines = ["Apple knows \(id):"]
      for transactionID in found { lines.append(try await ExplainJob(context: context).explain(transactionID)) }
      return lines.joined(separator: "\n")
    }
  }
}
