internal import Cryptography
package import Postgres

extension CopyWriter {
  /// A hash in its 64 letters, written as the 32 bytes that the database keeps.
  package mutating func hash(_ letters: String) throws(PostgresError) { try bytes(Hexadecimal.bytes(letters)) }

  package mutating func optionalHash(_ letters: String?) throws(PostgresError) {
    try optionalBytes(letters.map(Hexadecimal.bytes))
  }
}
