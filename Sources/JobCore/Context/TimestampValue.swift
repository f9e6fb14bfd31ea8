package import Domain
package import Postgres

extension Timestamp {
  /// The instant as a parameter of a statement.
  package var sqlValue: Value { .timestamptz(microseconds: microseconds) }
}

extension Timestamp? {
  /// The instant as a parameter of a statement; null for none.
  package var sqlValue: Value { self?.sqlValue ?? .null }
}
