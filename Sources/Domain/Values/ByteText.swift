/// A text that equals another one only if both have the same bytes in UTF-8.
///
/// `String` also equates texts that Unicode calls canonically equivalent, such as a composed and a decomposed `é`. The database and the
/// ids in files compare bytes.
public struct ByteText: Hashable, Comparable, Sendable {
  public var text: String

  public init(_ text: String) { self.text = text }

  public static func == (one: ByteText, other: ByteText) -> Bool {
    unsafe buffers(one, other) { unsafe $0.elementsEqual($1) } ?? one.text.utf8.elementsEqual(other.text.utf8)
  }

  public static func < (one: ByteText, other: ByteText) -> Bool {
    unsafe buffers(one, other) { unsafe $0.lexicographicallyPrecedes($1) } ?? one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
  }

  /// Passes the bytes of both texts to `compare`: twice as fast as comparing views. nil if a text is not stored as UTF-8.
  private static func buffers(
    _ one: ByteText, _ other: ByteText, _ compare: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Bool? {
    let result = unsafe one.text.utf8.withContiguousStorageIfAvailable { bytes in
      unsafe other.text.utf8.withContiguousStorageIfAvailable { unsafe compare(bytes, $0) }
    }
    return result ?? nil
  }

  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // Ends the text; UTF-8 never contains this byte.
    hasher.combine(UInt8.max)
  }
}
