internal import Cryptography
public import Domain
public import JobCore
internal import Postgres
internal import Wording

/// Closes and reopens fiscal periods. One person proposes, another one signs; the database refuses anything else.
///
/// The context's clock is that of the act: reports of that clock and later show it.
public struct PeriodClosing: Sendable {
  let context: JobContext
  private static let idBytes = 16

  public init(context: JobContext) { self.context = context }

  /// An act that was recorded.
  public struct Outcome: Sendable {
    /// Whether a second person must still sign it.
    public var isProposal: Bool
    /// Report and hash of its manifest, one line each.
    public var reports: [String]
  }

  /// Proposes to close a period, or signs the close that another person proposed.
  ///
  /// Both compute the reports. The signature is refused if they differ.
  ///
  /// - Parameters:
  ///   - asOf: clock of the reports; not after the clock of the act.
  ///   - reason: may be empty.
  ///   - out: folder for the reports, one subfolder each; nil keeps no files.
  /// - Throws: `JobError` if a condition of the close is not met, or this account proposed it.
  public func close(_ period: String, asOf: Timestamp, by person: Person, reason: String, out: String?) async throws -> Outcome {
    let refusal = "could not close \(period)"
    guard asOf <= context.asOf else {
      throw JobError("\(refusal): \(asOf.rfc3339) is later than now (\(context.asOf.rfc3339))", status: .usage)
    }
    try Self.checkName(of: person, refusal)
    let pending = try await pending(period)
    if let pending { try await checkSignature(pending, of: period, asOf: asOf, by: person, refusal) }
    try await checkObstacles(period, asOf: asOf, refusal)
    let proposedAt = try pending.map { try $0.instant("proposed_at") } ?? context.asOf
    let reports = PeriodReports(context: context.withGivenClock(asOf), period: period)
    let content = try await reports.write(to: out, proposedAt: proposedAt)
    guard let pending else { return try await propose(period, content, asOf: asOf, by: person, reason: reason) }
    try await compare(content, with: pending, refusal)
    return try await conclude(pending, period, .signed, by: person, reason: reason, content.reports)
  }

  /// Proposes to reopen a closed period, or signs the reopening that another person proposed.
  ///
  /// - Throws: `JobError` if the period is not closed, or this account proposed it.
  public func reopen(_ period: String, by person: Person, reason: String) async throws -> Outcome {
    let refusal = "could not reopen \(period)"
    guard !reason.isBlank else { throw JobError("\(refusal): a reason must be given", hint: "Say --reason.", status: .usage) }
    try Self.checkName(of: person, refusal)
    if let pending = try await pending(period) {
      guard try pending.text("kind") == "reopen" else {
        throw JobError("\(refusal): the close of \(period) is proposed", hint: Self.pendingHint("close", period))
      }
      try await checkAccount(pending, person, .signed, refusal)
      return try await conclude(pending, period, .signed, by: person, reason: reason, [])
    }
    let id = Hexadecimal.text(RandomBytes.make(Self.idBytes))
    let parameters: [String: Value] = ["act_id": .text(id), "period": .text(period), "reason": .text(reason), "at": context.asOfValue]
    try await act(period, .periodReopeningProposed, id, by: person, reason: reason, refusal) { files, person, tx in
      let found = try tx.rows(files(PeriodsSQL.proposeReopening), parameters.merging(["person": person]) { $1 }).first
      guard let found else {
        throw JobError("\(refusal): \(period) is not closed", hint: "See payrecon period status.", status: .usage)
      }
      return found
    }
    return Outcome(isProposal: true, reports: [])
  }

  /// The ways in which a proposal ends.
  public enum Conclusion: String, Sendable {
    case signed, rejected, withdrawn
  }

  /// Rejects what another person proposed, or withdraws the proposal of this account.
  ///
  /// - Throws: `JobError` if nothing is proposed, or this account may not conclude it so.
  public func end(_ period: String, _ conclusion: Conclusion, by person: Person, reason: String) async throws {
    let refusal = "could not end the proposal for \(period)"
    guard !reason.isBlank else { throw JobError("\(refusal): a reason must be given", hint: "Say --reason.", status: .usage) }
    try Self.checkName(of: person, refusal)
    guard let pending = try await pending(period) else {
      throw JobError("\(refusal): no close or reopening is proposed", hint: "See payrecon period status.", status: .usage)
    }
    try await checkAccount(pending, person, conclusion, refusal)
    _ = try await conclude(pending, period, conclusion, by: person, reason: reason, [])
  }

  /// - Parameter kind: the command of the pending proposal, close or reopen.
  private static func pendingHint(_ kind: String, _ period: String) -> String {
    "Sign it, or say payrecon period \(kind) \(period) --reject or --withdraw with --reason."
  }

  // MARK: Checks

  private func pending(_ period: String) async throws -> ReportRecord? {
    try await context.table(PeriodsSQL.pending, ["period": .text(period)], as: .review).records.first
  }

  /// Refuses a name under which two people could be mistaken for each other. The database refuses it in any case.
  private static func checkName(of person: Person, _ refusal: String) throws {
    guard let name = person.name, let fault = PersonName.fault(name) else { return }
    throw JobError("\(refusal): the name \"\(name)\" \(fault)", hint: "Say another --person, or none for the account.", status: .usage)
  }

  /// Refuses a signature on another proposal, by the proposing account, or at the clock of the reports.
  private func checkSignature(
    _ pending: ReportRecord, of period: String, asOf: Timestamp, by person: Person, _ refusal: String
  ) async throws {
    guard try pending.text("kind") == "close" else {
      throw JobError("\(refusal): the reopening of \(period) is proposed", hint: Self.pendingHint("reopen", period))
    }
    try await checkAccount(pending, person, .signed, refusal)
    let proposed = try pending.text("as_of")
    guard proposed == asOf.rfc3339 else {
      throw JobError(
        "\(refusal) as of \(asOf.rfc3339): the close is proposed as of \(proposed)",
        hint: "Sign it with --as-of \(proposed), or say payrecon period close \(period) --reject or --withdraw with --reason.",
        status: .usage)
    }
    guard asOf < context.asOf else {
      throw JobError(
        "\(refusal): the signature must be later than its reports, which are as of \(asOf.rfc3339)",
        hint: "Sign at a later clock: --at.", status: .usage)
    }
  }

  /// Refuses a conclusion by an account that may not make it, before the reports are computed. The database refuses it in any case.
  private func checkAccount(_ pending: ReportRecord, _ person: Person, _ conclusion: Conclusion, _ refusal: String) async throws {
    let (proposer, kind, period) = try (pending.text("account"), pending.text("kind"), pending.text("fiscal_period"))
    let account = try await context.withSession(as: .review) { try await $0.actor(person, in: context) }.account
    let isOwn = Person.isSame(proposer, account)
    let deed = conclusion == .signed ? "sign" : "reject it"
    guard isOwn != (conclusion == .withdrawn) else { return }
    if isOwn {
      throw JobError(
        "\(refusal): account \(account) proposed it, a second person must \(deed) under another account",
        hint: "To take it back, say payrecon period \(kind) \(period) --withdraw --reason WHY.", status: .usage)
    }
    throw JobError(
      "\(refusal): account \(proposer) proposed it, and only that account can withdraw it",
      hint: "To refuse it, say payrecon period \(kind) \(period) --reject --reason WHY.", status: .usage)
  }

  private func checkObstacles(_ period: String, asOf: Timestamp, _ refusal: String) async throws {
    let parameters: [String: Value] = [
      "period": .text(period), "as_of": asOf.sqlValue, "at": context.asOfValue,
      "target": .text(context.settings.finance.coverageTargetText),
    ]
    let found = try await context.transaction(as: .report, .readOnlySnapshot) { tx in
      try tx.rows(context.sql(PeriodsSQL.obstacles), parameters).map { try Phrase(json: $0.1).english }
    }
    guard found.isEmpty else {
      throw JobError("\(refusal) as of \(asOf.rfc3339): \(found.joined(separator: "; "))", hint: "See payrecon period status \(period).")
    }
  }

  /// Refuses a signature on reports that differ from the proposed ones.
  private func compare(_ content: PeriodReports.Content, with pending: ReportRecord, _ refusal: String) async throws {
    let id = try pending.text("act_id")
    let (reports, figures) = try await context.transaction(as: .report, .readOnlySnapshot) { tx in
      try (SignedReport.read(of: id, files: context.sql, tx: &tx), SignedFigure.read(of: id, files: context.sql, tx: &tx))
    }
    let proposed = Dictionary(uniqueKeysWithValues: reports.map { ($0.kind, $0) })
    let changed = content.reports.filter { proposed[$0.kind] != $0 }.map(\.kind.rawValue)
    guard changed.isEmpty, Set(figures) == Set(content.figures) else {
      let period = try pending.text("fiscal_period")
      let names = changed.isEmpty ? "its figures are" : "\(changed.joined(separator: ", ")) is"
      throw try JobError(
        "\(refusal): \(names) not what \(pending.text("account")) proposed with settings \(pending.text("settings_sha256").prefix(12)) and "
          + "version \(pending.text("code_version")); these are \(context.settingsSHA256.prefix(12)) and \(context.codeVersion)",
        hint: "Reject the proposal and find out why: payrecon period close \(period) --reject --reason WHY.")
    }
  }

  // MARK: Acts

  private func propose(
    _ period: String, _ content: PeriodReports.Content, asOf: Timestamp, by person: Person, reason: String
  ) async throws -> Outcome {
    let id = Hexadecimal.text(RandomBytes.make(Self.idBytes))
    let parameters: [String: Value] = [
      "act_id": .text(id), "period": .text(period), "settings_sha256": .text(context.settingsSHA256),
      "code_version": .text(context.codeVersion), "reason": .text(reason), "as_of": asOf.sqlValue,
      "at": context.asOfValue,
    ]
    let refusal = "could not propose to close \(period)"
    try await act(period, .periodCloseProposed, id, by: person, reason: reason, refusal, content.reports) { files, person, tx in
      for report in content.reports { try report.record(of: id, files: files, tx: &tx) }
      try SignedFigure.record(content.figures, of: id, files: files, tx: &tx)
      return try tx.rows(files(PeriodsSQL.proposeClose), parameters.merging(["person": person]) { $1 }).first ?? ("", "")
    }
    return Outcome(isProposal: true, reports: content.reports.map { "\($0.kind.rawValue) \($0.manifestSHA256)" })
  }

  private func conclude(
    _ pending: ReportRecord, _ period: String, _ conclusion: Conclusion, by person: Person, reason: String, _ reports: [SignedReport]
  ) async throws -> Outcome {
    let isClose = try pending.text("kind") == "close"
    let kind: AuditAct =
      switch conclusion {
      case .signed: isClose ? .periodClosed : .periodReopened
      case .rejected: .periodRejected
      case .withdrawn: .periodWithdrawn
      }
    let id = try pending.text("act_id")
    let parameters: [String: Value] = [
      "act_id": .text(id), "step": .text(conclusion.rawValue), "reason": .text(reason), "at": context.asOfValue,
    ]
    let refusal = "could not conclude the \(isClose ? "close" : "reopening") of \(period)"
    try await act(period, kind, id, by: person, reason: reason, refusal, reports) { files, person, tx in
      let found = try tx.rows(files(PeriodsSQL.conclude), parameters.merging(["person": person]) { $1 }).first
      guard let found else { throw JobError("\(refusal): no close or reopening is proposed") }
      return found
    }
    return Outcome(isProposal: false, reports: reports.map { "\($0.kind.rawValue) \($0.manifestSHA256)" })
  }

  /// Records a step and its audit entry in one transaction.
  ///
  /// - Parameter record: inserts the step and returns the hashes of its reports and figures.
  private func act(
    _ period: String, _ act: AuditAct, _ id: String, by person: Person, reason: String, _ refusal: String, _ reports: [SignedReport] = [],
    record: @escaping @Sendable (SQLFiles, Value, inout DatabaseTransaction) throws -> (String, String)
  ) async throws {
    try await context.withSession(as: .review) { session in
      let actor = try await session.actor(person, in: context)
      do {
        try await session.retrying { tx in
          let (reportsHash, figuresHash) = try record(context.sql, .text(actor.name), &tx)
          let details: [AuditEntry.Detail] = [
            .text("account", actor.account), .text("period_act", id), .text("reports_sha256", reportsHash),
            .text("figures_sha256", figuresHash), .texts("manifests", reports.map(\.manifestSHA256)),
            .texts("reports", reports.map(\.entry)), .reason(reason),
          ]
          try tx.audit(AuditEntry(actor: actor.name, act: act, subject: period, details: details), in: context)
        }
      } catch PostgresError.server(let error) where [.checkViolation, .uniqueViolation].contains(error.sqlState) {
        throw JobError("\(refusal): \(error.message)")
      }
    }
  }
}
