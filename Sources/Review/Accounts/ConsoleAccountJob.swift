internal import Cryptography
internal import Domain
public import JobCore
internal import Postgres

/// Permissions of a console account. The database checks them at every action.
public enum ConsoleRole: String, Sendable, CaseIterable {
  /// Reads.
  case reader
  /// Reads, takes cases, decides and proposes.
  case analyst, finance
  /// Also approves and rejects proposals of others.
  case approver
  /// Also manages the accounts of others.
  case admin
}

/// Accounts of the review console, managed by the schema's owner or by an administrator of the console.
public struct ConsoleAccountJob: Sendable {
  public static let passwordCharactersMin = 12
  private static let saltBytes = 16
  private static let proxyKeyBytes = 32

  /// An act of `console_manage_account`.
  private enum Act: String {
    case add, change, disable, password, unlock, address

    var audited: AuditAct {
      switch self {
      case .add: .accountAdded
      case .change, .address: .accountChanged
      case .disable: .accountDisabled
      case .password: .passwordSet
      case .unlock: .accountUnlocked
      }
    }
  }

  let context: JobContext
  /// Account of the console's administrator, in whose session the context acts; nil for the schema's owner.
  let administrator: String?

  public init(context: JobContext, administrator: String? = nil) { (self.context, self.administrator) = (context, administrator) }

  public func add(_ name: String, role: ConsoleRole, inboxes: [String], password: String) async throws {
    guard AccountName.isPlain(name) else {
      throw JobError(
        "could not use \"\(name)\" as an account: a name is letters, digits and . _ - @, at most \(AccountName.bytesMax)", status: .usage)
    }
    try await change(name, .add, role: role, inboxes: inboxes, hashes: Self.hashes(of: password))
  }

  /// Gives an account another role and other inboxes; none are all.
  ///
  /// - Throws: `JobError` if there is no active account of this name.
  public func change(_ name: String, role: ConsoleRole, inboxes: [String]) async throws {
    try await change(name, .change, role: role, inboxes: inboxes)
  }

  /// Sets an account's password. Its sessions end, and a lock from failed log-ins is lifted.
  ///
  /// - Throws: `JobError` if there is no active account of this name.
  public func setPassword(_ name: String, to password: String) async throws {
    try await change(name, .password, hashes: Self.hashes(of: password))
  }

  /// Unlocks an account that failed log-ins had locked.
  public func unlock(_ name: String) async throws { try await change(name, .unlock) }

  /// Sets the mail address that receives the notifications of an account. An empty one ends them.
  ///
  /// - Throws: `JobError` for a text that is no address, or if there is no active account of this name.
  public func setAddress(_ name: String, to address: String) async throws {
    guard address.isEmpty || MailAddress.isValid(address) else {
      throw JobError("could not set the mail address of \"\(name)\": it must be an address such as ann@example.com", status: .usage)
    }
    try await change(name, .address, mailAddress: address)
  }

  /// Disables an account and ends its sessions. Its actions stay on record.
  public func disable(_ name: String) async throws { try await change(name, .disable) }

  /// Creates and returns the key with which a proxy names accounts to the console. It is stored nowhere else; the previous key ends.
  public func makeProxyKey() async throws -> String {
    let key = Hexadecimal.text(RandomBytes.make(Self.proxyKeyBytes))
    try await endProxyKey()
    _ = try await asOwner { actor, tx in
      let values: [String: Value] = [
        "key_sha256": .text(SHA256.hex(Array(key.utf8))), "made_by": .text(actor), "as_of": context.asOfValue,
      ]
      try tx.send(context.sql(ConsoleSQL.addProxyKey), values)
      try tx.audit(AuditEntry(actor: actor, act: .proxyKeyMade, subject: "proxy"), in: context)
    }
    return key
  }

  /// Ends the proxy's key, so that it opens no more sessions; returns whether there was one.
  @discardableResult
  public func endProxyKey() async throws -> Bool {
    try await asOwner { actor, tx in
      guard try tx.run(context.sql(ConsoleSQL.endProxyKeys), ["as_of": context.asOfValue]) == 1 else { return false }
      try tx.audit(AuditEntry(actor: actor, act: .proxyKeyEnded, subject: "proxy"), in: context)
      return true
    }
  }

  private func change(
    _ name: String, _ act: Act, role: ConsoleRole? = nil, inboxes: [String] = [], hashes: (salt: String, verifier: String) = ("", ""),
    mailAddress: String = ""
  ) async throws {
    let (context, isOwner) = (context, administrator == nil)
    let work: @Sendable (String, inout DatabaseTransaction) throws -> Void = { actor, tx in
      try Self.checkTeams(inboxes, context, &tx)
      let values: [String: Value] = [
        "act": .text(act.rawValue), "account": .text(name), "role": .text(role?.rawValue ?? ""), "inboxes": .textArray(inboxes),
        "salt": .text(hashes.salt), "verifier": .text(hashes.verifier), "actor": .text(actor), "mail_address": .text(mailAddress),
        "as_of": context.asOfValue,
      ]
      let statement = isOwner ? ConsoleSQL.manageAccount : ConsoleSQL.administerAccount
      guard try tx.rows(context.sql(statement), values).first == 1 else { throw act == .add ? Self.nameIsTaken(name) : Self.unknown(name) }
      try tx.audit(AuditEntry(actor: actor, act: act.audited, subject: name), in: context)
    }
    guard let administrator else { return try await asOwner(work) }
    try await context.transaction(as: .review) { tx in try work(administrator, &tx) }
  }

  /// Returns the teams that own the listed break classes. An inbox is one of them.
  package static func teams(_ classes: ReportTable) throws -> Set<String> { try Set(classes.records.map { try $0.text("owner_team") }) }

  private static func checkTeams(_ inboxes: [String], _ context: JobContext, _ tx: inout DatabaseTransaction) throws {
    guard !inboxes.isEmpty else { return }
    let teams = try teams(ReportTable.read(ConsoleSQL.terms, [:], files: context.sql, tx: &tx))
    for team in inboxes where !teams.contains(team) {
      throw JobError(
        "could not set the inboxes: no break class belongs to a team \"\(team)\"",
        hint: "Teams are \(teams.sorted().joined(separator: ", ")). Nothing was changed.", status: .usage)
    }
  }

  private func asOwner<Result: Sendable>(
    _ work: @escaping @Sendable (String, inout DatabaseTransaction) throws -> Result
  ) async throws -> Result {
    try await context.withSession(as: .migrate) { session in
      let actor = try await session.actor(Person(), in: context)
      return try await session.transaction { tx in try work(actor.name, &tx) }
    }
  }

  package static func hashes(of password: String) throws -> (salt: String, verifier: String) {
    guard password.count >= passwordCharactersMin else {
      throw JobError("could not use the password: it has fewer than \(passwordCharactersMin) characters", status: .usage)
    }
    let salt = Hexadecimal.text(RandomBytes.make(saltBytes))
    guard let proof = proof(of: password, salt: salt) else {
      throw JobError("could not use the password: it has more than \(Scrypt.passwordBytesMax) bytes", status: .usage)
    }
    return (salt, SHA256.hex(Array(proof.utf8)))
  }

  /// Returns the proof of a password that the database receives, as hexadecimal digits; nil for a password that is too long.
  package static func proof(of password: String, salt: String) -> String? {
    Scrypt.derive(password: password, salt: Array(salt.utf8)).map { Hexadecimal.text($0) }
  }

  private static func nameIsTaken(_ name: String) -> JobError {
    JobError(
      "could not add account \"\(name)\": the console has one of this name, perhaps in other letter case or disabled",
      hint: "See payrecon account list. Names that differ only in the case of letters are one person.", status: .usage)
  }

  private static func unknown(_ name: String) -> JobError {
    JobError("could not change account \"\(name)\": there is no such active one", hint: "See payrecon account list.")
  }
}
