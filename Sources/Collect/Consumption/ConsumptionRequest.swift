internal import AppStoreServer
internal import Domain
internal import JobCore
internal import Postgres

/// An open request of Apple's for consumption information, with the facts of its answer.
struct ConsumptionRequest: Sendable {
  /// Identity of a request in the database.
  struct Key: Sendable, Hashable {
    var bundleID: String
    var environment: APIEnvironment
    var transactionID: String
    var requestedAt: Timestamp

    var service: Service { Service(bundleID: bundleID, environment: environment) }

    var parameters: [String: Value] {
      [
        "transaction_id": .text(transactionID), "bundle_id": .text(bundleID),
        "environment": .text(environment.appStoreEnvironment.rawValue),
        "requested_at": requestedAt.sqlValue,
      ]
    }
  }

  /// The App Store of an app in one environment. Failures of one say nothing about another.
  struct Service: Sendable, Hashable {
    var bundleID: String
    var environment: APIEnvironment
  }

  /// The matched order.
  struct Order: Sendable {
    var id: String
    var status: String
    var hasDelivery: Bool
    /// nil if the order says neither yes nor no.
    var consent: Bool?
    /// nil if the user says neither yes nor no.
    var userConsent: Bool?
    var isErased: Bool
    /// Thousandths of a percent.
    var usedMillipercent: Int?
  }

  var key: Key
  var chargeID: String
  var productID: String
  /// Type of the product; nil if no statement of Apple's contains it.
  var productType: String?
  var isRefunded: Bool
  /// Apple's word for the customer's reason.
  var reason: String?
  var dueAt: Timestamp
  var order: Order?
  /// The recorded answer that Apple may or may not have received.
  var decidedBody: String?
  /// The recorded end with its reason; not the sent ones, which are closed.
  var end: (outcome: String, reason: String)?

  var isAutoRenewable: Bool { productType == ProductType.autoRenewable.rawValue }

  /// Whether Apple accepts a used share: the product's type is known and does not renew.
  var acceptsShare: Bool { productType != nil && !isAutoRenewable }

  /// Age limit of requests, in seconds. Older ones are long decided.
  private static let lookBackSeconds: Int64 = 30 * 86_400

  /// Reads the open requests, the oldest first.
  ///
  /// - Parameter isSending: whether answers and ends that were recorded at later clocks count, too.
  static func all(in context: JobContext, isSending: Bool, _ tx: inout DatabaseTransaction) throws -> [ConsumptionRequest] {
    let parameters: [String: Value] = [
      "as_of": context.asOfValue,
      "since": context.asOf.advanced(bySeconds: -lookBackSeconds).sqlValue,
      "answer_within": interval(seconds: ConsumptionSettings.answerWithinSeconds), "is_sending": .bool(isSending),
    ]
    return try ReportTable.read(ConsumptionSQL.requests, parameters, files: context.sql, tx: &tx).records.map(Self.init)
  }

  private init(_ row: ReportRecord) throws {
    key = Key(
      bundleID: try row.text("bundle_id"),
      environment: try row.text("environment") == APIEnvironment.sandbox.appStoreEnvironment.rawValue ? .sandbox : .production,
      transactionID: try row.text("transaction_id"), requestedAt: try row.instant("requested_at"))
    chargeID = try row.text("charge_id")
    productID = try row.text("product_id")
    productType = try row["type"]
    isRefunded = try row.text("state") == "refunded"
    reason = try row["request_reason"]
    dueAt = try row.instant("due_at")
    decidedBody = try row["body"]
    end = try row["outcome"].map { ($0, try row.text("outcome_reason")) }
    order = try row["order_id"].map { id in
      Order(
        id: id, status: try row.text("order_status"), hasDelivery: try row.flag("has_delivery") ?? false,
        consent: try row.flag("order_consent"), userConsent: try row.flag("user_consent"), isErased: try row.flag("is_erased") ?? false,
        usedMillipercent: try row["consumption_millipercent"].flatMap { Int($0) })
    }
  }

  /// Returns the request with the consent and the end that are stored now; nil if its order is not stored any more.
  func reread(in context: JobContext, _ tx: inout DatabaseTransaction) throws -> ConsumptionRequest? {
    guard let order else { return nil }
    let parameters = key.parameters.merging(["order_id": .text(order.id)]) { $1 }
    guard let row = try ReportTable.read(ConsumptionSQL.consent, parameters, files: context.sql, tx: &tx).records.first else { return nil }
    var newest = self
    newest.order?.consent = try row.flag("order_consent")
    newest.order?.userConsent = try row.flag("user_consent")
    newest.order?.isErased = try row.flag("is_erased") ?? false
    newest.end = try row["outcome"].map { ($0, "") }
    return newest
  }
}
