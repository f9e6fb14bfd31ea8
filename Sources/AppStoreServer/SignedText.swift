/// A text signed by Apple, unchanged and unverified. It is never printed.
public struct SignedText: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The compact JWS, for the evidence store.
  public let text: String

  public var description: String { "signed text of \(text.utf8.count) bytes" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
