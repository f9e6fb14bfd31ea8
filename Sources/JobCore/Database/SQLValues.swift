internal import Cryptography
package import Domain
package import Postgres

extension Timestamp {
  package var sqlValue: Value { .timestamptz(microseconds: microseconds) }
}

extension Timestamp? {
  package var sqlValue: Value { self?.sqlValue ?? .null }
}

package func interval(seconds: Int64) -> Value { .text("\(seconds) seconds") }

extension CopyWriter {
  /// Writes the 64 hexadecimal digits of a hash as 32 bytes.
  package mutating func hash(_ letters: String) throws(PostgresError) { try bytes(Hexadecimal.bytes(letters)) }
}
