package import Domain
package import Postgres

extension Timestamp {
  package var sqlValue: Value { .timestamptz(microseconds: microseconds) }
}

extension Timestamp? {
  package var sqlValue: Value { self?.sqlValue ?? .null }
}
