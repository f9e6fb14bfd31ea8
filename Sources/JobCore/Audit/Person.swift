internal import Domain
internal import Postgres
internal import Wording

/// The acting user under a self-chosen name. The database authenticates the account.
public struct Person: Sendable {
  /// Display name; nil uses the account.
  public var name: String?

  public init(name: String? = nil) { self.name = name }

  /// Whether two accounts belong to one person: names are compared without regard to case and blanks, as in the database.
  package static func isSame(_ account: String, _ other: String) -> Bool { PersonName.key(account) == PersonName.key(other) }
}

/// The acting user: a display name, and the login that the database authenticated.
package struct Actor: Sendable {
  package var name: String
  package var account: String

  package init(name: String, account: String) {
    self.name = name
    self.account = account
  }
}

extension Session {
  /// Returns the acting user of this connection.
  ///
  /// - Throws: `JobError` if the name is blank.
  package func actor(_ person: Person, in context: JobContext) async throws -> Actor {
    let account = try await context.rows(QueueSQL.account, on: self).first ?? ""
    let name = person.name ?? account
    guard !name.isBlank else {
      throw JobError(Phrase("refusal.person"), hint: "Leave --person out to go by the account.", status: .usage)
    }
    return Actor(name: name, account: account)
  }
}
