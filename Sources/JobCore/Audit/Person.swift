internal import Domain
internal import Postgres

/// Who acts, as they say; who they are is for the database to say.
public struct Person: Sendable {
  /// A name to go by; nil goes by the account.
  public var name: String?

  public init(name: String? = nil) { self.name = name }

  /// Whether two accounts are one person: the same name, in whatever case of letters, as the database compares them.
  package static func isSame(_ account: String, _ other: String) -> Bool { account.lowercased() == other.lowercased() }
}

/// Who acts: a name to go by, and the login that the database authenticated.
package struct Actor: Sendable {
  package var name: String
  package var account: String

  package init(name: String, account: String) {
    self.name = name
    self.account = account
  }
}

extension Session {
  /// Who acts on this connection.
  ///
  /// - Throws: `JobError` for a name of blanks.
  package func actor(_ person: Person, in context: JobContext) async throws -> Actor {
    let file = try context.sql(QueueSQL.account)
    let account = try await transaction(.readOnlySnapshot) { tx in try tx.rows(file) }.first ?? ""
    let name = person.name ?? account
    guard !name.isBlank else {
      throw JobError("could not act: a person must be named", hint: "Leave --person out to go by the account.", status: .usage)
    }
    return Actor(name: name, account: account)
  }
}
