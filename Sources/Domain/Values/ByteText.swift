/// A text that equals another one only if both have the same bytes in UTF-8.
///
/// `String` also equates texts that Unicode calls canonically equivalent, such as a composed and a decomposed `é`. The database and the
/// ids in files compare bytes.
public struct ByteText: Hashable, Comparable, Sendable {
  public var text: String

  public init(_ text: String) { self.text = text }

  public static func == (one: ByteText, other: ByteText) -> Bool { one.text.utf8.elementsEqual(other.text.utf8) }

  public static func < (one: ByteText, other: ByteText) -> Bool {
    // Buffers compare twice as fast as views of a string.
    let precedes = unsafe one.text.utf8.withContiguousStorageIfAvailable { bytes in
      unsafe other.text.utf8.withContiguousStorageIfAvailable { unsafe bytes.lexicographicallyPrecedes($0) }
    }
    return (precedes ?? nil) ?? one.text.utf8.lexicographicallyPrecedes(other.text.utf8)
  }

  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // Ends the text; UTF-8 never contains this byte.
    hasher.combine(UInt8.max)
  }
}
