package import Ladder
internal import Postgres

/// Writes what the ladder decided into the working tables of sql/match/work_tables.sql.
struct DecisionWriter {
  let facts: ComponentFacts

  func write(_ decision: Decision, _ tx: inout DatabaseTransaction) throws {
    try writeMatches(decision.matches, &tx)
    try writeRefusals(decision.refusals, &tx)
    try writeSecondCharges(decision.secondCharges, &tx)
    try writeAmbiguities(decision.ambiguities, &tx)
    try tx.execute("analyze match_decided, match_refused, match_second, match_ambiguous")
  }

  private func original(ofCharge charge: Int) -> ArraySlice<UInt8> {
    facts.transactions.bytes(Int(facts.component.charges[charge].original))
  }

  private func writeMatches(_ matches: [Match], _ tx: inout DatabaseTransaction) throws {
    guard !matches.isEmpty else { return }
    _ = try tx.copyIn(
      "copy match_decided (order_id, charge_id, original_transaction_id, rung) from stdin (format binary)"
    ) { writer in
      for match in matches {
        try writer.beginRow(columns: 4)
        try writer.bytes(facts.orderIDs.bytes(match.order))
        try writer.bytes(facts.chargeIDs.bytes(match.charge))
        try writer.bytes(original(ofCharge: match.charge))
        try writer.text(match.rung.code)
      }
    }
  }

  private func writeRefusals(_ refusals: [Refusal], _ tx: inout DatabaseTransaction) throws {
    guard !refusals.isEmpty else { return }
    _ = try tx.copyIn(
      "copy match_refused (order_id, class, rung, charge_id, evidence_sha256, counterpart, is_explicit) from stdin (format binary)"
    ) { writer in
      for refusal in refusals {
        try writer.beginRow(columns: 7)
        try writer.bytes(facts.orderIDs.bytes(refusal.order))
        try writer.text(refusal.reason.rawValue)
        try writer.text(refusal.rung.code)
        if let charge = refusal.charge { try writer.bytes(facts.chargeIDs.bytes(charge)) } else { try writer.null() }
        if let evidence = refusal.evidence { try writer.bytes(facts.hashes.bytes(Int(evidence))) } else { try writer.null() }
        if let holder = refusal.holder { try writer.bytes(facts.orderIDs.bytes(holder)) } else { try writer.null() }
        try writer.bool(refusal.isExplicit)
      }
    }
  }

  private func writeSecondCharges(_ seconds: [SecondCharge], _ tx: inout DatabaseTransaction) throws {
    guard !seconds.isEmpty else { return }
    _ = try tx.copyIn("copy match_second (charge_id, original_transaction_id, order_id) from stdin (format binary)") { writer in
      for second in seconds {
        try writer.beginRow(columns: 3)
        try writer.bytes(facts.chargeIDs.bytes(second.charge))
        try writer.bytes(original(ofCharge: second.charge))
        try writer.bytes(facts.orderIDs.bytes(second.order))
      }
    }
  }

  private func writeAmbiguities(_ ambiguities: [Ambiguity], _ tx: inout DatabaseTransaction) throws {
    guard !ambiguities.isEmpty else { return }
    _ = try tx.copyIn(
      "copy match_ambiguous (charge_id, original_transaction_id, order_id, contributions, rank) from stdin (format binary)"
    ) { writer in
      for ambiguity in ambiguities {
        try writer.beginRow(columns: 5)
        try writer.bytes(facts.chargeIDs.bytes(ambiguity.charge))
        try writer.bytes(original(ofCharge: ambiguity.charge))
        try writer.bytes(facts.orderIDs.bytes(ambiguity.order))
        try writer.text(facts.contributions(of: ambiguity))
        try writer.int4(Int32(ambiguity.rank))
      }
    }
  }
}

extension ComponentFacts {
  /// What each field adds to the belief that an ambiguous charge belongs to an order.
  package func contributions(of ambiguity: Ambiguity) -> String {
    let charge = component.charges[ambiguity.charge]
    let seconds = (Double(ambiguity.delay) / 1_000_000).rounded(.toNearestOrAwayFromZero)
    return "user by \(ambiguity.tie); product \(products[Int(charge.productKey.product)]); quantity \(charge.quantity); "
      + "purchased \(Int(seconds)) s after the order"
  }
}
