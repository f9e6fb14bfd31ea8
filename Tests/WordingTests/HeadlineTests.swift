/// The sentence that says what happened, from the facts of a case.
@Suite struct HeadlineTests {
  private static let words = Catalogue.of(.english)

  private static func side(_ id: String, _ user: String, began: Int64 = 0, device: String = "", delivered: Bool = false)
    -> HeadlineFacts.Side
  {
    var side = HeadlineFacts.Side(id: id)
    (side.user, side.product, side.quantity, side.price, side.status) = (user, "coins60", "1", "68.00 CNY", "delivered")
    (side.began, side.device, side.isDelivered) = (began, device, delivered)
    return side
  }

  private static func facts(_ name: String, _ change: (inout HeadlineFacts) -> Void = { _ in }) -> HeadlineFacts {
    var facts = HeadlineFacts(name: name, subject: .plain("user U2"))
    facts.amount = "68.00 CNY"
    facts.order = side("A2", "U2", began: 72_000, device: "D2", delivered: true)
    facts.charge = side("C1", "")
    change(&facts)
    return facts
  }

  private static let cases: [(facts: HeadlineFacts, sentence: String)] = [
    (
      facts("REPLAY_MULTI_USER") { $0.otherOrder = side("A1", "U1", device: "D1") },
      "U2 claimed U1's purchase 20 h later from another device; 68.00 CNY delivered"
    ),
    (
      facts("REPLAY_MULTI_USER") { $0.otherOrder = side("A1", "U1", began: 71_880, device: "D2") },
      "U2 claimed U1's purchase 2 min later; 68.00 CNY delivered"
    ),
    (facts("REPLAY_MULTI_USER"), "U2 claimed the purchase of another user; 68.00 CNY delivered"),
    (facts("REPLAY_MULTI_USER") { $0.order?.isDelivered = false }, "U2 claimed the purchase of another user; nothing delivered"),
    (
      facts("DUP_CHARGE") {
        $0.charge?.began = 10
        $0.otherCharge = side("C0", "")
      }, "Order A2 was charged twice, 10 s apart; 68.00 CNY too much"
    ),
    (facts("AMOUNT_DIFF") { $0.charge?.price = "60.00 CNY" }, "Order A2 says 68.00 CNY, Apple charged 60.00 CNY"),
    (facts("USER_DIFF") { $0.charge?.user = "U9" }, "U2 ordered, but the purchase belongs to U9; 68.00 CNY delivered"),
    (
      facts("AMBIGUOUS_MATCH") {
        $0.order = nil
        $0.candidateCount = 3
      }, "A charge of 68.00 CNY fits 3 orders equally; choose the right one"
    ),
    (
      facts("LATE_VERIFICATION") { $0.charge?.began = 72_000 - 20 * 86_400 },
      "U2 presented a purchase of coins60 only after 20 d; 68.00 CNY delivered"
    ),
    (facts("FORGED_SIGNATURE") { $0.order = nil }, "user U2 handed over evidence that Apple did not sign"),
    // Without the facts of the sentence, the title says what is known.
    (facts("DUP_CHARGE") { $0.order = nil }, "Charged twice: user U2, 68.00 CNY"),
    (HeadlineFacts(name: "CELL_DIFF", subject: .plain("break 1")), "Differs from report of Apple: break 1"),
    (facts("R08"), "A new user buys very fast: user U2, 68.00 CNY"),
    // A name that no version knows is displayed as it is.
    (facts("NEW_CLASS"), "NEW_CLASS: user U2, 68.00 CNY"),
  ]

  @Test(arguments: cases.indices) func sentenceFollowsTheFacts(index: Int) {
    #expect(Self.words(Headline.phrase(Self.cases[index].facts)) == Self.cases[index].sentence)
  }

  @Test(arguments: Language.allCases) func `no language leaves a placeholder open, whatever is known`(language: Language) {
    let words = Catalogue.of(language)
    let names = words.texts.keys.compactMap { $0.hasPrefix("class.") ? String($0.dropFirst(6)) : nil } + ["R01", "R23"]
    #expect(names.count > 40)
    for name in names {
      for facts in [HeadlineFacts.example(name), Self.facts(name), HeadlineFacts(name: name, subject: .plain("U2"))] {
        let sentence = words(Headline.phrase(facts))
        #expect(!sentence.contains("{") && !sentence.contains("headline."), "\(name): \(sentence)")
      }
    }
  }

  @Test(arguments: [(59, "59 s"), (60, "1 min"), (3600, "1 h"), (172_799, "47 h"), (172_800, "2 d")] as [(Int64, String)])
  func spansHaveTheirLargestUnit(seconds: Int64, text: String) { #expect(Self.words(.span(seconds: seconds)) == text) }
}
