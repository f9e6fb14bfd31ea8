internal import Cryptography
internal import Domain
public import JobCore
internal import Postgres

/// Reviewers' accounts in the database: logins that may decide and read, and nothing else.
///
/// The database authenticates the acting login. Four eyes are two different logins.
public struct DatabaseAccountJob: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// A login that may decide.
  public struct Account: Sendable {
    public var name: String
    public var isThis: Bool
    /// Whether the account is a superuser, like the owner of a private cluster, and could act as any other.
    public var isSuperuser: Bool
  }

  private static let passwordBytes = 18

  public func list() async throws -> [Account] {
    try await context.rows(AccountsSQL.list, as: .report).map { Account(name: $0, isThis: $1, isSuperuser: $2) }
  }

  /// Returns the password of the new account, which is stored nowhere else.
  ///
  /// - Throws: `JobError` if the name is invalid or taken, `PostgresError` if this login may not create roles.
  public func add(_ name: String) async throws -> String {
    let role = try Self.quoted(name)
    if let other = try await list().first(where: { $0.name != name && Person.isSame($0.name, name) }) {
      throw JobError(
        "could not add account \"\(name)\": \"\(other.name)\" differs from it only in case, so both are one person",
        hint: "Choose another name. Nothing was changed.", status: .usage)
    }
    let password = Hexadecimal.text(RandomBytes.make(Self.passwordBytes))
    do {
      try await change(
        [
          "create role \(role) login password '\(password)'",
          "grant \(DatabaseRole.review.rawValue), \(DatabaseRole.report.rawValue) to \(role)",
        ], name, .accountAdded)
    } catch PostgresError.server(let error) where error.sqlState == .duplicateObject {
      throw JobError(
        "could not add account \"\(name)\": the database has a login of this name",
        hint: "Choose another name; payrecon database accounts lists those that may decide. Nothing was changed.",
        status: .usage)
    }
    return password
  }

  /// Removes an account. Its decisions stay under its name.
  ///
  /// - Throws: `JobError` if the account does not exist, is the current one or is the owner's.
  public func remove(_ name: String) async throws {
    let role = try Self.quoted(name)
    guard let account = try await list().first(where: { $0.name == name }) else {
      throw JobError("could not remove account \"\(name)\": there is none", hint: "See payrecon database accounts.")
    }
    guard !account.isThis, !account.isSuperuser else {
      throw JobError("could not remove account \"\(name)\": it is \(account.isThis ? "this one" : "the owner's")")
    }
    try await change(["drop role \(role)"], name, .accountRemoved)
  }

  private func change(_ statements: [String], _ name: String, _ act: AuditAct) async throws {
    try await context.withSession(adjusting: { $0.role = nil }) { session in
      let actor = try await session.actor(Person(), in: context)
      try await session.transaction { tx in
        for statement in statements { try tx.execute(statement) }
        try tx.audit(AuditEntry(actor: actor.name, act: act, subject: name), in: context)
      }
    }
  }

  /// - Throws: `JobError` for a name that is invalid, or reserved by PostgreSQL or payrecon.
  private static func quoted(_ name: String) throws -> String {
    guard AccountName.isPlain(name), !name.hasPrefix("pg_"), !name.hasPrefix("payrecon"), name != "public", name != "none" else {
      throw JobError(
        "could not use \"\(name)\" as an account: a name is letters, digits and . _ - @, at most \(AccountName.bytesMax), and does "
          + "not begin with pg_ or payrecon", status: .usage)
    }
    return "\"\(name)\""
  }

  /// Whether the database can distinguish two reviewers.
  public struct FourEyes: Sendable {
    public var accounts: [String]

    public init(accounts: [String]) { self.accounts = accounts }

    public var isEnforceable: Bool { accounts.count >= 2 }

    private static let namesMax = 10

    public var text: String {
      if isEnforceable {
        let rest = accounts.count > Self.namesMax ? " and more" : ""
        return "\(accounts.count) accounts may decide: \(accounts.prefix(Self.namesMax).joined(separator: ", "))\(rest)"
      }
      let who = accounts.first.map { "all share the login \($0)" } ?? "no login may act as payrecon_review"
      return "cannot be enforced, \(who): a ban, a forced match or a write-off can be proposed and not approved; make an "
        + "account for each person: payrecon database accounts add NAME"
    }
  }

  public func fourEyes() async throws -> FourEyes {
    let logins = try await list().map(\.name)
    let accounts = try await context.rows(ConsoleSQL.deciders, as: .report)
    // A console account and a login whose names differ only in letter case are one person.
    return FourEyes(
      accounts: (logins + accounts).reduce(into: []) { people, name in
        if !people.contains(where: { Person.isSame($0, name) }) { people.append(name) }
      })
  }
}

/// Names of accounts of the database and of the console.
enum AccountName {
  /// Maximum length of an identifier of PostgreSQL.
  static let bytesMax = 63

  static func isPlain(_ name: String) -> Bool {
    (1...bytesMax).contains(name.utf8.count)
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "._-@".utf8.contains(byte)
        }
      }
  }
}
