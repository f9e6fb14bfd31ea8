internal import Domain
internal import JobCore
internal import Ladder
internal import Postgres
internal import Wording

/// The ladder's decisions on everything connected to some ids, together with the recorded decisions.
struct DecidedComponent {
  let facts: ComponentFacts
  let trace: Trace
  private let decided: Set<DecisionOnIDs>
  private let recorded: Set<DecisionOnIDs>

  /// Decides all rows of the input views.
  init(_ context: JobContext, _ tx: inout DatabaseTransaction) throws {
    facts = try ComponentReader.read(&tx, in: context)
    trace = Ladder.trace(facts.component, LadderSettings(context.settings))
    decided = Set(facts.decisions(trace.decision))
    recorded = Set(
      try tx.rows(context.sql(ExplainSQL.recorded)).map {
        DecisionOnIDs(
          kind: .init(rawValue: $0) ?? .match, order: ByteText($1), charge: $2.map(ByteText.init), rung: $3, reason: $4, evidence: $5,
          holder: $6.map(ByteText.init), rank: $7)
      })
  }

  /// Returns the texts about an order, a charge, or both; nil if the component lacks one of them.
  func words(order: String? = nil, charge: String? = nil) -> FindingText? {
    let (orderNumber, chargeNumber) = (order.map { facts.orderIDs.firstIndex(of: $0) }, charge.map { facts.chargeIDs.firstIndex(of: $0) })
    if orderNumber == .some(nil) || chargeNumber == .some(nil) { return nil }
    return FindingText(facts: facts, trace: trace, orderNumber: orderNumber ?? nil, chargeNumber: chargeNumber ?? nil)
  }

  /// Returns lines on differences between the current and the recorded decision on an order or a charge. A new decision on an id without
  /// a recorded one is no difference.
  func differences(of id: String) -> [Phrase] {
    let isRecorded = recorded.contains { $0.isOn(id) }
    let new = decided.subtracting(recorded).filter { $0.names(id) && (isRecorded || !$0.isOn(id)) }.map(\.text)
    let gone = recorded.subtracting(decided).filter { $0.names(id) }.map { Phrase("explain.no_longer", ["what": $0.text]) }
    let sorted = Set(new + gone).sorted { $0.english < $1.english }
    let lines = sorted.map { .plain("  ") + Phrase("explain.otherwise", ["what": $0]) }
    return lines.isEmpty || !isRecorded ? lines : lines + [.plain("  ") + "explain.stands_until"]
  }

  /// Returns decisions on an order or a charge that are not recorded, best first.
  func newDecisions(on id: String) -> [DecisionOnIDs] {
    decided.filter { $0.isOn(id) && ($0.kind != .match || !recorded.contains($0)) }.sorted { $0.position(at: id) < $1.position(at: id) }
  }
}

/// A decision with ids instead of numbers.
struct DecisionOnIDs: Hashable {
  enum Kind: String { case match, refused, ambiguous }

  var kind: Kind
  var order: ByteText
  var charge: ByteText?
  var rung: String
  var reason: String?
  var evidence: String?
  var holder: ByteText?
  var rank: Int64?

  func names(_ id: String) -> Bool { order == ByteText(id) || charge == ByteText(id) }

  /// Whether this is a decision on the order or charge. A refused claim is none on the charge.
  func isOn(_ id: String) -> Bool { order == ByteText(id) || charge == ByteText(id) && kind != .refused }

  var text: Phrase {
    let (rung, order, charge): (Phrase, Phrase, Phrase) = (.plain(rung), .plain(order.text), .plain(charge?.text ?? ""))
    return switch kind {
    case .match: Phrase("explain.matched_pair", ["rung": rung, "order": order, "charge": charge])
    case .refused: Phrase("explain.refused_by", ["rung": rung, "order": order, "what": .plain(reason ?? "")])
    case .ambiguous: Phrase("explain.ambiguous_pair", ["order": order, "charge": charge])
    }
  }

  func other(than id: String) -> String? { order == ByteText(id) ? charge?.text : order.text }

  fileprivate func position(at id: String) -> (Int64, String) {
    (kind == .match ? 1 : 2 + (rank ?? 0), other(than: id) ?? "\u{10FFFF}")
  }
}

extension ComponentFacts {
  fileprivate func decisions(_ decision: Decision) -> [DecisionOnIDs] {
    let matches = decision.matches.map { match in
      DecisionOnIDs(
        kind: .match, order: ByteText(orderIDs[match.order]), charge: ByteText(chargeIDs[match.charge]), rung: match.rung.code)
    }
    let refusals = decision.refusals.map { refusal in
      DecisionOnIDs(
        kind: .refused, order: ByteText(orderIDs[refusal.order]), charge: refusal.charge.map { ByteText(chargeIDs[$0]) },
        rung: refusal.rung.code, reason: refusal.reason.rawValue, evidence: refusal.evidence.map { hash($0) },
        holder: refusal.holder.map { ByteText(orderIDs[$0]) })
    }
    return matches + refusals
      + decision.ambiguities.map { candidate in
        DecisionOnIDs(
          kind: .ambiguous, order: ByteText(orderIDs[candidate.order]), charge: ByteText(chargeIDs[candidate.charge]),
          rung: Rung.ambiguous.code, rank: Int64(candidate.rank))
      }
  }
}
