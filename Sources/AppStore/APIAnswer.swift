internal import Cryptography
internal import Domain
internal import JSON

/// The signed texts of an App Store Server API answer, and the app and environment that the answer names.
///
/// - Source: App Store Server API, HistoryResponse, StatusResponse, OrderLookupResponse, RefundHistoryResponse, TransactionInfoResponse,
///   AppTransactionInfoResponse, NotificationHistoryResponse.
struct APIAnswer {
  var bundleID: String?
  var appleID: Int64?
  var environment: String?
  var signedTexts: [ArraySlice<UInt8>] = []
  private var fields: PayloadFields
  /// The page of a list; nil when the answer is not paged.
  var page: HistoryPage?
  /// Delivery attempts by signed notification.
  var attempts: [ArraySlice<UInt8>: DeliveryAttempts] = [:]

  var unrecognized: [UnrecognizedValue] { fields.unrecognized }

  private static let signedNames: Set = [
    "signedTransactions", "signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo", "signedPayload",
  ]

  private static let lists = ["signedTransactions", "notificationHistory"]

  /// Reads an answer; returns nil when the object is no answer of the API.
  init?(_ object: JSONObject) {
    let isAnswer = object.has("notificationHistory") || Self.signedNames.contains { object.has($0) } || Self.hasGroups(object)
    guard isAnswer else { return nil }
    fields = PayloadFields(object)
    bundleID = fields.text("bundleId")
    appleID = fields.integer("appAppleId", in: 1...Int64.max)
    environment = fields.text("environment")
    if let hasMore = fields.flag("hasMore"), let list = Self.lists.first(where: { object.has($0) }) {
      page = HistoryPage(list: list, hasMore: hasMore)
    }
    collect(.object(object))
  }

  /// Whether the object is an answer with subscription statuses, including one without any subscription.
  private static func hasGroups(_ object: JSONObject) -> Bool {
    guard let groups = object.array("data") else { return false }
    return groups.isEmpty
      ? object.has("bundleId")
      : groups.contains { group in
        if case .object(let group) = group { group.has("lastTransactions") } else { false }
      }
  }

  private mutating func collect(_ value: JSONValue) {
    switch value {
    case .object(let object):
      noteAttempts(object)
      fields.note(Self.unrecognized(in: object))
      for (name, value) in object.members {
        guard Self.signedNames.contains(name) else {
          collect(value)
          continue
        }
        if let text = object.utf8(name) { signedTexts.append(text) } else { add(value, name) }
      }
    case .array(let values): for value in values { collect(value) }
    default: break
    }
  }

  /// Records the delivery attempts of a notification if one failed.
  ///
  /// Answers before version 1.8 of the API state the result of the first attempt only.
  /// - Source: App Store Server API, NotificationHistoryResponseItem.
  private mutating func noteAttempts(_ object: JSONObject) {
    guard let text = object.utf8("signedPayload") else { return }
    var results = (object.array("sendAttempts") ?? []).compactMap { attempt in
      if case .object(let attempt) = attempt { attempt.string("sendAttemptResult") } else { nil }
    }
    if results.isEmpty { results = object.string("firstSendAttemptResult").map { [$0] } ?? [] }
    attempts[text] = DeliveryAttempts(results: results.map { Printable.claim($0) })
  }

  private static let attemptResults: Set = [
    "SUCCESS", "TIMED_OUT", "TLS_ISSUE", "CIRCULAR_REDIRECT", "NO_RESPONSE", "SOCKET_ISSUE", "UNSUPPORTED_CHARSET", "INVALID_RESPONSE",
    "PREMATURE_CLOSE", "UNSUCCESSFUL_HTTP_RESPONSE_CODE", "OTHER",
  ]

  /// Returns the values beside signed texts that Apple added later: the status of a subscription or order, and the result of a delivery.
  private static func unrecognized(in object: JSONObject) -> [UnrecognizedValue] {
    var fields = PayloadFields(object)
    if object.has("signedTransactions") {
      _ = fields.integer("status", in: 0...1)
    } else if object.has("signedTransactionInfo") || object.has("signedRenewalInfo") {
      _ = fields.integer("status", in: NotificationFields.statuses)
    }
    for name in ["sendAttemptResult", "firstSendAttemptResult"] { _ = fields.word(name, of: attemptResults) }
    return fields.unrecognized
  }

  private mutating func add(_ value: JSONValue, _ name: String) {
    switch value {
    case .array(let values):
      for (value, text) in zip(values, values.texts) {
        if let text { signedTexts.append(text) } else { fields.note(name, value) }
      }
    case .null: break
    default: fields.note(name, value)
    }
  }
}

extension EvidenceReader {
  /// Reads an answer of the API and every signed item in it. Returns nil when the object is no such answer.
  func readAPIAnswer(_ object: JSONObject, _ bytes: [UInt8]) -> [EvidenceItem]? {
    guard let answer = APIAnswer(object) else { return nil }
    guard answer.signedTexts.count <= Self.nestedMax else {
      return [malformed(bytes[...], nil, kind: .apiAnswer, reason: Self.tooMany)]
    }
    var item = EvidenceItem(
      sha256: SHA256.hex(bytes), kind: .apiAnswer, verdict: .genuine, bundleID: Printable.claim(answer.bundleID),
      environment: Printable.claim(answer.environment), raw: bytes[...], unrecognized: answer.unrecognized, page: answer.page)
    if let field = foreignness(bundleID: answer.bundleID, appleID: answer.appleID, environment: answer.environment) {
      item.markForeign(field)
    }
    let inside = answer.signedTexts.flatMap { text in
      var items = readInside(item, text)
      if !items.isEmpty { items[0].deliveryAttempts = answer.attempts[text] }
      return items
    }
    item.noteInner(inside, in: bytes[...])
    return [item] + inside
  }

  /// Returns the field that shows an answer, or a payload of an unknown kind, to be of another app. Returns nil when every named field is
  /// ours.
  func foreignness(bundleID: String?, appleID: Int64?, environment: String?) -> String? {
    if let bundleID {
      guard let app = apps[bundleID] else { return "bundle_id" }
      if let ours = app.appleID, let appleID, ours != appleID { return "app_id" }
    } else if let appleID {
      guard apps.values.contains(where: { $0.appleID == nil || $0.appleID == appleID }) else { return "app_id" }
    }
    if let environment {
      guard AppStoreEnvironment(rawValue: environment)?.isBookable == true else { return "environment" }
    }
    return nil
  }
}
