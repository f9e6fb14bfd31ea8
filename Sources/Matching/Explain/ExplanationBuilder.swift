internal import Domain
internal import JobCore
internal import Ladder
internal import Postgres
internal import Wording

struct ExplanationBuilder {
  /// Maximum number of users described in full if a token or device leads to several; the others are only named.
  private static let usersMax = 5
  /// Maximum number of orders, and of charges without an order, that are listed per user.
  private static let rowsOfUserMax: Int64 = 20
  /// Maximum number of notifications that are listed.
  private static let notificationsMax: Int64 = 20

  let context: JobContext
  /// Whether the transaction reads the state at a past clock.
  let isPast: Bool
  /// Whether the explanation contains the findings of each rung.
  let includesTrace: Bool

  /// An order or a charge with its description and its recorded decisions.
  private struct Subject {
    var isOrder: Bool
    var id: String
    /// The subscription of a charge.
    var chain: String?
    var lines: [Phrase] = []
    var decisions: [Decision] = []
  }

  private struct Decision {
    /// The kinds of sql/explain/decisions_of_order.sql and decisions_of_charge.sql.
    enum Kind: String {
      /// Two reviewers decided on the order.
      case decided
      case match, refused, candidate
      case missing = "none"
    }

    var text: Phrase
    var kind: Kind
    var rung: Rung?
    /// The order's charge, or the charge's order.
    var other: String?
    /// Lines on the evidence for which an order without a charge was refused.
    var evidence: [Phrase] = []
  }

  private struct RungLine {
    var rung: Rung
    var didMatch: Bool
    var reason: Phrase
    var line: Phrase { line(didMatch ? .plain(rung.code) : Phrase("rungs.not", ["rung": .plain(rung.code)])) }

    /// Returns the line of the rung, marked if it decided on facts that have changed since.
    func line(decidedBy decisive: Rung?) -> Phrase {
      rung != decisive || didMatch ? line : line(Phrase("explain.as_decided", ["rung": .plain(rung.code)]))
    }

    private func line(_ head: Phrase) -> Phrase { .list([.plain("    "), head, .plain(": "), reason], separator: "") }
  }

  /// The recorded rows to which an id leads.
  private struct Record {
    var id: String
    var subjects: [Subject]
    /// Lines on its evidence, breaks and signals.
    var rest: [Phrase]
    /// The users behind a user id, a token or a device, each with the kind of id that leads to the user.
    var people: [(user: String, way: String)]

    /// The first `usersMax` distinct users.
    var users: [String] {
      var users: [ByteText] = []
      for user in people.map({ ByteText($0.user) }) where !users.contains(user) && users.count < ExplanationBuilder.usersMax {
        users.append(user)
      }
      return users.map(\.text)
    }
  }

  /// Returns, for each id, its orders and charges with their decisions, breaks and signals, and Apple's statements about them.
  func explanations(of ids: [String], hasFacts: Bool, _ tx: inout DatabaseTransaction) throws -> [Explanation] {
    var records: [Record] = []
    for id in ids { records.append(try record(of: id, &tx)) }
    let component = try decide(records.flatMap(\.subjects), &tx)
    var results: [Explanation] = []
    for record in records {
      let facts = hasFacts ? try facts(about: record, &tx) : []
      results.append(Explanation(lines: try lines(of: record, component, &tx), facts: facts))
    }
    return results
  }

  /// The clock of decisions; null if none was given.
  private var clock: [String: Value] { ["as_of": context.isClockGiven ? context.asOfValue : .null] }

  private func record(of id: String, _ tx: inout DatabaseTransaction) throws -> Record {
    let subjects = try subjects(of: id, &tx)
    let ids: [String: Value] = ["ids": .text((subjects.map(\.id) + [id]).joined(separator: "\u{1F}"))]
    let rest =
      try text(ExplainSQL.evidence, ["id": .text(id)], &tx) + text(ExplainSQL.breaks, ids.merging(clock) { $1 }, &tx)
      + text(ExplainSQL.signals, ids.merging(["id": .text(id)]) { $1 }, &tx)
    let people = try tx.rows(context.sql(ExplainSQL.people), ["id": .text(id)]).map { (user: $0, way: $1) }
    return Record(id: id, subjects: subjects, rest: rest, people: people)
  }

  private func lines(of record: Record, _ component: DecidedComponent?, _ tx: inout DatabaseTransaction) throws -> [Phrase] {
    var lines: [Phrase] = []
    for var subject in record.subjects {
      lines += subject.lines
      if let component {
        lines += component.differences(of: subject.id)
        try addNewDecisions(of: component, to: &subject, &tx)
      }
      lines += try subject.isOrder ? order(subject, component, &tx) : charge(subject, component, &tx)
    }
    return try lines + record.rest + people(record, &tx)
  }

  /// Returns lines on the users behind a user id, a token or a device.
  private func people(_ record: Record, _ tx: inout DatabaseTransaction) throws -> [Phrase] {
    var lines: [Phrase] = []
    for kind in ["token", "device"] {
      let users = record.people.filter { $0.way == kind }.map(\.user)
      if users.isEmpty { continue }
      let who = Phrase(users.count == 1 ? "explain.user" : "explain.users", ["id": .plain(users.joined(separator: ", "))])
      lines.append(Phrase(kind == "token" ? "explain.token_of" : "explain.device_of", ["id": .plain(record.id), "who": who]))
    }
    for user in record.users {
      let values: [String: Value] = ["id": .text(user), "rows": .int8(Self.rowsOfUserMax)]
      lines += try text(ExplainSQL.user, values.merging(clock) { $1 }, &tx)
    }
    return lines
  }

  /// Returns the state of the subscriptions behind an id, Apple's notifications and requests, and the sources that were not queried.
  private func facts(about record: Record, _ tx: inout DatabaseTransaction) throws -> [Explanation.Fact] {
    let rule = context.settings.rules.rules["R20"]?.parameters
    let wait = rule?["answer_within"]?.sqlValue ?? interval(seconds: ConsumptionSettings.answerWithinSeconds)
    let warning = rule?["warn_before"]?.sqlValue ?? interval(seconds: ConsumptionSettings.urgentSeconds)
    let subjects: [String: Value] = [
      "charge_ids": .textArray(record.subjects.filter { !$0.isOrder }.map(\.id)),
      "order_ids": .textArray(record.subjects.filter(\.isOrder).map(\.id)), "users": .textArray(record.users),
    ]
    let found = try tx.rows(context.sql(ExplainSQL.chains), subjects)
    // An empty chain stands for an app alone, which only the sources that were not queried concern.
    let chains = parameters(of: found.filter { !$0.0.isEmpty })
    let times: [String: Value] = ["answer_within": wait, "warn_before": warning]
    let consumption = try tx.rows(context.sql(ExplainSQL.consumption), chains.merging(times) { $1 }).map { kind, text, fields, isUrgent in
      (fact: try fact((kind, text, fields)), isUrgent: isUrgent)
    }
    let subscriptions = try facts(ExplainSQL.subscriptions, chains, &tx)
    let notifications = try facts(
      ExplainSQL.notifications, chains.merging(["rows": .int8(Self.notificationsMax)]) { $1 }, areDetails: true, &tx)
    let unqueried = try facts(ExplainSQL.unqueriedSources, parameters(of: found), &tx)
    let (urgent, others) = (consumption.filter(\.isUrgent).map(\.fact), consumption.filter { !$0.isUrgent }.map(\.fact))
    return urgent + subscriptions + others + notifications + unqueried
  }

  private func parameters(of chains: [(String, String, String)]) -> [String: Value] {
    [
      "chains": .textArray(chains.map(\.0)), "bundle_ids": .textArray(chains.map(\.1)), "environments": .textArray(chains.map(\.2)),
      "as_of": context.asOfValue,
    ]
  }

  private func facts(
    _ statement: ExplainSQL.Facts, _ parameters: [String: Value], areDetails: Bool = false, _ tx: inout DatabaseTransaction
  ) throws -> [Explanation.Fact] {
    try tx.rows(context.sql(statement), parameters).map { try fact($0, isDetail: areDetails) }
  }

  private func fact(_ row: (kind: String?, text: String, fields: String?), isDetail: Bool = false) throws -> Explanation.Fact {
    Explanation.Fact(kind: row.kind, line: try line(row.text, isDetail: isDetail), fields: row.fields)
  }

  private func text(
    _ statement: ExplainSQL.Lines, _ parameters: [String: Value], _ tx: inout DatabaseTransaction
  ) throws -> [Phrase] {
    try tx.rows(context.sql(statement), parameters).map(line)
  }

  private func line(_ text: String, isDetail: Bool) throws -> Phrase { try .plain(isDetail ? "  " : "") + Phrase(json: text) }

  // MARK: Recorded rows

  private func subjects(of id: String, _ tx: inout DatabaseTransaction) throws -> [Subject] {
    try tx.rows(context.sql(ExplainSQL.subject), ["id": .text(id)]).map { kind, id, chain in
      let isOrder = kind == "order"
      return Subject(
        isOrder: isOrder, id: id, chain: chain,
        lines: try text(isOrder ? ExplainSQL.order : ExplainSQL.charge, ["id": .text(id)], &tx),
        decisions: try isOrder
          ? decisions(ExplainSQL.decisionsOfOrder, ["order_id": .text(id)], &tx)
          : decisions(ExplainSQL.decisionsOfCharge, ["charge_id": .text(id)], &tx))
    }
  }

  private func decisions(
    _ statement: ExplainSQL.Decisions, _ subject: [String: Value], _ tx: inout DatabaseTransaction
  ) throws -> [Decision] {
    try tx.rows(context.sql(statement), subject).map { text, kind, rung, other, evidence in
      try Decision(
        text: Phrase(json: text), kind: Decision.Kind(rawValue: kind) ?? .missing, rung: rung.flatMap { Rung(code: $0) }, other: other,
        evidence: evidenceLines(evidence, &tx))
    }
  }

  private func evidenceLines(_ hash: String?, _ tx: inout DatabaseTransaction) throws -> [Phrase] {
    try hash.map { try text(ExplainSQL.evidence, ["id": .text($0)], &tx).map { .plain("    ") + $0 } } ?? []
  }

  // MARK: Decisions of the ladder

  /// Replaces a missing decision by the decisions that the next match run will make.
  private func addNewDecisions(of component: DecidedComponent, to subject: inout Subject, _ tx: inout DatabaseTransaction) throws {
    guard let missing = subject.decisions.firstIndex(where: { $0.kind == .missing }) else { return }
    let (id, isOrder) = (subject.id, subject.isOrder)
    let new = try component.newDecisions(on: id).map { decision in
      let text = try newDecisionText(decision, isOrder: isOrder, &tx)
      return Decision(
        text: Phrase("explain.undecided_yet", ["what": text]), kind: kind(of: decision), rung: Rung(code: decision.rung),
        other: decision.other(than: id), evidence: try evidenceLines(decision.evidence, &tx))
    }
    if !new.isEmpty { subject.decisions.replaceSubrange(missing...missing, with: new) }
  }

  private func kind(of decision: DecisionOnIDs) -> Decision.Kind {
    switch decision.kind {
    case .match: .match
    case .refused: .refused
    case .ambiguous: .candidate
    }
  }

  private func newDecisionText(_ decision: DecisionOnIDs, isOrder: Bool, _ tx: inout DatabaseTransaction) throws -> Phrase {
    var said: [String: Phrase] = [
      "rung": .plain(decision.rung), "rank": .plain("\(decision.rank ?? 0)"), "order": .plain(decision.order.text),
      "charge": .plain(decision.charge?.text ?? ""), "class": .plain(decision.reason ?? ""),
    ]
    switch decision.kind {
    case .match where isOrder:
      let confidence = try tx.rows(context.sql(ExplainSQL.confidence), ["rung": .text(decision.rung)]).first ?? ""
      said["confidence"] = .code(confidence)
      return Phrase("explain.matched_with", said)
    case .match: return Phrase("explain.matched", said)
    case .refused:
      let about: [(key: String, id: String?)] = [
        ("said.charge", decision.charge?.text), ("explain.evidence", decision.evidence), ("explain.held_by", decision.holder?.text),
      ]
      return .list([Phrase("explain.refused", said)] + about.compactMap { key, id in id.map { Phrase(key, ["id": .plain($0)]) } })
    case .ambiguous where isOrder: return Phrase("explain.candidate_of_anew", said)
    case .ambiguous: return Phrase("explain.candidate_order_anew", said)
    }
  }

  /// Decides the subjects and everything connected to them.
  ///
  /// - Returns: nil if rungs are not requested or the component is too large.
  private func decide(_ subjects: [Subject], _ tx: inout DatabaseTransaction) throws -> DecidedComponent? {
    guard includesTrace, !subjects.isEmpty else { return nil }
    let isOpen = try MatchScope(context: context).openSubjects(
      orders: subjects.filter(\.isOrder).map(\.id), chains: subjects.compactMap(\.chain), isPast: isPast, &tx)
    return isOpen ? try DecidedComponent(context, &tx) : nil
  }

  /// The line that replaces the rungs of a component that is too large.
  private var omittedTrace: [Phrase] { includesTrace ? [.plain("    ") + "explain.too_much"] : [] }

  /// Returns the lines of the rungs about an order, a charge, or both; nil if they are not evaluated.
  private func rungs(
    order: String? = nil, charge: String? = nil, _ component: DecidedComponent?, _ tx: inout DatabaseTransaction
  ) throws -> [RungLine]? {
    guard let component else { return nil }
    guard var words = component.words(order: order, charge: charge) else { return [] }
    if let order, let found = try tx.rows(context.sql(ExplainSQL.carriedEvidence), ["order_id": .text(order)]).first {
      words.evidence = CarriedEvidence(hash: found.0, verdict: found.1, isUploaded: found.2)
    }
    return words.findings.map { RungLine(rung: $0.rung, didMatch: $0.didMatch, reason: words.text($0.finding, on: $0.rung)) }
  }

  private func order(_ subject: Subject, _ component: DecidedComponent?, _ tx: inout DatabaseTransaction) throws -> [Phrase] {
    var lines: [Phrase] = []
    for decision in subject.decisions {
      lines.append(.plain("  ") + decision.text)
      if decision.kind == .decided { continue }
      if let charge = decision.other {
        lines += try reasons(of: decision, order: subject.id, charge: charge, component, &tx)
      } else {
        let rungs = try rungs(order: subject.id, component, &tx)
        lines += rungs?.filter { rung in decision.rung.map { rung.rung < $0 } ?? true }.map(\.line) ?? omittedTrace
        lines += decision.evidence
      }
    }
    return lines
  }

  /// Returns the rungs about an order and the charge of a decision, and the comparison of their fields.
  private func reasons(
    of decision: Decision, order: String, charge: String, _ component: DecidedComponent?, _ tx: inout DatabaseTransaction
  ) throws -> [Phrase] {
    let rungs = try rungs(order: order, charge: charge, component, &tx)
    // The rungs below the deciding one were never evaluated.
    let last: Rung = decision.kind == .candidate ? .evidence : decision.rung ?? .singleCandidate
    let decisive = decision.kind == .match ? decision.rung : nil
    var lines = rungs?.filter { $0.rung <= last }.map { $0.line(decidedBy: decisive) } ?? omittedTrace
    if decision.kind == .candidate { lines += contest(of: charge, component).map { .plain("    M7: ") + $0 } }
    let pair: [String: Value] = ["order_id": .text(order), "charge_id": .text(charge)]
    return try lines + (decision.kind == .refused ? allowed(pair, &tx) : compared(pair, &tx))
  }

  private func charge(_ subject: Subject, _ component: DecidedComponent?, _ tx: inout DatabaseTransaction) throws -> [Phrase] {
    var lines: [Phrase] = []
    if subject.decisions.contains(where: { $0.kind == .candidate }) {
      lines += contest(of: subject.id, component).map {
        .plain("  ") + Phrase("explain.no_order_itself", ["rung": .plain("M7"), "why": $0])
      }
    }
    for decision in subject.decisions {
      lines.append(.plain("  ") + decision.text)
      if decision.kind == .missing {
        lines += try rungs(charge: subject.id, component, &tx)?.map(\.line) ?? omittedTrace
      }
      guard decision.kind == .candidate, let order = decision.other else { continue }
      lines += try compared(["order_id": .text(order), "charge_id": .text(subject.id)], &tx)
    }
    return lines
  }

  /// Returns why the candidates of an ambiguous charge are tied; empty if they are not.
  private func contest(of charge: String, _ component: DecidedComponent?) -> [Phrase] {
    guard let words = component?.words(charge: charge), let number = words.chargeNumber else { return [] }
    return words.trace.contest(charge: number).map { [words.text($0)] } ?? []
  }

  /// Returns lines on the settings that allow the user of an order its refused sandbox goods, so that there is no break.
  private func allowed(_ pair: [String: Value], _ tx: inout DatabaseTransaction) throws -> [Phrase] {
    let holders = context.settings.sandboxSpans.merging(["as_of": context.asOfValue]) { $1 }
    return try text(ExplainSQL.allowedSandbox, pair.merging(holders) { $1 }, &tx).map { .plain("    ") + $0 }
  }

  /// Returns the comparison of each field of an order and a charge.
  private func compared(_ pair: [String: Value], _ tx: inout DatabaseTransaction) throws -> [Phrase] {
    try tx.rows(context.sql(ExplainSQL.compared), pair).map { field, text, delay in
      let time = delay.map { Phrase($0 < 0 ? "explain.purchased_before" : "explain.purchased_after", ["span": spanPhrase($0)]) }
      return try .plain("    ") + Phrase("explain.compared", ["field": .code(field), "what": time ?? Phrase(json: text ?? "null")])
    }
  }
}

/// The evidence whose hash an order carries.
struct CarriedEvidence {
  var hash: String?
  /// nil if the evidence is unknown.
  var verdict: String?
  /// Whether evidence was uploaded for the order.
  var isUploaded = false
}

/// Returns a span of time, rounded to seconds: `165 s`, `59 min`, `47 h`, `12 days`.
func spanPhrase(_ span: Microseconds) -> Phrase {
  let seconds = (abs(span) + 500_000) / 1_000_000
  let (unit, size): (String, Microseconds) =
    seconds < 180 ? ("s", 1) : seconds < 10_800 ? ("min", 60) : seconds < 172_800 ? ("h", 3600) : ("days", 86_400)
  return .plain("\(seconds / size) ") + .code(unit)
}
