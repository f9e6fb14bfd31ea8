/// A transaction that somebody wants to hear of from Apple, as it is now.
public struct WitnessQuestion: Sendable {
  public var bundleID: String
  public var transactionID: String
  /// Whether a charge of it is known; of one that is not, it is kept that Apple does not know it either.
  public var isKnown: Bool

  public init(bundleID: String, transactionID: String, isKnown: Bool) {
    self.bundleID = bundleID
    self.transactionID = transactionID
    self.isKnown = isKnown
  }
}

/// How a question to Apple went; what Apple signed is evidence by then.
public struct Testimony: Sendable {
  /// Transactions that Apple said something about.
  public var askedCount = 0
  /// Of these: known in neither App Store.
  public var unknownIDs: [String] = []
  /// Transactions of apps that have no key.
  public var keylessCount = 0
  /// Why some have no answer; nil where all have that can.
  public var silence: String?

  public init() {}
}

/// Asks Apple how transactions are now, in bounded time and outside any transaction, and keeps the answers as evidence.
public protocol AppleWitness: Sendable {
  func ask(_ questions: [WitnessQuestion]) async -> Testimony
}
