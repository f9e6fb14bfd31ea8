internal import Cryptography
package import Postgres

extension CopyWriter {
  /// Writes the 64 hexadecimal digits of a hash as 32 bytes.
  package mutating func hash(_ letters: String) throws(PostgresError) { try bytes(Hexadecimal.bytes(letters)) }
}
