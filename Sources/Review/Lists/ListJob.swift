public import Domain
public import JobCore
internal import Postgres
internal import Wording

/// Lists that reviewers maintain for the rules.
public enum RuleList: String, Sendable, CaseIterable {
  /// Signals on its subjects stay on record but open no case.
  case allow
  /// A new order of a listed subject raises a signal.
  case block
  /// May own live goods without a payment.
  case tester
  /// Members of a household count as one person.
  case family
}

public enum RuleSubject: String, Sendable, CaseIterable {
  case user, device, order, charge, chain
}

/// An entry as a reviewer adds it to a list.
public struct ListEntry: Sendable {
  public var list: RuleList
  public var subject: RuleSubject
  /// Id without surrounding white space, which no id has.
  public var id: String
  /// Name of the household; only on the family list.
  public var family: String?
  /// The only rule that the entry allows; nil for all rules.
  public var rule: String?
  public var owner: String
  public var reason: String
  /// Beginning; nil for the clock.
  public var from: Timestamp?
  public var until: Timestamp

  public init(list: RuleList, subject: RuleSubject, id: String, owner: String, reason: String, until: Timestamp) {
    self.list = list
    self.subject = subject
    self.id = String(id.trimmed(\.isWhitespace))
    self.owner = owner
    self.reason = reason
    self.until = until
  }

  /// - Throws: `JobError` that names the contradiction.
  func check(from: Timestamp, rules: [RuleDefinition]) throws {
    func refuse(_ reason: Phrase) -> JobError {
      JobError(Phrase("refusal.list_add", ["id": .plain(id), "list": .code(list.rawValue), "why": reason]), status: .usage)
    }
    guard !id.isBlank, !owner.isBlank, !reason.isBlank else { throw refuse("refusal.list_said") }
    guard from < until else { throw refuse("refusal.list_ends") }
    if list == .tester || list == .family, subject != .user { throw refuse("refusal.list_users") }
    if list == .block, subject == .order { throw refuse("refusal.list_order_once") }
    guard (list == .family) == (family?.isEmpty == false) else {
      throw refuse(list == .family ? "refusal.list_family" : "refusal.list_family_alone")
    }
    guard let rule else { return }
    guard list == .allow else { throw refuse("refusal.list_rule_alone") }
    guard rules.contains(where: { $0.name == rule }) else { throw refuse(Phrase("refusal.no_rule", ["rule": .plain(rule)])) }
  }
}

/// Adds list entries and ends them. No entry is ever deleted.
public struct ListJob: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// Returns whether the entry is new.
  public func add(_ entry: ListEntry) async throws -> Bool {
    let from = entry.from ?? context.asOf
    try entry.check(from: from, rules: context.settings.rules.catalogue)
    let parameters: [String: Value] = [
      "list": .text(entry.list.rawValue), "subject_kind": .text(entry.subject.rawValue), "subject_id": .text(entry.id),
      "family": .text(entry.family ?? ""), "rule": .text(entry.rule ?? ""), "owner": .text(entry.owner),
      "reason": .text(entry.reason), "as_of": context.asOfValue,
      "valid_from": from.sqlValue,
      "valid_to": entry.until.sqlValue,
    ]
    let audited: [AuditEntry.Detail] = [
      .text("list", entry.list.rawValue), .text("subject", entry.subject.rawValue),
      .text("rule", entry.rule ?? ""), .text("until", entry.until.rfc3339), .reason(entry.reason),
    ]
    return try await run(ListsSQL.add, parameters, .listAdded, by: entry.owner, audited)
  }

  /// Ends a list entry. Earlier purchases of a tester or household stay covered, unless the entry was a mistake.
  ///
  /// - Throws: `JobError` if the entry does not exist or was already removed.
  public func remove(_ entryID: String, by person: String, reason: String, isMistake: Bool = false) async throws {
    let parameters: [String: Value] = [
      "entry_id": .text(entryID), "person": .text(person), "reason": .text(reason), "is_mistake": .bool(isMistake),
      "as_of": context.asOfValue,
    ]
    let audited: [AuditEntry.Detail] = [.reason(reason)] + (isMistake ? [.text("mistake", "true")] : [])
    guard try await run(ListsSQL.remove, parameters, .listRemoved, by: person, audited) else {
      throw JobError("refusal.list_remove", ["id": entryID], hint: "Entries are listed by: payrecon lists list.")
    }
  }

  /// Runs a statement and records the action if it changed an entry; returns whether it did.
  private func run(
    _ statement: Statement<String>, _ parameters: [String: Value], _ act: AuditAct, by person: String, _ details: [AuditEntry.Detail]
  ) async throws -> Bool {
    try await context.withSession(as: .review) { session in
      try await context.requireNewestClock(on: session)
      return try await session.retrying { tx in
        // The audit chain gets the entry's id, never the subject's name.
        let touched = try tx.rows(context.sql(statement), parameters)
        for id in touched { try tx.audit(AuditEntry(actor: person, act: act, subject: id, details: details), in: context) }
        return !touched.isEmpty
      }
    }
  }
}
