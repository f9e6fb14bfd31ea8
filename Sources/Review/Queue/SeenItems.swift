internal import JobCore
internal import Postgres

extension CaseJob {
  /// The outcome of a decision on a case.
  public struct Decided: Sendable {
    public var needsSecondPerson: Bool
    /// Breaks that appeared or changed after the reviewer took or last viewed the case. The decision does not cover them.
    public var late: [Break]

    public struct Break: Sendable, Equatable {
      public var breakClass: String
      public var id: String

      static func list(_ text: String) -> [Self] {
        text.split(separator: ",").map { item in
          let words = item.split(separator: " ").map(String.init)
          return Self(breakClass: words.first ?? "", id: words.last ?? "")
        }
      }
    }
  }

  /// Records the items that the holder of a case sees. Does nothing if the account does not have the case.
  ///
  /// - Parameter items: breaks and signals shown; nil for all of the case.
  public func recordSeen(_ caseID: String, items: [String]? = nil) async throws {
    try await context.withSession(as: .review) { session in try await recordSeen(caseID, items: items, on: session) }
  }

  func recordSeen(_ caseID: String, items: [String]? = nil, on session: Session) async throws {
    let context = context
    let statement = try context.sql(QueueSQL.hasLease)
    let parameters: [String: Value] = ["case_id": .text(caseID), "as_of": context.asOfValue]
    guard try await session.transaction(.singleStatement, { tx in try tx.rows(statement, parameters) }) == [true] else { return }
    try await session.retrying { tx in try Self.recordSeen(caseID, items: items, context, &tx) }
  }

  static func recordSeen(_ caseID: String, items: [String]? = nil, _ context: JobContext, _ tx: inout DatabaseTransaction) throws {
    let parameters: [String: Value] = [
      "case_id": .text(caseID), "as_of": context.asOfValue,
      "item_ids": try items.map(Value.textArray) ?? Self.items(of: [caseID], context, &tx),
    ]
    try tx.send(context.sql(QueueSQL.recordSeen), parameters)
  }
}
