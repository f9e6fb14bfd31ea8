internal import Domain
internal import JSON

/// One purchase of a verifyReceipt answer or of an app receipt.
///
/// - Source: Apple, App Store Receipts, responseBody.Latest_receipt_info and responseBody.Receipt.In_app.
struct LegacyRow {
  /// nil when an id, the product or the purchase instant is missing.
  private(set) var transaction: TransactionFields?
  /// Values that cannot be used, under Apple's names.
  let unrecognized: [UnrecognizedValue]

  /// Member names of a legacy row and of a signed transaction.
  private static let names: [LegacyName] = [
    LegacyName("transaction_id", "transactionId", .text),
    LegacyName("original_transaction_id", "originalTransactionId", .text),
    LegacyName("web_order_line_item_id", "webOrderLineItemId", .identifier),
    LegacyName("product_id", "productId", .text),
    LegacyName("subscription_group_identifier", "subscriptionGroupIdentifier", .text),
    LegacyName("purchase_date", "purchaseDate", .instant),
    LegacyName("original_purchase_date", "originalPurchaseDate", .instant),
    LegacyName("expires_date", "expiresDate", .instant),
    LegacyName("cancellation_date", "revocationDate", .instant),
    LegacyName("cancellation_reason", "revocationReason", .number),
    LegacyName("quantity", "quantity", .number),
    LegacyName("in_app_ownership_type", "inAppOwnershipType", .text),
    LegacyName("app_account_token", "appAccountToken", .text),
    LegacyName("is_upgraded", "isUpgraded", .flag),
    LegacyName("is_trial_period", "isTrialPeriod", .flag),
    LegacyName("is_in_intro_offer_period", "isInIntroOfferPeriod", .flag),
    LegacyName("promotional_offer_id", "promotionalOfferId", .text),
    LegacyName("offer_code_ref_name", "offerCodeRefName", .text),
  ]

  init(_ row: JSONObject, in context: LegacyContext) {
    var translated = LegacyName.translated(row, names: Self.names)
    if translated["originalTransactionId"] == nil, let id = translated["transactionId"] {
      // Xcode's receipts omit the original id; on a first purchase it equals the transaction id.
      translated.append("originalTransactionId", id)
    }
    translated.append("bundleId", .string(context.bundleID))
    translated.append("environment", .string(context.environment))
    var fields = PayloadFields(translated)
    transaction = TransactionFields(&fields, statedAt: context.statedAt)
    let isTrial = fields.flag("isTrialPeriod") == true
    let isIntroductory = fields.flag("isInIntroOfferPeriod") == true
    let promotionalOffer = fields.text("promotionalOfferId")
    let offerCode = fields.text("offerCodeRefName")
    unrecognized = LegacyName.renamed(fields.unrecognized, names: Self.names)
    transaction?.offerType = promotionalOffer != nil ? 2 : offerCode != nil ? 3 : isTrial || isIntroductory ? 1 : nil
    if isTrial { transaction?.offerDiscountType = "FREE_TRIAL" }
  }
}

extension EvidenceItem {
  /// Copies the purchase of a legacy row into the item.
  mutating func fill(_ row: LegacyRow) {
    transaction = row.transaction
    unrecognized = row.unrecognized
  }
}

/// The values that a row inherits from the text that contains it.
struct LegacyContext {
  var bundleID: String
  var environment: String
  /// Instant at which Apple stated the row.
  var statedAt: Timestamp?
}

/// A member of Apple's older texts with its name in signed payloads.
///
/// In older texts, numbers and flags are often strings, and an instant is the member with the suffix `_ms`.
struct LegacyName {
  enum Shape { case text, identifier, number, flag, instant }

  var legacy: String
  var signed: String
  var shape: Shape

  init(_ legacy: String, _ signed: String, _ shape: Shape) {
    self.legacy = legacy
    self.signed = signed
    self.shape = shape
  }

  /// Returns the row's members that have a name in signed payloads; empty members are omitted.
  static func translated(_ row: JSONObject, names: [LegacyName]) -> JSONObject {
    JSONObject(members: names.compactMap { name in name.value(in: row).map { (name.signed, $0) } })
  }

  /// Returns the notes with the field names of the older texts.
  static func renamed(_ notes: [UnrecognizedValue], names: [LegacyName]) -> [UnrecognizedValue] {
    notes.map { note in
      let name = names.first { $0.signed == note.field }
      return UnrecognizedValue(field: name?.legacy ?? note.field, value: note.value)
    }
  }

  private func value(in row: JSONObject) -> JSONValue? {
    switch shape {
    case .text: Self.text(row[legacy])
    case .identifier: Self.identifier(row[legacy])
    case .number: Self.number(row[legacy])
    case .flag: Self.flag(row[legacy])
    case .instant: Self.number(row[legacy + "_ms"]) ?? plainInstant(row)
    }
  }

  /// Returns the instant of an iOS 6 style answer, whose `expires_date` is in milliseconds. Elsewhere `expires_date` is formatted text.
  private func plainInstant(_ row: JSONObject) -> JSONValue? {
    let value = Self.number(row[legacy])
    return if case .number? = value { value } else { nil }
  }

  private static func text(_ value: JSONValue?) -> JSONValue? {
    switch value {
    case nil, .null?, .string("")?: nil
    case .number(let digits)?: .string(digits)
    case let value?: value
    }
  }

  /// Returns an identifier; nil when it is missing, empty or 0.
  private static func identifier(_ value: JSONValue?) -> JSONValue? {
    guard case .string("0")? = text(value) else { return text(value) }
    return nil
  }

  private static func number(_ value: JSONValue?) -> JSONValue? {
    switch value {
    case nil, .null?, .string("")?: nil
    case .string(let text)? where Int64(text) != nil: .number(text)
    case let value?: value
    }
  }

  private static func flag(_ value: JSONValue?) -> JSONValue? {
    switch value {
    case nil, .null?, .string("")?: nil
    case .string("true")?, .string("1")?, .number("1")?: .bool(true)
    case .string("false")?, .string("0")?, .number("0")?: .bool(false)
    case let value?: value
    }
  }

  /// Returns an integer from a number or a text; nil for anything else.
  static func integer(_ value: JSONValue?) -> Int64? { if case .number(let digits)? = number(value) { Int64(digits) } else { nil } }

  /// Returns a non-empty text, or the digits of a number.
  static func plainText(_ value: JSONValue?) -> String? { if case .string(let text)? = text(value) { text } else { nil } }

  /// Returns a flag in any format that Apple uses; nil for anything else.
  static func isSet(_ value: JSONValue?) -> Bool? { if case .bool(let flag)? = flag(value) { flag } else { nil } }

  /// Returns the instant of the member with the suffix `_ms`.
  static func instant(_ name: String, in row: JSONObject) -> Timestamp? {
    guard case .number(let digits)? = number(row[name + "_ms"]) else { return nil }
    return Milliseconds.instant(digits)
  }
}
