internal import Domain
internal import Postgres

/// Tells what happened to an id, as a person would: what was compared, which rung or rule decided, on which evidence.
public struct ExplainJob: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// The bytes of a piece of evidence, as Apple or a client handed them over.
  ///
  /// - Parameter sha256: the item's hash, in hexadecimal.
  /// - Throws: `JobError` when there is no such evidence.
  public func evidenceBytes(_ sha256: String) async throws -> [UInt8] {
    let session = try await context.open(as: .report)
    let file = try context.sql("explain/evidence_bytes.sql")
    let found = try await session.transaction(.readOnlySnapshot) { tx in
      try tx.rows(file, ["sha256": .text(sha256)]) { row throws(PostgresError) in try row.bytes() }
    }
    await session.close()
    guard let bytes = found.first else {
      throw JobError("could not find evidence \"\(sha256)\"", hint: "Hashes are listed by: payrecon export evidence.")
    }
    return bytes
  }

  /// Lines on every order, charge and break that an id leads to, as they were known at the clock when one was given.
  ///
  /// - Parameter id: order id, transaction id, original transaction id, line item, charge id, break id or evidence hash.
  /// - Throws: `JobError` when nothing is known about it.
  public func explain(_ id: String) async throws -> String {
    let session = try await context.open(as: .report)
    let context = context
    let lines = try await session.transaction(.readOnlySnapshot) { tx in
      if context.isClockGiven { try tx.lookBack(to: context.asOf, files: context.sql) }
      return try Explanation(context: context).lines(about: id, &tx)
    }
    await session.close()
    guard !lines.isEmpty else {
      throw JobError(
        "could not find \"\(id)\" among orders, transactions, charges, breaks and evidence",
        hint: "Check the spelling; ids are compared exactly.")
    }
    return lines.joined(separator: "\n")
  }
}

/// Puts together what a person wants to read about an id.
private struct Explanation {
  let context: JobContext

  private struct Decision {
    var text: String
    var kind: String
    var rung: String?
    /// The order's charge, or the charge's order.
    var other: String?
    /// What an order without charge was refused for.
    var evidence: String?
  }

  private struct Rung {
    var name: String
    var isMet: Bool
    var reason: String
    var line: String { "    \(isMet ? "" : "not ")\(name): \(reason)" }

    /// The rung as it stands to the one that decided, which may have known other facts than there are now.
    func line(decidedBy rung: String?) -> String {
      guard let rung else { return line }
      if name == rung { return isMet ? line : "    \(name), as decided then; now: \(reason)" }
      return isMet ? "    not \(name): \(reason), but somebody else came first there" : line
    }
  }

  /// Orders and charges with the decision on each, then their breaks and signals.
  func lines(about id: String, _ tx: inout Transaction) throws -> [String] {
    let subjects = try tx.rows(file("subject"), ["id": .text(id)]) { row throws(PostgresError) in
      (kind: try row.text(), id: try row.text())
    }
    var lines: [String] = []
    for subject in subjects {
      lines += try subject.kind == "order" ? order(subject.id, &tx) : charge(subject.id, &tx)
    }
    lines += try text("evidence", ["id": .text(id)], &tx)
    let ids: [String: Value] = ["ids": .text((subjects.map(\.id) + [id]).joined(separator: "\u{1F}"))]
    return try lines + text("breaks", ids, &tx) + text("signals", ids, &tx)
  }

  private func file(_ name: String) throws -> SQLFile { try context.sql("explain/\(name).sql") }

  private func text(_ name: String, _ parameters: [String: Value], _ tx: inout Transaction) throws -> [String] {
    try tx.rows(file(name), parameters) { row throws(PostgresError) in try row.text() }
  }

  // MARK: Subjects

  private func order(_ id: String, _ tx: inout Transaction) throws -> [String] {
    var lines = try text("order", ["id": .text(id)], &tx)
    for decision in try decisions("decisions_of_order", ["order_id": .text(id)], &tx) {
      lines.append("  \(decision.text)")
      if decision.kind == "decided" { continue }
      guard let charge = decision.other else {
        let rungs = try rungs("ladder_of_order", ["order_id": .text(id)], &tx)
        lines += rungs.filter { $0.name < decision.rung ?? "M7" }.map(\.line)
        if let evidence = decision.evidence {
          lines += try text("evidence", ["id": .text(evidence)], &tx).map { "    \($0)" }
        }
        continue
      }
      let pair: [String: Value] = ["order_id": .text(id), "charge_id": .text(charge)]
      let rungs = try rungs("ladder_of_pair", pair.merging(LadderLimits(context.settings).all) { one, _ in one }, &tx)
      // What lies below the rung that decided was never looked at.
      let last = decision.kind == "candidate" ? "M5" : decision.rung ?? "M6"
      let decisive = decision.kind == "match" ? decision.rung : nil
      lines += rungs.filter { $0.name <= last }.map { $0.line(decidedBy: decisive) }
      if decision.kind == "candidate" {
        lines += try text("contest", ["charge_id": .text(charge)], &tx).map { "    \($0)" }
      }
      if decision.kind != "refused" { lines += try compared(pair, &tx) }
    }
    return lines
  }

  private func charge(_ id: String, _ tx: inout Transaction) throws -> [String] {
    var lines = try text("charge", ["id": .text(id)], &tx)
    let decisions = try decisions("decisions_of_charge", ["charge_id": .text(id)], &tx)
    if decisions.contains(where: { $0.kind == "candidate" }) {
      lines += try text("contest", ["charge_id": .text(id)], &tx).map { "  no order by itself, \($0)" }
    }
    for decision in decisions {
      lines.append("  \(decision.text)")
      if decision.kind == "none" { lines += try rungs("ladder_of_charge", ["charge_id": .text(id)], &tx).map(\.line) }
      guard decision.kind == "candidate", let order = decision.other else { continue }
      lines += try compared(["order_id": .text(order), "charge_id": .text(id)], &tx)
    }
    return lines
  }

  // MARK: Decisions

  private func decisions(_ name: String, _ subject: [String: Value], _ tx: inout Transaction) throws -> [Decision] {
    try tx.rows(file(name), subject) { row throws(PostgresError) in
      Decision(
        text: try row.text(), kind: try row.text(), rung: try row.optionalText(), other: try row.optionalText(),
        evidence: try row.optionalText())
    }
  }

  private func rungs(_ name: String, _ parameters: [String: Value], _ tx: inout Transaction) throws -> [Rung] {
    try tx.rows(file(name), parameters) { row throws(PostgresError) in
      Rung(name: try row.text(), isMet: try row.bool(), reason: try row.text())
    }
  }

  /// What each field adds.
  private func compared(_ pair: [String: Value], _ tx: inout Transaction) throws -> [String] {
    try tx.rows(file("compared"), pair) { row throws(PostgresError) in
      "    compared \(try row.text()): \(try row.text())"
    }
  }
}
