import Domain
import JobCore
import Ladder
import Matching
import Postgres

extension Scenario {
  /// Lines in which the recorded decisions and the ladder's differ; sorted, none if they agree.
  public func ladderDifferences(asOf: String) async throws -> [String] {
    let context = try context(asOf: asOf)
    let (decided, recorded) = try await context.withSession(as: .report) { session in
      try await session.transaction(.snapshot) { tx in
        try tx.showEverything(files: context.sql)
        let facts = try ComponentReader.read(&tx, sql: context.sql, testers: context.settings.apps.flatMap(\.testers))
        let decision = Ladder.decide(facts.component, LadderSettings(context.settings))
        return (facts.lines(decision), try tx.rows(context.sql(LadderSQL.recorded)))
      }
    }
    let missing = Set(recorded).subtracting(decided).map { "not decided: \($0)" }
    let extra = Set(decided).subtracting(recorded).map { "not recorded: \($0)" }
    return (missing + extra).sorted()
  }
}

extension ComponentFacts {
  /// The decision in the form of sql/ladder/recorded.sql.
  func lines(_ decision: Decision) -> [String] {
    let matches = decision.matches.map { "match \(orderIDs[$0.order]) \(chargeIDs[$0.charge]) \($0.rung.code)" }
    let refusals = decision.refusals.map { refusal in
      let charge = refusal.charge.map { chargeIDs[$0] } ?? "-"
      let evidence = refusal.evidence.map { hashes[Int($0)] } ?? "-"
      let holder = refusal.holder.map { orderIDs[$0] } ?? "-"
      return "refused \(orderIDs[refusal.order]) \(refusal.reason.rawValue) \(refusal.rung.code) \(charge) \(evidence) \(holder)"
        + (refusal.isExplicit ? " explicit" : "")
    }
    let seconds = decision.secondCharges.map { "second \(chargeIDs[$0.charge]) \(orderIDs[$0.order])" }
    return matches + refusals + seconds + decision.ambiguities.map { line($0) }
  }

  private func line(_ ambiguity: Ambiguity) -> String {
    let charge = component.charges[ambiguity.charge]
    let seconds = (Double(ambiguity.delay) / 1_000_000).rounded(.toNearestOrAwayFromZero)
    return "ambiguous \(chargeIDs[ambiguity.charge]) \(orderIDs[ambiguity.order]) \(ambiguity.rank) user by \(ambiguity.tie); "
      + "product \(productIDs[Int(charge.productKey.product)]); quantity \(charge.quantity); purchased \(Int(seconds)) s after the order"
  }
}
