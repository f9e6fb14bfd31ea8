public import Wording

/// A rejected input, with everything needed to find, correct and retry it.
public struct ParkedItem: Hashable, Sendable {
  /// Kind of input: `orders`, `users`, `catalogue`, `apple`, or `receipt` for a receipt that Apple does not verify.
  public var kind: String
  /// File name as given; `-` for standard input.
  public var file: String
  /// First line of the item, from 1.
  public var line: Int
  /// Field or column at fault; empty if the whole item is.
  public var field: String
  /// The reason, for a reader, without secret values.
  public var reason: Phrase
  /// The item's bytes, truncated at a named limit.
  public var raw: [UInt8]
  /// Length of the item in its file; more than `raw.count` if it was truncated.
  public var byteCount: Int
  /// Whether the item represents a truncated file. A complete file of that name resolves it.
  public var isTruncated: Bool

  public init(
    kind: String, file: String, line: Int, field: String, reason: Phrase, raw: [UInt8], byteCount: Int, isTruncated: Bool = false
  ) {
    self.kind = kind
    self.file = file
    self.line = line
    self.field = field
    self.reason = reason
    self.raw = raw
    self.byteCount = byteCount
    self.isTruncated = isTruncated
  }
}
