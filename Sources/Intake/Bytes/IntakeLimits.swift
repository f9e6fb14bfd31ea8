/// Bounds on what one input may make this program hold in memory.
public enum IntakeLimits {
  /// Bytes of one CSV record or NDJSON line; a longer one is parked.
  public static let recordBytesMax = 1 << 20
  /// Columns of a CSV header and members of a row object.
  public static let columnsMax = 200
  /// Bytes kept of an item that is longer than its limit.
  public static let overlongBytesKept = 4096
  /// Bytes of one piece of Apple evidence; a longer one is parked.
  public static let evidenceBytesMax = 16 << 20
  /// Bytes of an id, a name or another free text of a row.
  public static let textBytesMax = 255
  /// Bytes of a value quoted in a reason.
  public static let quotedBytesMax = 64
  /// Bytes that one packed input may unpack to.
  public static let unpackedBytesMax = 64 << 30
  /// Address space, computing time and window of a program that unpacks an input.
  static let unpackerMemoryBytesMax = 512 << 20
  static let unpackerSecondsMax = 3600
  static let unpackerWindowBytesMax = 128 << 20
  /// Bytes of a record that its file ends in that are kept.
  static let cutBytesKept = 1 << 20
  /// Bytes asked of the system at once.
  static let chunkBytes = 256 << 10
}
