public import Wording

/// The decompressed bytes of an input.
public enum UnpackedInput {
  /// Passes the bytes to `sink` in chunks.
  ///
  /// - Returns: why the file is incomplete, for instance truncated; nil when it is complete.
  /// - Throws: `IntakeError` when it cannot be opened or decompressed, and any error of `sink`.
  public static func read(path: String, _ sink: (ArraySlice<UInt8>) throws -> Void) throws -> Phrase? {
    let source = try ByteSource(path: path)
    var buffer = [UInt8](repeating: 0, count: IntakeLimits.chunkBytes)
    while true {
      let count = try source.read(into: &buffer, from: 0)
      if count == 0 { return source.fault }
      try sink(buffer[..<count])
    }
  }
}
