internal import Domain
internal import JobCore
internal import Postgres

extension CaseJob {
  /// What became of a decision about a case.
  public struct Decided: Sendable {
    public var needsSecondPerson: Bool
    /// What came in, or changed, after the person took the case or last looked at it: the decision is not about that.
    public var late: [Break]

    /// A break of the case.
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

  /// Notes what of a case its holder sees now; nothing for a case that the account does not have.
  ///
  /// - Parameter items: the breaks and signals that are shown; nil for all of the case.
  public func see(_ caseID: String, items: [String]? = nil) async throws {
    try await context.withSession(as: .review) { session in try await see(caseID, items: items, on: session) }
  }

  func see(_ caseID: String, items: [String]? = nil, on session: Session) async throws {
    let context = context
    let statement = try context.sql(QueueSQL.sees)
    let parameters: [String: Value] = ["case_id": .text(caseID), "as_of": context.asOfValue]
    guard try await session.transaction(.readOnlySnapshot, { tx in try tx.rows(statement, parameters) }) == [true] else { return }
    try await session.retrying { tx in try Self.see(caseID, items: items, context, &tx) }
  }

  static func see(
    _ caseID: String, items: [String]? = nil, _ context: JobContext, _ tx: inout DatabaseTransaction
  ) throws {
    let parameters: [String: Value] = [
      "case_id": .text(caseID), "as_of": context.asOfValue,
      "item_ids": try items.map(Value.textArray) ?? Self.items(of: [caseID], context, &tx),
    ]
    _ = try tx.run(context.sql(QueueSQL.see), parameters)
  }
}
