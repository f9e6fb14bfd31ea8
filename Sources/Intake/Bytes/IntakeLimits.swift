/// Limits on the memory that one input may occupy.
public enum IntakeLimits {
  /// Maximum length of one CSV record or NDJSON line in bytes; a longer one is parked.
  public static let recordBytesMax = 1 << 20
  /// Maximum number of columns in a CSV header and of members in a row object.
  public static let columnsMax = 200
  /// Number of bytes kept of an item that exceeds its limit.
  public static let overlongBytesKept = 4096
  /// Maximum length of one piece of Apple evidence in bytes; a longer one is parked.
  public static let evidenceBytesMax = 16 << 20
  /// Maximum length of an id, a name or another text of a row, in bytes.
  public static let textBytesMax = 255
  /// Maximum length of a value quoted in a reason, in bytes.
  public static let quotedBytesMax = 64
  /// Maximum decompressed length of one input in bytes.
  public static let unpackedBytesMax = 64 << 30
  /// Limits of the decompressing program: address space, processor time and window.
  static let unpackerMemoryBytesMax = 512 << 20
  static let unpackerSecondsMax = 3600
  static let unpackerWindowBytesMax = 128 << 20
  /// Number of bytes kept of a truncated last record.
  static let truncatedBytesKept = 1 << 20
  /// Number of bytes requested from the system at once.
  static let chunkBytes = 256 << 10
}
