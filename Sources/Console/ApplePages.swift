internal import Collect
internal import JobCore
internal import Review
internal import Wording

/// Texts about Apple's answer before a punishing action.
enum AppleTexts {
  static let outcomes: [AppleRecordCheck.Outcome: Phrase] = [
    .asKnown: "apple_check.as_known", .noKey: "apple_check.no_key", .nothingToAsk: "apple_check.nothing_to_ask",
    .differs: "apple_check.differ", .outOfReach: "apple_check.out_of_reach",
  ]

  /// Returns the error text for a program and the fields with which the program can confirm the action.
  static func forPrograms(_ mismatch: AppleRecordMismatch) -> String {
    let seen = mismatch.check.seen
    let fields = (seen.isEmpty ? [] : ["\"apple\": \"\(seen)\""]) + (mismatch.check.missingReason == nil ? [] : ["\"unasked\": \"yes\""])
    return "Nothing was done: \(mismatch). To go on all the same, say \(fields.joined(separator: " and "))."
  }
}

/// Queries Apple for at most `questionsMax` requests at once. Further requests are refused, so they block no other work.
struct LimitedStateSource: AppleStateSource {
  private static let limit = ConcurrencyLimit(passingMax: ConsoleLimits.questionsMax, waitingMax: 0)

  let context: JobContext
  let access: @Sendable (JobContext) throws -> StoreAccess

  func ask(_ questions: [AppleStateQuery]) async -> AppleStateResult {
    var refusal = AppleStateResult()
    refusal.missingReason = "refusal.asking_crowd"
    return await Self.limit.run { await TransactionStateSource(context: context, access: access).ask(questions) } ?? refusal
  }
}

extension CaseController {
  /// Returns the confirmation in a form: of a displayed difference, or of a missing answer from Apple.
  static func consent(_ form: Form) -> AppleConsent { AppleConsent(seen: form["apple"], acceptsMissingRecord: form["unasked"] == "yes") }

  static func consentFields(_ recordCheck: AppleRecordCheck?) -> [String: Any] {
    guard let recordCheck else { return [:] }
    var fields: [String: Any] = [:]
    if !recordCheck.seen.isEmpty { fields["seen"] = recordCheck.seen }
    if let reason = recordCheck.missingReason { fields["missing"] = ["words": Phrase("apple_check.accepts", ["why": reason])] }
    return fields
  }

  static func section(of recordCheck: AppleRecordCheck) -> Section {
    var section = Section("apple_check.title", recordCheck.differences, empty: AppleTexts.outcomes[recordCheck.outcome] ?? .plain(""))
    if !recordCheck.differences.rows.isEmpty { section.note = "apple_check.differ" }
    return section
  }

  func mismatchPage(_ mismatch: AppleRecordMismatch, to act: String, on id: String, _ form: Form) -> Page {
    let recordCheck = mismatch.check
    var page = Page(
      title: Phrase("case.title", ["id": .plain(ShownID.short(id))]), visit: visit,
      subtitle: .name("action", form["action"], otherwise: act),
      message: recordCheck.missingReason.map { Phrase("apple_check.silent", ["why": $0]) } ?? "apple_check.differs", isRefusal: true,
      back: "/cases/\(id)")
    page.fields["mismatch"] = [
      "address": "/cases/\(id)/\(act)", "apple": Self.consentFields(recordCheck),
      "fields": Form.names.filter { !["apple", "unasked"].contains($0) && !form[$0].isEmpty }.map { ["name": $0, "value": form[$0]] },
    ]
    if !recordCheck.differences.rows.isEmpty { page.sections = [Self.section(of: recordCheck)] }
    return page
  }
}
