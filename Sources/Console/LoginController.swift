internal import Cryptography
internal import Domain
internal import HTTPTypes
internal import JobCore
internal import Postgres
internal import Review
internal import Wording

/// Log-in and log-out. The database decides both.
struct LoginController: Sendable {
  /// A context without a session.
  let context: JobContext

  enum Outcome: String { case opened, refused, throttled }

  /// Returns the visit of a session or token; nil if it is unknown, expired or revoked. A session opened by a proxy is valid only over
  /// the proxy's socket.
  ///
  /// - Parameter isByProxySocket: whether the token arrived over the proxy's socket.
  func visit(_ token: String, ofProgram: Bool = false, isByProxySocket: Bool, at clock: Timestamp) async throws -> Visitor? {
    guard SessionToken.isOne(token) else { return nil }
    let secret = SessionToken.secret(token, ofProgram: ofProgram)
    let found = try await context.rows(ConsoleSQL.accountOfSession, ["secret": .text(secret)], as: .review)
    return found.first.flatMap { account, role, inboxes, language, zone, needsSocket in
      guard isByProxySocket || !needsSocket else { return nil }
      var visit = Visitor(
        account: account, role: role, inboxes: inboxes.split(separator: " ").map(String.init),
        csrf: SessionToken.csrf(token), context: context.withConsoleSession(secret: secret, at: clock))
      if !ofProgram, let chosen = Language(rawValue: language) { (visit.language, visit.isLanguageChosen) = (chosen, true) }
      visit.zone = Reader.zone(named: zone) ?? visit.zone
      return visit
    }
  }

  func open(account: String, password: String, token: String, address: String, at clock: Timestamp) async throws -> Outcome {
    let context = context.withConsoleSession(secret: nil, at: clock)
    guard let proof = try await proof(of: password, account, address, context) else { return .throttled }
    return try await begin(account, by: ConsoleSQL.open, ["proof": .text(proof)], token, address, [], context)
  }

  func open(
    named account: String, by identity: ProxyIdentity, token: String, address: String, at clock: Timestamp
  ) async throws -> Outcome {
    let context = context.withConsoleSession(secret: nil, at: clock)
    let key: [String: Value] = ["key": .text(identity.key ?? "")]
    return try await begin(account, by: ConsoleSQL.openByProxy, key, token, address, [.text("by", "proxy")], context)
  }

  private func begin(
    _ account: String, by statement: Statement<String>, _ evidence: [String: Value], _ token: String, _ address: String,
    _ details: [AuditEntry.Detail], _ context: JobContext
  ) async throws -> Outcome {
    let parameters: [String: Value] = [
      "account": .text(account), "address": .text(address),
      "secret_sha256": .text(SHA256.hex(Array(SessionToken.secret(token).utf8))),
    ].merging(evidence) { own, _ in own }
    return try await context.transaction(as: .review) { tx in
      let outcome = try tx.rows(context.sql(statement), parameters).first.flatMap(Outcome.init) ?? .refused
      // A throttled attempt is only logged, so that attackers cannot grow the audit chain.
      guard outcome != .throttled else { return outcome }
      try tx.audit(Self.entry(outcome, account, [.text("address", address)] + details), in: context)
      return outcome
    }
  }

  /// Returns the proof of a password; nil if the log-ins of the account are throttled. A password that is too long has an empty proof.
  private func proof(of password: String, _ account: String, _ address: String, _ context: JobContext) async throws -> String? {
    let salt = try await context.rows(ConsoleSQL.salt, ["account": .text(account), "address": .text(address)], as: .review).first ?? ""
    return salt.isEmpty ? nil : await Hashing.shared.proof(password: password, salt: salt) ?? ""
  }

  /// Returns the audit entry of a log-in. The typed name may be a password, so a refused name is stored as a hash.
  private static func entry(_ outcome: Outcome, _ account: String, _ details: [AuditEntry.Detail]) -> AuditEntry {
    guard outcome == .opened else {
      return AuditEntry(actor: "console", act: .sessionRefused, subject: SHA256.hex(Array(account.utf8)), details: details)
    }
    return AuditEntry(actor: account, act: .sessionOpened, subject: account, details: details)
  }

  /// Changes the password of the visiting account, which enters the present one, too. Its other sessions end.
  func changePassword(of visit: Visitor, _ form: Form) async throws {
    let password = try CaseController.newPassword(form)
    // An administrator knows the password of a new account until it changes.
    guard password != form["present"] else { throw ConsoleFault.invalid("fault.same_password") }
    let hashes = try ConsoleAccountJob.hashes(of: password)
    let context = visit.context
    let proof = try await proof(of: form["present"], visit.account, "console", context)
    let values: [String: Value] = ["proof": .text(proof ?? ""), "salt": .text(hashes.salt), "verifier": .text(hashes.verifier)]
    let outcome = try await context.transaction(as: .review) { tx in
      let outcome = try tx.rows(context.sql(ConsoleSQL.changePassword), values).first.flatMap(Outcome.init) ?? .refused
      if outcome == .opened { try tx.audit(AuditEntry(actor: visit.account, act: .passwordSet, subject: visit.account), in: context) }
      return outcome
    }
    switch outcome {
    case .opened: return
    case .refused: throw ConsoleFault.invalid("fault.present_password")
    case .throttled: throw ConsoleFault(status: .tooManyRequests, message: "fault.throttled")
    }
  }

  func close(_ token: String, of visit: Visitor) async throws {
    let (context, secret) = (visit.context, SessionToken.secret(token))
    try await context.transaction(as: .review) { tx in
      try tx.audit(AuditEntry(actor: visit.account, act: .sessionEnded, subject: visit.account), in: context)
      try tx.send(context.sql(ConsoleSQL.end), ["secret": .text(secret)])
    }
  }
}

/// Hashes one password at a time, because each hash needs 32 MiB.
private actor Hashing {
  static let shared = Hashing()
  func proof(password: String, salt: String) -> String? { ConsoleAccountJob.proof(of: password, salt: salt) }
}
