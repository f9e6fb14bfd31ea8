/// The bytes of an input as they are behind its packing.
public enum UnpackedInput {
  /// Hands the bytes on, chunk by chunk.
  ///
  /// - Returns: why they are not all of the file, as when it was cut off; nil when they are.
  /// - Throws: `IntakeError` when it cannot be opened or unpacked; whatever `sink` throws.
  public static func read(path: String, _ sink: (ArraySlice<UInt8>) throws -> Void) throws -> String? {
    let source = try ByteSource(path: path)
    var buffer = [UInt8](repeating: 0, count: IntakeLimits.chunkBytes)
    while true {
      let count = try source.read(into: &buffer, from: 0)
      if count == 0 { return source.fault }
      try sink(buffer[..<count])
    }
  }
}
