internal import Collect
internal import JobCore
internal import Review
internal import Wording

/// Texts about Apple's answer before a punishing action.
enum AppleTexts {
  static let outcomes: [AppleRecordCheck.Outcome: Phrase] = [
    .asKnown: "witness.as_known", .noKey: "witness.no_key", .nothingToAsk: "witness.nothing_to_ask", .differs: "witness.differ",
    .outOfReach: "witness.out_of_reach",
  ]
  static let crowd: Phrase = "refusal.asking_crowd"

  /// Returns the error text for a program and the fields with which the program can confirm the action.
  static func forPrograms(_ objection: AppleRecordMismatch) -> String {
    let seen = objection.word.seen
    let fields = (seen.isEmpty ? [] : ["\"apple\": \"\(seen)\""]) + (objection.word.silence == nil ? [] : ["\"unasked\": \"yes\""])
    return "Nothing was done: \(objection). To go on all the same, say \(fields.joined(separator: " and "))."
  }
}

/// Queries Apple for at most `questionsMax` requests at once. Further requests are refused, so they block no other work.
struct LimitedStateSource: AppleStateSource {
  private static let turnstile = ConcurrencyLimit(passingMax: ConsoleLimits.questionsMax, waitingMax: 0)

  let context: JobContext
  let access: @Sendable (JobContext) throws -> StoreAccess

  func ask(_ questions: [AppleStateQuery]) async -> AppleStateResult {
    guard await Self.turnstile.enter() else {
      var testimony = AppleStateResult()
      testimony.silence = AppleTexts.crowd
      return testimony
    }
    let testimony = await TransactionStateSource(context: context, access: access).ask(questions)
    await Self.turnstile.leave()
    return testimony
  }
}

extension CaseController {
  /// Returns the confirmation in a form: of a displayed difference, or of a missing answer from Apple.
  static func consent(_ form: Form) -> AppleConsent {
    AppleConsent(seen: form["apple"], goesOnUnasked: form["unasked"] == "yes")
  }

  /// Returns the template fields with which a user confirms an action against Apple's answer.
  static func asked(_ word: AppleRecordCheck?) -> [String: Any] {
    guard let word else { return [:] }
    var fields: [String: Any] = [:]
    if !word.seen.isEmpty { fields["seen"] = word.seen }
    if let silence = word.silence { fields["silence"] = ["words": Phrase("witness.accepts", ["why": silence])] }
    return fields
  }

  static func section(of word: AppleRecordCheck) -> Section {
    var section = Section("witness.title", word.differences, empty: AppleTexts.outcomes[word.outcome] ?? .plain(""))
    if !word.differences.rows.isEmpty { section.note = "witness.differ" }
    return section
  }

  /// Returns the confirmation page for an action that Apple's answer contradicts.
  func objection(_ objection: AppleRecordMismatch, to act: String, on id: String, _ form: Form) -> Page {
    let word = objection.word
    var page = Page(
      title: Phrase("case.title", ["id": .plain(ShownID.short(id))]), visit: visit,
      subtitle: .name("action", form["action"], otherwise: act))
    page.message = word.silence.map { Phrase("witness.silent", ["why": $0]) } ?? "witness.differs"
    page.isRefusal = true
    page.fields["objection"] = [
      "address": "/cases/\(id)/\(act)", "apple": Self.asked(word),
      "fields": Form.names.filter { !["apple", "unasked"].contains($0) && !form[$0].isEmpty }.map { ["name": $0, "value": form[$0]] },
    ]
    if !word.differences.rows.isEmpty { page.sections = [Self.section(of: word)] }
    page.fields["back"] = "/cases/\(id)"
    return page
  }
}
