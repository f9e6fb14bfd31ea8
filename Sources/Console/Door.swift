internal import Cryptography
internal import Domain
internal import JobCore
internal import Postgres
internal import Review

/// Log-in and log-out; the database decides about both.
struct Door: Sendable {
  /// Nobody is logged in on these connections.
  let context: JobContext

  enum Outcome: String { case opened, refused, throttled }

  /// Who shows a token; nil for nobody: it was never one, it expired, it was taken back, or a proxy opened it and it came another
  /// way.
  ///
  /// - Parameter isByProxySocket: whether the token came by the proxy's socket.
  func visit(_ token: String, ofProgram: Bool = false, isByProxySocket: Bool, at clock: Timestamp) async throws -> Visit? {
    guard SessionToken.isOne(token) else { return nil }
    let secret = SessionToken.secret(token, ofProgram: ofProgram)
    let file = try context.sql(ConsoleSQL.seen)
    let found = try await context.transaction(as: .review) { tx in try tx.rows(file, ["secret": .text(secret)]) }
    return found.first.flatMap { account, role, inboxes, language, needsSocket in
      guard isByProxySocket || !needsSocket else { return nil }
      var visit = Visit(
        account: account, role: role, inboxes: inboxes.split(separator: " ").map(String.init),
        csrf: SessionToken.csrf(token), context: context.acting(at: clock, secret: secret))
      if !ofProgram, let chosen = Language(rawValue: language) { (visit.language, visit.isLanguageChosen) = (chosen, true) }
      return visit
    }
  }

  /// Opens a session under a token, where the password is the account's.
  func open(account: String, password: String, token: String, address: String, at clock: Timestamp) async throws -> Outcome {
    let context = context.acting(at: clock, secret: nil)
    let saltFile = try context.sql(ConsoleSQL.salt)
    let salt = try await context.transaction(as: .review, .readOnlySnapshot) { tx in
      try tx.rows(saltFile, ["account": .text(account), "address": .text(address)])
    }.first ?? ""
    guard !salt.isEmpty else { return .throttled }
    let proof = await Hashing.shared.proof(password: password, salt: salt)
    let parameters: [String: Value] = [
      "account": .text(account), "proof": .text(proof ?? ""), "address": .text(address),
      "secret_sha256": .text(SHA256.hex(Array(SessionToken.secret(token).utf8))),
    ]
    return try await context.transaction(as: .review) { tx in
      let word = try tx.rows(context.sql(ConsoleSQL.open), parameters).first
      let outcome = word.flatMap(Outcome.init) ?? .refused
      // What is throttled is only logged: nobody shall make the chain grow without end.
      guard outcome != .throttled else { return outcome }
      let isOpened = outcome == .opened
      // A name that was typed may be a password: only the hash of one that was refused is kept.
      let subject = isOpened ? account : SHA256.hex(Array(account.utf8))
      try tx.audit(
        AuditEntry(
          actor: isOpened ? account : "console", act: isOpened ? .sessionOpened : .sessionRefused, subject: subject,
          details: [.text("address", address)]), in: context)
      return outcome
    }
  }

  /// Opens a session under a token for the account that a proxy names.
  func open(
    named account: String, by identity: ProxyIdentity, token: String, address: String, at clock: Timestamp
  ) async throws -> Outcome {
    let context = context.acting(at: clock, secret: nil)
    let parameters: [String: Value] = [
      "account": .text(account), "key": .text(identity.key ?? ""), "address": .text(address),
      "secret_sha256": .text(SHA256.hex(Array(SessionToken.secret(token).utf8))),
    ]
    return try await context.transaction(as: .review) { tx in
      let isOpened = try tx.rows(context.sql(ConsoleSQL.openByProxy), parameters).first == Outcome.opened.rawValue
      try tx.audit(
        AuditEntry(
          actor: isOpened ? account : "console", act: isOpened ? .sessionOpened : .sessionRefused,
          subject: isOpened ? account : SHA256.hex(Array(account.utf8)),
          details: [.text("address", address), .text("by", "proxy")]), in: context)
      return isOpened ? .opened : .refused
    }
  }

  /// Ends the session of a token.
  func close(_ token: String, of visit: Visit) async throws {
    let (context, secret) = (visit.context, SessionToken.secret(token))
    try await context.transaction(as: .review) { tx in
      try tx.audit(AuditEntry(actor: visit.account, act: .sessionEnded, subject: visit.account), in: context)
      _ = try tx.run(context.sql(ConsoleSQL.end), ["secret": .text(secret)])
    }
  }
}

/// One password at a time: each takes 32 MiB.
private actor Hashing {
  static let shared = Hashing()
  func proof(password: String, salt: String) -> String? { ConsoleProof.make(password: password, salt: salt) }
}
