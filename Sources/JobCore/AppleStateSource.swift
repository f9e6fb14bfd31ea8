public import Wording

public struct AppleStateQuery: Sendable {
  public var bundleID: String
  public var transactionID: String
  /// Whether its charge is known. If not, an answer that Apple does not know it is recorded, too.
  public var isKnown: Bool

  public init(bundleID: String, transactionID: String, isKnown: Bool) {
    self.bundleID = bundleID
    self.transactionID = transactionID
    self.isKnown = isKnown
  }
}

/// The result of requests to Apple. Apple's signed answers are already stored as evidence.
public struct AppleStateResult: Sendable {
  /// Number of transactions that Apple answered.
  public var askedCount = 0
  /// The answered transactions that neither App Store environment knows.
  public var unknownIDs: [String] = []
  /// The reason for missing answers; nil if every app with a key was answered.
  public var missingReason: Phrase?

  public init() {}
}

/// A source of the current state of transactions at Apple. It works in bounded time and outside any database transaction, and stores the
/// answers as evidence.
public protocol AppleStateSource: Sendable {
  func ask(_ questions: [AppleStateQuery]) async -> AppleStateResult
}
