public import Domain
public import Wording

/// A kind of rows that can be read.
public protocol InputRow: Sendable {
  /// Kind of input in commands and parked items, such as `orders`.
  static var kind: String { get }
  /// The column that identifies a record.
  static var keyColumn: String { get }
  static var schema: RowSchema<Self> { get }
}

/// The columns of one kind of rows, each with the function that reads its value into a row.
public struct RowSchema<Row: Sendable>: Sendable {
  /// Reads the value of a column, given by its number, into a row. A fault is noted.
  typealias Read = @Sendable (inout Row, borrowing RowValues, Int) -> Void

  let columns: [String]
  let required: Set<String>
  private let reads: [Read]
  private let blank: Row
  /// Executed after all columns were read.
  private let complete: @Sendable (inout Row) -> Void

  fileprivate init(
    _ blank: Row, required: [String], _ columns: [(name: String, read: Read)], complete: @escaping @Sendable (inout Row) -> Void = { _ in }
  ) {
    self.columns = columns.map(\.name)
    self.required = Set(required)
    reads = columns.map(\.read)
    self.blank = blank
    self.complete = complete
  }

  /// Creates a row, which is valid only if no fault was noted.
  @specialized(where Row == OrderRow)
  func make(_ values: borrowing RowValues) -> Row {
    var row = blank
    for column in reads.indices { reads[column](&row, values, column) }
    complete(&row)
    return row
  }
}

extension InputRow {
  public static var columnNames: [String] { schema.columns }
  public static var requiredColumns: Set<String> { schema.required }

  /// Returns why a column cannot have a value; nil if it can.
  public static func fault(of value: String, in column: String) -> Phrase? {
    guard let index = schema.columns.firstIndex(of: column) else { return .plain("there is no column \"\(column)\"") }
    var table = FieldTable(columns: schema.columns)
    table.scratch = Array(value.utf8)
    table.slots[index] = FieldTable.Slot(kind: .text, start: 0, end: table.scratch.count, isScratch: true)
    let notes = RowNotes()
    _ = schema.make(RowValues(table: table, bytes: [], notes: notes))
    return notes.faults.first { $0.field == column }?.reason
  }
}

extension OrderRow: InputRow {
  public static var kind: String { "orders" }
  public static var keyColumn: String { "order_id" }

  public static let schema = RowSchema<OrderRow>(
    OrderRow(
      orderID: "", bundleID: "", productID: "", userID: "", status: .created, createdAt: Timestamp(microseconds: 0),
      updatedAt: Timestamp(microseconds: 0)),
    required: ["order_id", "bundle_id", "product_id", "user_id", "status", "created_at"],
    [
      ("order_id", { $0.orderID = $1.text($2) }),
      ("bundle_id", { $0.bundleID = $1.text($2) }),
      ("product_id", { $0.productID = $1.text($2) }),
      ("user_id", { $0.userID = $1.text($2) }),
      ("status", { $0.status = $1.word($2, else: .created) }),
      ("created_at", { $0.createdAt = $1.instant($2) }),
      (
        "updated_at",
        { row, values, column in
          let updatedAt = values.optionalInstant(column)
          row.isDated = updatedAt != nil
          if let updatedAt { row.updatedAt = updatedAt }
        }
      ),
      ("environment", { $0.environment = ($1.optionalWord($2) ?? AppStoreEnvironment.production).rawValue }),
      ("quantity", { $0.quantity = Int32(clamping: $1.integer($2, in: SaneLimits.quantity) ?? 1) }),
      ("price_milliunits", { $0.priceMilliunits = $1.integer($2, in: SaneLimits.milliunits) }),
      ("currency", { $0.currency = $1.code($2, of: "currency") }),
      ("storefront", { $0.storefront = $1.code($2, of: "storefront") }),
      ("paid_at", { $0.paidAt = $1.optionalInstant($2) }),
      ("delivered_at", { $0.deliveredAt = $1.optionalInstant($2) }),
      ("refunded_at", { $0.refundedAt = $1.optionalInstant($2) }),
      ("entitlement_expires_at", { $0.entitlementExpiresAt = $1.optionalInstant($2) }),
      ("app_account_token", { $0.appAccountToken = $1.uuid($2) }),
      ("application_username", { $0.applicationUsername = $1.optionalText($2) }),
      ("transaction_id", { $0.transactionID = $1.optionalText($2) }),
      ("original_transaction_id", { $0.originalTransactionID = $1.optionalText($2) }),
      ("web_order_line_item_id", { $0.webOrderLineItemID = $1.optionalText($2) }),
      ("device_id", { $0.deviceID = $1.optionalText($2) }),
      ("evidence_sha256", { $0.evidenceSHA256 = $1.sha256($2) }),
      ("operator_id", { $0.operatorID = $1.optionalText($2) }),
      ("consumption_consent", { $0.consumptionConsent = $1.boolean($2) }),
      (
        "consumption_millipercent",
        { $0.consumptionMillipercent = $1.integer($2, in: SaneLimits.millipercent).map { Int32(clamping: $0) } }
      ),
    ],
    complete: { row in
      // The end of an entitlement is in the future and says nothing about the last change.
      if !row.isDated { row.updatedAt = [row.paidAt, row.deliveredAt, row.refundedAt].reduce(row.createdAt) { max($0, $1 ?? $0) } }
    })
}

extension UserRow: InputRow {
  public static var kind: String { "users" }
  public static var keyColumn: String { "user_id" }

  public static let schema = RowSchema<UserRow>(
    UserRow(userID: ""), required: ["user_id"],
    [
      ("user_id", { $0.userID = $1.text($2) }),
      ("app_account_token", { $0.appAccountToken = $1.uuid($2) }),
      ("home_storefront", { $0.homeStorefront = $1.code($2, of: "storefront") }),
      ("is_tester", { $0.isTester = $1.boolean($2) ?? false }),
      ("created_at", { $0.createdAt = $1.optionalInstant($2) }),
      ("erased_at", { $0.erasedAt = $1.optionalInstant($2) }),
      ("consumption_consent", { $0.consumptionConsent = $1.boolean($2) }),
    ])
}

extension CatalogueRow: InputRow {
  public static var kind: String { "catalogue" }
  public static var keyColumn: String { "product_id" }

  public static let schema = RowSchema<CatalogueRow>(
    CatalogueRow(bundleID: "", productID: "", type: .consumable), required: ["bundle_id", "product_id", "type"],
    [
      ("bundle_id", { $0.bundleID = $1.text($2) }),
      ("product_id", { $0.productID = $1.text($2) }),
      ("type", { $0.type = $1.word($2, else: .consumable) }),
      ("subscription_group", { $0.subscriptionGroup = $1.optionalText($2) }),
      ("period", { $0.period = $1.period($2) }),
      ("family_shareable", { $0.familyShareable = $1.boolean($2) }),
      ("storefront", { $0.storefront = $1.code($2, of: "storefront") }),
      ("currency", { $0.currency = $1.code($2, of: "currency") }),
      ("price_milliunits", { $0.priceMilliunits = $1.integer($2, in: SaneLimits.milliunits) }),
      ("valid_from", { $0.validFrom = $1.optionalInstant($2) }),
    ])
}
