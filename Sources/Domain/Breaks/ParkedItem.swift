/// An input that could not be taken, kept with everything needed to find, mend and retry it.
public struct ParkedItem: Hashable, Sendable {
  /// Kind of input: `orders`, `users`, `catalogue`, `apple`, or `receipt` for one that Apple does not judge.
  public var kind: String
  /// File as it was named; `-` for standard input.
  public var file: String
  /// First line of the item, from 1.
  public var line: Int
  /// Field or column at fault; empty when the whole item is.
  public var field: String
  /// Why, for a person, without the value of secrets.
  public var reason: String
  /// The item's bytes, cut at a named limit.
  public var raw: [UInt8]
  /// Length of the item in its file; more than `raw.count` when it was cut.
  public var byteCount: Int
  /// Whether its file ends before it should, which the item stands for; a whole file of that name settles it.
  public var isCut: Bool

  public init(
    kind: String, file: String, line: Int, field: String, reason: String, raw: [UInt8],
    byteCount: Int, isCut: Bool = false
  ) {
    self.kind = kind
    self.file = file
    self.line = line
    self.field = field
    self.reason = reason
    self.raw = raw
    self.byteCount = byteCount
    self.isCut = isCut
  }
}
