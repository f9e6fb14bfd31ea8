internal import Cryptography

/// The hashes of a text file: of its bytes, and of its lines, which files that differ only in line ends (CRLF or LF) share.
struct TextHashes: ~Copyable {
  private var bytes = SHA256()
  private var lines = SHA256()
  /// Whether the last byte was a carriage return, which counts unless a line feed follows.
  private var endsInReturn = false

  mutating func update(_ chunk: ArraySlice<UInt8>) {
    bytes.update(chunk)
    guard endsInReturn || chunk.contains(Self.carriageReturn) else { return lines.update(chunk) }
    var kept: [UInt8] = []
    kept.reserveCapacity(chunk.count + 1)
    for byte in chunk {
      if endsInReturn, byte != Self.lineFeed { kept.append(Self.carriageReturn) }
      endsInReturn = byte == Self.carriageReturn
      if !endsInReturn { kept.append(byte) }
    }
    lines.update(kept[...])
  }

  /// Returns both hashes in lower-case hexadecimal.
  consuming func hex() -> (bytes: String, lines: String) {
    if endsInReturn { lines.update([Self.carriageReturn][...]) }
    return (bytes.hex(), lines.hex())
  }

  private static let carriageReturn = UInt8(ascii: "\r")
  private static let lineFeed = UInt8(ascii: "\n")
}
