extension Scenario {
  func cases(asOf: String) throws -> CaseJob { CaseJob(context: try context(asOf: asOf)) }

  func caseID(of user: String, asOf: String) async throws -> String {
    try #require(try await rows(.cases, asOf: asOf).first { $0["user_id"] == user }?["case_id"], "\(user)")
  }

  func decision(
    _ action: CaseAction, _ order: String, _ transaction: String, outcome: CaseOutcome = .confirmed, reason: String, asOf: String
  ) async throws -> CaseDecision {
    var decision = CaseDecision(action: action, outcome: outcome, reason: reason)
    decision.orderID = order
    decision.chargeID = try await chargeID(of: transaction, asOf: asOf)
    return decision
  }

  func chargeID(of transaction: String, asOf: String) async throws -> String? {
    try await rows(.charges, asOf: asOf).first { $0["transaction_ids"] == transaction }?["charge_id"]
  }

  /// Separates an order from the charge of a transaction, by two people.
  func unmatch(_ order: String, from transaction: String, at: String) async throws {
    let decision = try await decision(.unmatch, order, transaction, reason: "another customer's", asOf: at)
    let id = try await cases(asOf: at).propose(decision, by: .ann)
    let bob = try await login("bob").cases(asOf: instant(at).advanced(bySeconds: 3600).rfc3339)
    try await bob.conclude(id, .approved, by: .bob, reason: "seen")
  }
}

extension Person {
  static let ann = Person(name: "ann")
  static let bob = Person(name: "bob")
}

extension CaseJob {
  @discardableResult
  func take(_ id: String, deciding decision: CaseDecision, by person: Person = Person()) async throws -> Decided {
    _ = try await take(id, by: person, leaseSeconds: 3600)
    return try await decide(id, decision, by: person)
  }
}

/// Returns the message of the error that refuses an act.
func refusal(of act: () async throws -> Void) async -> String {
  do { try await act() } catch let error as JobError { return error.message } catch { return "\(error)" }
  return "nothing was refused"
}
