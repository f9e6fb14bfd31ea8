public import Domain

/// One of the company's apps.
public struct AppIdentity: Sendable {
  public var bundleID: String
  /// Apple's number of the app; nil leaves it unchecked.
  public var appleID: Int64?

  public init(bundleID: String, appleID: Int64? = nil) {
    self.bundleID = bundleID
    self.appleID = appleID
  }
}

/// A value that cannot be used: of a kind Apple added later, or not of the documented shape.
public struct UnrecognizedValue: Hashable, Sendable {
  public var field: String
  /// The value, cut at `valueCharactersMax`.
  public var value: String

  public static let valueCharactersMax = 200
  /// Stands for the value of a field that is absent.
  public static let missing = "missing"
}

/// One piece of evidence: an item, or a signed item inside it.
public struct EvidenceItem: Sendable {
  /// SHA-256 of the item's own text (of the JWS inside a notification body), in hexadecimal.
  public var sha256: String
  /// Hash under which the same item is known while what it was found in is not genuine; nil when there is none.
  public var formerSHA256: String?
  /// Item it was found in; nil at the top.
  public var parentSHA256: String?
  /// Of the text that a notification was posted in, or of the bytes that a receipt in base64 stands for: backends keep the
  /// hash of one or the other; nil when it came bare.
  public internal(set) var bodySHA256: String?
  /// nil when nothing of it could be read.
  public var kind: EvidenceKind?
  public var verdict: EvidenceVerdict
  /// Why it is not genuine; empty when it is.
  public var reason = ""
  /// Field at fault; empty when the whole item is.
  public var field = ""
  /// As the item claims; empty when it names none.
  public var bundleID = ""
  public var environment = ""
  public var raw: ArraySlice<UInt8>
  /// Bytes of the first segment when its signer is known, so that equal headers can be kept once; else 0.
  public var headerLength = 0
  /// SHA-256 of that segment; nil when `headerLength` is 0.
  var headerSHA256: String?
  /// Texts inside it that are genuine items by themselves, in their order.
  var inner: [InnerText] = []
  /// Where in its decoded payload stand the values that differ from item to item; empty when it is kept with all it says.
  var values: [Range<Int>] = []
  public var signedAt: Timestamp?
  /// Kind of the signed text that lists it; nil when it is signed by itself.
  public var listedIn: EvidenceKind?
  public var transaction: TransactionFields?
  public var renewal: RenewalFields?
  public var notification: NotificationFields?
  public var unrecognized: [UnrecognizedValue] = []
  /// Of an answer that is one page of several; nil for every other item.
  public var page: HistoryPage?
  /// Why Apple could not deliver it, as a notification history says; nil when it could, or nobody says.
  public var deliveryFailure: String?

  init(raw: ArraySlice<UInt8>, sha256: String, parentSHA256: String?, verdict: EvidenceVerdict) {
    self.raw = raw
    self.sha256 = sha256
    self.parentSHA256 = parentSHA256
    self.verdict = verdict
  }

  /// Whether Apple signed it and it lacks a field that would say whose it is.
  public var lacksOrigin: Bool { verdict == .pending && !field.isEmpty }

  /// Calls it genuine and not ours, by a field.
  mutating func markForeign(_ field: String) {
    verdict = .foreign
    self.field = field
    reason = field
  }

  /// Leaves the verdict open for want of a field.
  mutating func lack(_ field: String, apple name: String) {
    verdict = .pending
    self.field = field
    reason = "\(field) is missing"
    unrecognized.append(UnrecognizedValue(field: name, value: UnrecognizedValue.missing))
  }

  /// Takes back what a genuine item tells when a value in it lies beyond what any purchase can have.
  mutating func refuse(_ excess: FieldExcess?) {
    guard let excess else { return }
    transaction = nil
    renewal = nil
    guard verdict == .genuine else { return }
    verdict = .malformed
    field = excess.field
    reason = excess.reason
  }
}

/// One page of a history that Apple answers in pages.
public struct HistoryPage: Sendable {
  /// Member that lists its items.
  public var list: String
  /// Whether another page follows.
  public var hasMore: Bool
}

/// A value that no purchase can have.
struct FieldExcess: Sendable {
  var field: String
  var reason: String
}

extension [EvidenceItem] {
  /// Returns the items, parents first. An item that Apple signed after the clock, and any item nested in it, is pending.
  public func held(after clock: Timestamp) -> [EvidenceItem] {
    var held: Set<String> = []
    return map { item in
      let isHeld = item.signedAt.map { $0 > clock } ?? false || item.parentSHA256.map(held.contains) ?? false
      guard isHeld else { return item }
      held.insert(item.sha256)
      guard item.verdict == .genuine else { return item }
      var pending = item
      pending.verdict = .pending
      pending.field = "signedDate"
      pending.reason = EvidenceItem.heldReason
      return pending
    }
  }
}

extension EvidenceItem {
  /// The reason of what is held until a clock passes the instant at which Apple signed it.
  public static let heldReason = "signed after the clock"
}
