internal import Domain
public import JobCore
internal import Postgres

/// Accounts of people: logins of the database that may decide and read, and nothing else.
///
/// Who acts is the login that the database authenticated; four eyes are two of them.
public struct AccountJob: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  /// A login that may decide.
  public struct Account: Sendable {
    public var name: String
    /// Whether it is the one that asks.
    public var isThis: Bool
    /// Whether it could act as any other; the owner of a private cluster is such a login.
    public var isSuperuser: Bool
  }

  /// Longest name of a role in PostgreSQL, in bytes.
  private static let nameBytesMax = 63
  /// Bytes of randomness in a password.
  private static let passwordBytes = 18

  /// Logins that may decide, by name.
  public func list() async throws -> [Account] {
    return try await context.withSession(as: .report) { session in
      try await Self.list(on: session, context)
    }
  }

  static func list(on session: Session, _ context: JobContext) async throws -> [Account] {
    let file = try context.sql(AccountsSQL.list)
    return try await session.transaction(.readOnlySnapshot) { tx in
      try tx.rows(file).map { Account(name: $0, isThis: $1, isSuperuser: $2) }
    }
  }

  /// Makes an account.
  ///
  /// - Returns: its password, which is kept nowhere else.
  /// - Throws: `JobError` for a name that cannot be one, `PostgresError` when it is taken or this login may make none.
  public func add(_ name: String) async throws -> String {
    let role = try Self.quoted(name)
    if let other = try await list().first(where: { $0.name != name && Person.isSame($0.name, name) }) {
      throw JobError(
        "could not add account \"\(name)\": \"\(other.name)\" differs from it only in the case of letters, so both are one person",
        hint: "Choose another name. Nothing was changed.", status: .usage)
    }
    let password = Self.password()
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

  /// Ends an account; what it decided stays, and says so under its name.
  ///
  /// - Throws: `JobError` when nobody has it.
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
    let context = context
    try await context.withSession(adjusting: { $0.role = nil }) { session in
      let actor = try await session.actor(Person(), in: context)
      try await session.transaction { tx in
        for statement in statements { try tx.execute(statement) }
        try tx.audit(AuditEntry(actor: actor.name, act: act, subject: name), in: context)
      }
    }
  }

  /// - Throws: `JobError` for what PostgreSQL or payrecon keep for themselves.
  private static func quoted(_ name: String) throws -> String {
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "@"):
        true
      default: false
      }
    }
    guard isPlain, (1...nameBytesMax).contains(name.utf8.count), !name.hasPrefix("pg_"), !name.hasPrefix("payrecon"),
      name != "public", name != "none"
    else {
      throw JobError(
        "could not use \"\(name)\" as an account: a name is letters, digits and . _ - @, at most \(nameBytesMax), and does "
          + "not begin with pg_ or payrecon", status: .usage)
    }
    return "\"\(name)\""
  }

  private static func password() -> String {
    var random = SystemRandomNumberGenerator()
    let digits = Array("0123456789abcdef")
    return String((0..<passwordBytes * 2).map { _ in digits[Int.random(in: 0..<16, using: &random)] })
  }
}

extension AccountJob {
  /// Whether the database can tell two people apart.
  public struct FourEyes: Sendable {
    /// Logins and accounts of the console that may decide.
    public var accounts: [String]

    public init(accounts: [String]) { self.accounts = accounts }

    public var isEnforceable: Bool { accounts.count >= 2 }

    /// Names that are told; a company may have many.
    private static let namesMax = 10

    /// What was found and, where two people cannot be told apart, what to do.
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

  /// Whether four eyes can be enforced here.
  public func fourEyes() async throws -> FourEyes {
    let logins = try await list().map(\.name)
    let file = try context.sql(ConsoleSQL.deciders)
    let accounts = try await context.transaction(as: .report, .readOnlySnapshot) { tx in
      try tx.rows(file)
    }
    // An account of the console and a login of the same name, in whatever case of letters, are one person.
    return FourEyes(
      accounts: (logins + accounts).reduce(into: []) { people, name in
        if !people.contains(where: { Person.isSame($0, name) }) { people.append(name) }
      })
  }
}
