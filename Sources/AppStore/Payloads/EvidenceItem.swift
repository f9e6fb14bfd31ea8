public import Domain
public import Wording

/// One of the company's apps.
public struct AppIdentity: Sendable {
  public var bundleID: String
  /// Apple's number of the app; nil skips the check.
  public var appleID: Int64?

  public init(bundleID: String, appleID: Int64? = nil) {
    self.bundleID = bundleID
    self.appleID = appleID
  }
}

/// A value that cannot be used: Apple added its kind later, or its shape is undocumented.
public struct UnrecognizedValue: Hashable, Sendable {
  public var field: String
  /// The value, truncated to `valueCharactersMax`.
  public var value: String

  public static let valueCharactersMax = 200
  /// Value shown for an absent field.
  public static let missing = "missing"
}

/// One piece of evidence: an item, or a signed item nested in it.
public struct EvidenceItem: Sendable {
  /// SHA-256 of the item's own text (of the JWS inside a notification body), in hexadecimal.
  public var sha256: String
  /// Hash that identifies the same item while its parent is not genuine; nil when there is none.
  public var formerSHA256: String?
  /// SHA-256 of the item that contains this one; nil at the top level.
  public var parentSHA256: String?
  /// SHA-256 of the notification's body, of the bytes decoded from a base64 receipt, or of a signed text sent with white space; nil for
  /// an item without any. Backends store either hash.
  public internal(set) var bodySHA256: String?
  /// nil when the item cannot be read at all.
  public var kind: EvidenceKind?
  public var verdict: EvidenceVerdict
  /// Reason why the item is not genuine; nil when it is.
  public var reason: Phrase?
  /// Field at fault; empty when the whole item is at fault.
  public var field = ""
  /// Bundle id that the item claims; empty when it names none.
  public var bundleID = ""
  public var environment = ""
  public var raw: ArraySlice<UInt8>
  /// Length of the first segment if its signer is known, so that equal headers are stored once; otherwise 0.
  public var headerLength = 0
  /// SHA-256 of that segment; nil when `headerLength` is 0.
  var headerSHA256: String?
  /// Genuine items nested in the text, in their order.
  var inner: [InnerText] = []
  /// Ranges in the decoded payload of the values that vary between items; empty when the payload is stored whole.
  var values: [Range<Int>] = []
  public var signedAt: Timestamp?
  /// Kind of the signed item that lists this one; nil when this item has its own signature.
  public var listedIn: EvidenceKind?
  public var transaction: TransactionFields?
  public var renewal: RenewalFields?
  public var notification: NotificationFields?
  public var unrecognized: [UnrecognizedValue] = []
  /// Page information of a paged answer; nil for every other item.
  public var page: HistoryPage?
  /// Attempts to deliver the notification, from a notification history; nil if none failed or none is known.
  public var deliveryAttempts: DeliveryAttempts?

  /// Whether Apple signed the item but a field that names its app is missing.
  public var lacksOrigin: Bool { verdict == .pending && !field.isEmpty }

  /// Whether the unrecognised values are Apple's: the item is genuine, lacks a field that names its app, or is of an environment that
  /// Apple added later.
  public var statesUnrecognized: Bool {
    verdict == .genuine || lacksOrigin || verdict == .foreign && field == "environment" && isOfUnknownEnvironment
  }

  private var isOfUnknownEnvironment: Bool { AppStoreEnvironment(rawValue: environment) == nil }

  /// Sets the verdict of an item that is not genuine, with the field at fault.
  mutating func mark(_ verdict: EvidenceVerdict, _ field: String, _ reason: Phrase) {
    self.verdict = verdict
    self.field = field
    self.reason = reason
  }

  /// Marks a genuine item as foreign because of a field. An environment that Apple added later is noted, too.
  mutating func markForeign(_ field: String) {
    mark(.foreign, field, .code(field))
    let isNew = isOfUnknownEnvironment && !environment.isEmpty
    guard field == "environment", isNew, !unrecognized.contains(where: { $0.value == environment }) else { return }
    unrecognized.append(UnrecognizedValue(field: field, value: environment))
  }

  /// Notes a type of receipts that Apple added later.
  mutating func noteReceiptType(_ type: String) { unrecognized.append(UnrecognizedValue(field: "receipt_type", value: type)) }

  /// Keeps the verdict pending because a field is missing.
  mutating func markMissing(_ field: String, apple name: String) {
    mark(.pending, field, Phrase("signed.is_missing", ["field": .plain(field)]))
    unrecognized.append(UnrecognizedValue(field: name, value: UnrecognizedValue.missing))
  }
}

/// One page of a history that Apple answers in pages.
public struct HistoryPage: Sendable {
  /// Name of the member that lists the items.
  public var list: String
  /// Whether another page follows.
  public var hasMore: Bool
}

extension [EvidenceItem] {
  /// Returns the items, parents first. An item that Apple signed after the clock, and any item nested in it, is pending.
  public func pending(after clock: Timestamp) -> [EvidenceItem] {
    var parents: Set<String> = []
    return map { item in
      let isPending = item.signedAt.map { $0 > clock } ?? false || item.parentSHA256.map(parents.contains) ?? false
      guard isPending else { return item }
      parents.insert(item.sha256)
      guard item.verdict == .genuine else { return item }
      var pending = item
      pending.mark(.pending, "signedDate", "signed.later")
      return pending
    }
  }
}

extension Phrase {
  /// Reason of an item that lacks a signature.
  public static let unsigned = Phrase.code("unsigned")
}
