public import Wording

/// The explanation of an id: lines for a reader, and Apple's statements about its purchases as fields.
public struct Explanation: Sendable {
  /// The state of a subscription, a notification, an unanswered request, or a source of Apple's that was not queried.
  public struct Fact: Sendable {
    /// `subscription`, `notification`, `request` or `source`; nil for a line that only states that there are more.
    public var kind: String?
    public var line: Phrase
    /// A JSON object; nil if `kind` is nil.
    public var fields: String?
  }

  public var lines: [Phrase]
  public var facts: [Fact]

  public init(lines: [Phrase], facts: [Fact] = []) {
    self.lines = lines
    self.facts = facts
  }

  /// All lines as one text.
  public var text: Phrase { .list(lines + facts.map(\.line), separator: "\n") }
}
