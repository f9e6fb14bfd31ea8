package import AppStoreServer
package import Domain
internal import JobCore
internal import Postgres

/// App Store Connect's last answer about one report.
package struct ReportPosition: Sendable {
  package var outcome: ConnectOutcome
  /// Apple's message, or the reason why the report was refused.
  package var words: String
  package var askedAt: Timestamp
  /// SHA-256 of the last stored report, uncompressed; nil when none was stored.
  package var contentSHA256: String?

  package init(_ outcome: ConnectOutcome, words: String = "", askedAt: Timestamp, contentSHA256: String? = nil) {
    self.outcome = outcome
    self.words = words
    self.askedAt = askedAt
    self.contentSHA256 = contentSHA256
  }

  static func load(vendor: String, on session: Session, sql: SQLFiles) async throws -> [ConnectQuery: ReportPosition] {
    let rows = try await session.rows(sql(CollectSQL.financePositions), ["vendor": .text(vendor)])
    var found: [ConnectQuery: ReportPosition] = [:]
    for (report, period, outcome, words, askedAt, content) in rows {
      // Ignore rows of a newer program version.
      guard let report = ConnectReport(rawValue: report), let outcome = ConnectOutcome(rawValue: outcome) else { continue }
      found[ConnectQuery(report, vendor: vendor, period: period)] = ReportPosition(
        outcome, words: words, askedAt: Timestamp(microseconds: askedAt), contentSHA256: content)
    }
    return found
  }

  /// Writes the position of a report.
  ///
  /// - Parameter isAsked: whether Apple was queried.
  func save(_ query: ConnectQuery, isAsked: Bool = true, _ tx: inout DatabaseTransaction, sql: SQLFiles) throws {
    try tx.send(
      sql(CollectSQL.saveFinancePosition),
      [
        "vendor": .text(query.vendor), "report": .text(query.report.rawValue), "period": .text(query.period),
        "outcome": .text(outcome.rawValue), "words": .text(words), "is_asked": .bool(isAsked),
        "requested_at": askedAt.sqlValue, "content_sha256": contentSHA256.map(Value.text) ?? .null,
      ])
  }
}
