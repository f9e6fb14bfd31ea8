package import Domain
package import Postgres

extension Timestamp {
  /// The instant as a parameter of a statement.
  package var value: Value { .timestamptz(microseconds: microseconds) }
}

extension Timestamp? {
  /// The instant as a parameter of a statement; null for none.
  package var value: Value { self?.value ?? .null }
}
