/// What is known about an id: lines for a person, and what Apple said about its purchases as fields.
public struct Explained: Sendable {
  /// How a subscription stands, a notification, a request that waits for an answer, or a source of Apple's that was not asked.
  public struct Fact: Sendable {
    /// `subscription`, `notification`, `request` or `source`; nil where the line says only that there are more.
    public var kind: String?
    public var line: String
    /// A JSON object; nil where `kind` is.
    public var fields: String?
  }

  public var lines: [String]
  public var facts: [Fact]

  /// Everything as one text.
  public var text: String { (lines + facts.map(\.line)).joined(separator: "\n") }
}
