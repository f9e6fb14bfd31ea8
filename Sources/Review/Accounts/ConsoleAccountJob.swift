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
  /// Also ends the sessions of others.
  case admin
}

/// Accounts of the review console. Only the schema's owner manages them: a reviewer with two accounts could approve alone.
public struct ConsoleAccountJob: Sendable {
  /// Shortest password, in characters.
  public static let passwordCharactersMin = 12
  private static let saltBytes = 16
  private static let proxyKeyBytes = 32

  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// Creates an account.
  ///
  /// - Throws: `JobError` if the password is too short or too long, or the name is invalid or taken.
  public func add(_ name: String, role: ConsoleRole, inboxes: [String], password: String) async throws {
    try Self.check(name)
    let hashes = try Self.hashes(of: password)
    let count = try await change(name, .accountAdded, ConsoleSQL.addAccount) { actor in
      [
        "account": .text(name), "role": .text(role.rawValue), "salt": .text(hashes.salt), "verifier": .text(hashes.verifier),
        "added_by": .text(actor), "inboxes": .textArray(inboxes), "as_of": context.asOfValue,
      ]
    }
    guard count == 1 else {
      throw JobError(
        "could not add account \"\(name)\": the console has one of this name, perhaps in other letter case or disabled",
        hint: "See payrecon account list. Names that differ only in the case of letters are one person.", status: .usage)
    }
  }

  /// Sets an account's password. Its sessions end, and a lock from failed log-ins is lifted.
  ///
  /// - Throws: `JobError` if there is no active account of this name.
  public func setPassword(_ name: String, to password: String) async throws {
    let hashes = try Self.hashes(of: password)
    let count = try await change(name, .passwordSet, ConsoleSQL.setPassword) { _ in
      ["account": .text(name), "salt": .text(hashes.salt), "verifier": .text(hashes.verifier)]
    }
    guard count == 1 else { throw Self.unknown(name) }
  }

  /// Unlocks an account that failed log-ins had locked.
  ///
  /// - Throws: `JobError` if there is no active account of this name.
  public func unlock(_ name: String) async throws {
    let count = try await change(name, .accountUnlocked, ConsoleSQL.unlockAccount) { _ in ["account": .text(name)] }
    guard count == 1 else { throw Self.unknown(name) }
  }

  /// Disables an account and ends its sessions. Its actions stay on record.
  ///
  /// - Throws: `JobError` if there is no active account of this name.
  public func disable(_ name: String) async throws {
    let count = try await change(name, .accountDisabled, ConsoleSQL.disableAccount) { _ in
      ["account": .text(name), "as_of": context.asOfValue]
    }
    guard count == 1 else { throw Self.unknown(name) }
  }

  /// Creates the key with which a proxy names accounts to the console. The previous key ends.
  ///
  /// - Returns: the key, which is stored nowhere else.
  public func makeProxyKey() async throws -> String {
    let key = Hexadecimal.text(RandomBytes.make(Self.proxyKeyBytes))
    try await endProxyKey()
    _ = try await change("proxy", .proxyKeyMade, ConsoleSQL.addProxyKey) { actor in
      ["key_sha256": .text(SHA256.hex(Array(key.utf8))), "made_by": .text(actor), "as_of": context.asOfValue]
    }
    return key
  }

  /// Ends the proxy's key, so that it opens no more sessions.
  ///
  /// - Returns: whether there was a key.
  @discardableResult
  public func endProxyKey() async throws -> Bool {
    try await change("proxy", .proxyKeyEnded, ConsoleSQL.endProxyKeys) { _ in ["as_of": context.asOfValue] } == 1
  }

  /// Streams all accounts by name.
  public func list(_ filter: RowFilter, format: ExportFormat, sink: @escaping @Sendable ([UInt8]) throws -> Void) async throws {
    let statement = try context.sql(ConsoleSQL.accounts)
    try await context.transaction(as: .migrate, .readOnlySnapshot) { tx in
      _ = try filter.stream(statement, as: format, tx: &tx, to: sink)
    }
  }

  private func change(
    _ name: String, _ act: AuditAct, _ statement: Statement< >, _ parameters: (String) -> [String: Value]
  ) async throws -> Int {
    try await context.withSession(as: .migrate) { session in
      let actor = try await session.actor(Person(), in: context)
      let statement = try context.sql(statement)
      let values = parameters(actor.name)
      let context = context
      return try await session.transaction { tx in
        let count = try tx.run(statement, values)
        if count == 1 { try tx.audit(AuditEntry(actor: actor.name, act: act, subject: name), in: context) }
        return count
      }
    }
  }

  private static func check(_ name: String) throws {
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
      default: "._@-".utf8.contains(byte)
      }
    }
    guard isPlain, (1...63).contains(name.utf8.count) else {
      throw JobError("could not use \"\(name)\" as an account: a name is letters, digits and . _ @ -, at most 63", status: .usage)
    }
  }

  private static func hashes(of password: String) throws -> (salt: String, verifier: String) {
    guard password.count >= passwordCharactersMin else {
      throw JobError("could not use the password: it has fewer than \(passwordCharactersMin) characters", status: .usage)
    }
    let salt = Hexadecimal.text(RandomBytes.make(saltBytes))
    guard let proof = ConsoleProof.make(password: password, salt: salt) else {
      throw JobError("could not use the password: it has more than \(Scrypt.passwordBytesMax) bytes", status: .usage)
    }
    return (salt, SHA256.hex(Array(proof.utf8)))
  }

  private static func unknown(_ name: String) -> JobError {
    JobError("could not change account \"\(name)\": there is no such active one", hint: "See payrecon account list.")
  }
}

/// The proof of a password that the database receives.
public enum ConsoleProof {
  /// Returns hexadecimal digits; nil for a password that is too long.
  public static func make(password: String, salt: String) -> String? {
    Scrypt.derive(password: password, salt: Array(salt.utf8)).map { Hexadecimal.text($0) }
  }
}
