internal import Domain
internal import HTTPTypes
internal import JobCore
internal import Postgres
internal import Review
internal import Wording

extension CaseController {
  /// Parses an RFC 3339 instant, or a date as its first instant in UTC; nil for other texts.
  static func instant(_ text: String) -> Timestamp? {
    Timestamp(rfc3339: text) ?? CivilDate(text)?.start
  }

  func arrangements(_ head: ReportRecord) async throws -> [String: Any] {
    let isWaiting = try ["open", "taken"].contains(head.text("status")) || Self.isProposed(head)
    let isFree = try head.text("status") == "open" || head.text("is_mine") == "t"
    let (isAside, assignee) = try (!head.text("returns_at").isEmpty, head.text("assignee"))
    return try [
      "can_snooze": isFree && !isAside, "can_wake": isAside, "can_assign": isWaiting, "is_assigned": !assignee.isEmpty,
      "people": isWaiting ? await job.assignable(head.text("case_id")).filter { $0 != assignee } : [],
      "follows": head.text("is_followed") == "t",
    ]
  }

  /// Returns the cases of which the account is notified, whatever their status.
  func following() async throws -> Page {
    try await consoleCases.refresh()
    let found = try await table(ConsoleSQL.following)
    try await viewed("following")
    let context = context
    try await context.transaction(as: .review) { tx in _ = try tx.run(context.sql(ConsoleSQL.noticesSeen), ["as_of": context.asOfValue]) }
    var page = Page(title: "following.title", visit: visit, subtitle: "following.subtitle")
    page.sections = [Section("section.cases", found, empty: "following.none")]
    return page
  }
}
