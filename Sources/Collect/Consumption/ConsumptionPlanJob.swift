internal import AppStoreServer
internal import Domain
public import JobCore
internal import Postgres

/// Lists Apple's open requests for consumption information: what would be sent about each, or why nothing would be. Sends nothing.
public struct ConsumptionPlanJob: Sendable {
  let context: JobContext

  public init(context: JobContext) { self.context = context }

  public func run(_ format: ExportFormat, filter: RowFilter = RowFilter()) async throws -> [UInt8] {
    let context = context
    let requests = try await context.transaction(as: .report, .readOnlySnapshot) { tx in
      try tx.lookBack(to: context.asOf, files: context.sql)
      return try ConsumptionRequest.all(in: context, isSending: false, &tx)
    }
    return try filter.bytes(of: table(requests), as: format)
  }

  private static let columns: [(name: String, isNumeric: Bool)] = [
    ("bundle_id", false), ("environment", false), ("transaction_id", false), ("charge_id", false), ("order_id", false),
    ("product_id", false), ("request_reason", false), ("requested_at", false), ("due_at", false), ("hours_left", true),
    ("action", false), ("reason", false), ("customer_consented", false), ("delivery_status", false),
    ("consumption_percentage", true), ("sample_content_provided", false), ("refund_preference", false),
  ]

  private func table(_ requests: [ConsumptionRequest]) -> ReportTable {
    let keyed = context.settings.apps.filter { $0.api?.keyFile != nil }.map(\.bundleID)
    let decision = ConsumptionDecision(settings: context.settings.consumption, bundleIDs: Set(keyed))
    let open = requests.filter { $0.dueAt > context.asOf }
    return ReportTable(columns: Self.columns.map(\.name), isNumeric: Self.columns.map(\.isNumeric), rows: open.map { row($0, decision) })
  }

  private func row(_ request: ConsumptionRequest, _ decision: ConsumptionDecision) -> [String?] {
    let obstacle = decision.obstacle(request, at: context.asOf)
    let secondsLeft = (request.dueAt.microseconds - context.asOf.microseconds) / 1_000_000
    let order = request.order
    let answer = order.map { decision.answer(request, $0) }
    let isConsented = order.map { $0.consent != false && $0.userConsent != false && ($0.consent ?? $0.userConsent ?? false) }
    return [
      request.key.bundleID, request.key.environment.appStoreEnvironment.rawValue, request.key.transactionID, request.chargeID,
      order?.id, request.productID, request.reason, request.key.requestedAt.rfc3339, request.dueAt.rfc3339,
      "\(secondsLeft / 3600)", obstacle == nil ? "send" : "nothing", obstacle.map { reason($0, request) },
      isConsented.map { "\($0)" }, answer?.delivery.rawValue, answer?.consumptionPercentage.map { "\($0)" },
      answer.map { "\($0.isSampleProvided)" }, answer?.refundPreference?.rawValue,
    ]
  }

  private func reason(_ obstacle: ConsumptionObstacle, _ request: ConsumptionRequest) -> String {
    guard obstacle == .refused, let end = request.end else { return "\(obstacle.rawValue): \(obstacle.text)" }
    return "\(obstacle.rawValue): \(end.reason)"
  }
}
