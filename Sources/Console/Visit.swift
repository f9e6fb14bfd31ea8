internal import Cryptography
internal import Domain
internal import JobCore
internal import Postgres
internal import Review

/// Whoever is logged in, for one request.
struct Visit: Sendable {
  var account: String
  var role: String
  var inboxes: [String]
  /// What the browser shows with each post.
  var csrf: String
  /// Acts as the account, at this request's clock.
  var context: JobContext

  var canWork: Bool { role != ConsoleRole.reader.rawValue }
  var canSettle: Bool { [ConsoleRole.approver, .admin].contains { $0.rawValue == role } }
}

/// What of a cookie's token goes where: neither the form nor the database learns the token.
enum SessionToken {
  private static let bytes = 32

  static func make() -> String { Hexadecimal.text(RandomBytes.make(bytes)) }
  static func isOne(_ text: String) -> Bool { text.utf8.count == bytes * 2 && text.allSatisfy(\.isHexDigit) }
  /// What the database is shown.
  static func secret(_ token: String) -> String { SHA256.hex(Array("payrecon session \(token)".utf8)) }
  static func csrf(_ token: String) -> String { SHA256.hex(Array("payrecon form \(token)".utf8)) }
}

/// Log-in and log-out; the database decides about both.
struct Door: Sendable {
  /// Nobody is logged in on these connections.
  let context: JobContext

  enum Outcome: String { case opened, refused, throttled }

  func visit(_ token: String, at clock: Timestamp) async throws -> Visit? {
    guard SessionToken.isOne(token) else { return nil }
    let secret = SessionToken.secret(token)
    let file = try context.sql("console/seen.sql")
    let found = try await context.transaction(as: .review) { tx in
      try tx.rows(file, ["secret": .text(secret)]) { row throws(PostgresError) in
        (account: try row.text(), role: try row.text(), inboxes: try row.text())
      }
    }
    return found.first.map {
      Visit(
        account: $0.account, role: $0.role, inboxes: $0.inboxes.split(separator: " ").map(String.init),
        csrf: SessionToken.csrf(token), context: context.acting(at: clock, secret: secret))
    }
  }

  func open(account: String, password: String, token: String, address: String, at clock: Timestamp) async throws -> Outcome {
    let context = context.acting(at: clock, secret: nil)
    let salt = try await context.transaction(as: .review, .readOnlySnapshot) { tx in
      try tx.rows(context.sql("console/salt.sql"), ["account": .text(account)]) { row throws(PostgresError) in try row.text() }
    }.first ?? ""
    let proof = await Hashing.shared.proof(password: password, salt: salt)
    let parameters: [String: Value] = [
      "account": .text(account), "proof": .text(proof ?? ""), "address": .text(address),
      "secret_sha256": .text(SHA256.hex(Array(SessionToken.secret(token).utf8))),
    ]
    return try await context.transaction(as: .review) { tx in
      let word = try tx.rows(context.sql("console/open.sql"), parameters) { row throws(PostgresError) in try row.text() }.first
      let outcome = word.flatMap(Outcome.init) ?? .refused
      // A name that was typed may be a password: only the hash of one that was refused is kept.
      let subject = outcome == .opened ? account : SHA256.hex(Array(account.utf8))
      try tx.audit(
        AuditEntry(
          actor: outcome == .opened ? account : "console", act: outcome == .opened ? .sessionOpened : .sessionRefused,
          subject: subject, details: [.text("address", address), .text("outcome", outcome.rawValue)]), in: context)
      return outcome
    }
  }

  func close(_ token: String, of visit: Visit) async throws {
    let (context, secret) = (visit.context, SessionToken.secret(token))
    try await context.transaction(as: .review) { tx in
      try tx.audit(AuditEntry(actor: visit.account, act: .sessionEnded, subject: visit.account), in: context)
      _ = try tx.run(context.sql("console/end.sql"), ["secret": .text(secret)])
    }
  }
}

/// One password at a time: each takes 32 MiB.
private actor Hashing {
  static let shared = Hashing()
  func proof(password: String, salt: String) -> String? { ConsoleProof.make(password: password, salt: salt) }
}
