internal import Cryptography
internal import Domain

/// The signed texts of an App Store Server API answer, and what the answer says it is about.
///
/// - Source: App Store Server API, HistoryResponse, StatusResponse, OrderLookupResponse, RefundHistoryResponse,
///   TransactionInfoResponse, AppTransactionInfoResponse, NotificationHistoryResponse.
struct APIAnswer {
  var bundleID: String?
  var appleID: Int64?
  var environment: String?
  var signedTexts: [String] = []
  var unrecognized: [UnrecognizedValue]

  /// Signed texts of one answer; Apple's largest page has 100 subscriptions.
  static let signedTextsMax = 20_000

  private static let signedNames: Set = [
    "signedTransactions", "signedTransactionInfo", "signedRenewalInfo", "signedAppTransactionInfo", "signedPayload",
  ]

  /// nil when the object is no answer of the API.
  init?(_ object: JSONObject) {
    let isAnswer =
      object["notificationHistory"] != nil || Self.signedNames.contains { object[$0] != nil } || Self.hasGroups(object)
    guard isAnswer else { return nil }
    var fields = PayloadFields(object)
    bundleID = fields.text("bundleId")
    appleID = fields.integer("appAppleId", in: 1...Int64.max)
    environment = fields.text("environment")
    unrecognized = fields.unrecognized
    collect(.object(object))
  }

  /// Whether it is the statuses of all subscriptions, even of none.
  private static func hasGroups(_ object: JSONObject) -> Bool {
    guard case .array(let groups)? = object["data"] else { return false }
    return groups.isEmpty ? object["bundleId"] != nil : groups.contains { group in
      if case .object(let group) = group { group["lastTransactions"] != nil } else { false }
    }
  }

  private mutating func collect(_ value: JSONValue) {
    switch value {
    case .object(let object):
      for (name, value) in object.members {
        if Self.signedNames.contains(name) { add(value, name) } else { collect(value) }
      }
    case .array(let values): for value in values { collect(value) }
    default: break
    }
  }

  private mutating func add(_ value: JSONValue, _ name: String) {
    switch value {
    case .string(let text): signedTexts.append(text)
    case .array(let values):
      for value in values {
        if case .string(let text) = value { signedTexts.append(text) } else { note(name, value) }
      }
    case .null: break
    default: note(name, value)
    }
  }

  private mutating func note(_ name: String, _ value: JSONValue) {
    var fields = PayloadFields(JSONObject())
    fields.note(name, value)
    unrecognized += fields.unrecognized
  }
}

extension EvidenceReader {
  /// Reads an answer of the API and every signed item in it; nil when the object is none.
  func readAPIAnswer(_ object: JSONObject, _ bytes: [UInt8]) -> [EvidenceItem]? {
    guard let answer = APIAnswer(object) else { return nil }
    guard answer.signedTexts.count <= APIAnswer.signedTextsMax else {
      var item = malformed(
        bytes[...], nil, field: "", reason: "answer holds more than \(APIAnswer.signedTextsMax) signed items")
      item.kind = .apiAnswer
      return [item]
    }
    var item = EvidenceItem(raw: bytes[...], sha256: SHA256.hex(bytes), parentSHA256: nil, verdict: .genuine)
    item.kind = .apiAnswer
    item.bundleID = Printable.claim(answer.bundleID)
    item.environment = Printable.claim(answer.environment)
    item.unrecognized = answer.unrecognized
    if let field = foreignness(answer) {
      item.verdict = .foreign
      item.field = field
      item.reason = field
    }
    return [item] + answer.signedTexts.flatMap { readSigned(Array($0.utf8)[...], parent: item) }
  }

  /// The field by which an answer is not ours; nil when all that it names is ours.
  private func foreignness(_ answer: APIAnswer) -> String? {
    if let bundleID = answer.bundleID {
      guard let app = apps[bundleID] else { return "bundle_id" }
      if let ours = app.appleID, let theirs = answer.appleID, ours != theirs { return "app_id" }
    } else if let theirs = answer.appleID {
      guard apps.values.contains(where: { $0.appleID == nil || $0.appleID == theirs }) else { return "app_id" }
    }
    if let word = answer.environment {
      guard let environment = AppStoreEnvironment(rawValue: word), environment.isBookable else { return "environment" }
    }
    return nil
  }
}
