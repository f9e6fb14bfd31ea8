internal import Collect
internal import JobCore
internal import Review

/// What pages say of Apple's word before somebody is punished.
enum AppleTexts {
  static let differs = "Apple says otherwise now than this case rests on. Nothing was done yet."
  static let silent = "Apple could not be asked, so nothing was done yet"
  static let goesOn = "Go on all the same"
  static let accepts = "Go on without Apple's word; this is recorded"
  static let note = "What Apple signed is kept as evidence; the next night decides on it, and the case may end by itself."
  static let title = "What Apple says now"
  static let outcomes: [AppleWord.Outcome: String] = [
    .asKnown: "Apple was asked just now and says what is known.", .noKey: "Apple was not asked: the app has no key.",
    .nothingToAsk: "No transaction is named that Apple could be asked about.",
    .differs: "Apple was asked just now and says otherwise than the cases rest on.", .outOfReach: silent + ".",
  ]
  static let crowd = "too many are asking it at once, try again in a moment"

  /// What a program is told, and how it goes on.
  static func forPrograms(_ objection: AppleObjection) -> String {
    let seen = objection.word.seen
    let fields = (seen.isEmpty ? [] : ["\"apple\": \"\(seen)\""]) + (objection.word.silence == nil ? [] : ["\"unasked\": \"yes\""])
    return "Nothing was done: \(objection). To go on all the same, say \(fields.joined(separator: " and "))."
  }
}

/// Asks Apple for a few people at once: those who wait for it keep nobody else from working.
struct PatientWitness: AppleWitness {
  private static let turnstile = Turnstile(passingMax: ConsoleLimits.questionsMax, waitingMax: 0)

  let context: JobContext
  let access: @Sendable (JobContext) throws -> StoreAccess

  func ask(_ questions: [WitnessQuestion]) async -> Testimony {
    guard await Self.turnstile.enter() else {
      var testimony = Testimony()
      testimony.silence = AppleTexts.crowd
      return testimony
    }
    let testimony = await TransactionWitness(context: context, access: access).ask(questions)
    await Self.turnstile.leave()
    return testimony
  }
}

extension Desk {
  /// What a form says of a difference that was shown, or of Apple's silence.
  static func consent(_ form: Form) -> AppleConsent {
    AppleConsent(seen: form["apple"], goesOnUnasked: form["unasked"] == "yes")
  }

  /// What a form is told with which a person goes on all the same.
  static func asked(_ word: AppleWord?) -> [String: Any] {
    guard let word else { return [:] }
    var fields: [String: Any] = [:]
    if !word.seen.isEmpty { fields["seen"] = word.seen }
    if let silence = word.silence { fields["silence"] = ["words": "\(AppleTexts.accepts) (\(silence))"] }
    return fields
  }

  static func section(of word: AppleWord) -> Section {
    var section = Section(AppleTexts.title, word.differences, empty: AppleTexts.outcomes[word.outcome] ?? "")
    if !word.differences.rows.isEmpty { section.note = AppleTexts.outcomes[.differs] ?? "" }
    return section
  }

  /// What a person looks at before they go on with an act that Apple's word speaks against.
  func objection(_ objection: AppleObjection, to act: String, on id: String, _ form: Form) -> Page {
    let word = objection.word
    var page = Page(title: "Case \(id.prefix(8))", visit: visit, subtitle: Self.actionWords[form["action"]] ?? act)
    page.message = word.silence.map { "\(AppleTexts.silent): \($0)." } ?? AppleTexts.differs
    page.isRefusal = true
    page.fields["objection"] = [
      "address": "/cases/\(id)/\(act)", "go_on": AppleTexts.goesOn, "note": AppleTexts.note, "apple": Self.asked(word),
      "fields": Form.names.filter { !["apple", "unasked"].contains($0) && !form[$0].isEmpty }.map { ["name": $0, "value": form[$0]] },
    ]
    if !word.differences.rows.isEmpty { page.sections = [Self.section(of: word)] }
    page.fields["back"] = "/cases/\(id)"
    return page
  }
}
