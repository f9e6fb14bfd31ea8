internal import Domain
internal import JobCore
internal import Postgres

/// Position up to which one of Apple's lists was read.
struct CollectionProgress: Sendable {
  var job: CollectKind
  var bundleID: String
  var environment: String
  /// Customer or receipt; empty for an app.
  var subject = ""
  /// Paging token or revision of the next page; of an app's histories the purchase after which to continue. nil for the beginning.
  var cursor: String?
  var batchID: Int64?
  var windowFrom: Timestamp?
  var windowTo: Timestamp?
  /// End of the complete part of the list; nil when nothing was read.
  var collectedTo: Timestamp?

  private var key: [String: Value] {
    ["job": .text(job.rawValue), "bundle_id": .text(bundleID), "environment": .text(environment), "subject": .text(subject)]
  }

  static func load(
    _ job: CollectKind, bundleID: String, environment: String, subject: String = "", on session: Session, sql: SQLFiles
  ) async throws -> CollectionProgress {
    var progress = CollectionProgress(job: job, bundleID: bundleID, environment: environment, subject: subject)
    guard let (cursor, batchID, from, to, collectedTo) = try await session.rows(sql(CollectSQL.findCollection), progress.key).first
    else { return progress }
    progress.cursor = cursor
    progress.batchID = batchID
    progress.windowFrom = from.map { Timestamp(microseconds: $0) }
    progress.windowTo = to.map { Timestamp(microseconds: $0) }
    progress.collectedTo = collectedTo.map { Timestamp(microseconds: $0) }
    return progress
  }

  func save(_ tx: inout DatabaseTransaction, sql: SQLFiles) throws {
    var values = key
    values["cursor"] = cursor.map(Value.text) ?? .null
    values["batch_id"] = batchID.map(Value.int8) ?? .null
    values["window_from"] = windowFrom.sqlValue
    values["window_to"] = windowTo.sqlValue
    values["collected_to"] = collectedTo.sqlValue
    try tx.send(sql(CollectSQL.saveCollection), values)
  }
}
