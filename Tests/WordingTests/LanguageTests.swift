import Domain
import Testing
import Wording

/// Which language a page is in, and how it says how many.
@Suite struct LanguageTests {
  @Test(arguments: [
    ("zh-CN,zh;q=0.9,en;q=0.8", "zh-Hans"), ("zh-Hans-CN", "zh-Hans"), ("zh", "zh-Hans"), ("ja-JP", "ja"), ("RU-ru", "ru"),
    ("de-DE, ru;q=0.5, en;q=0.4", "ru"), ("en;q=0.3, ja; q=0.7", "ja"), ("en-GB", "en"),
    // Traditional characters are another language, and what weighs nothing is not wanted.
    ("zh-TW,en;q=0.5", "en"), ("zh-Hant", nil), ("zh-Hans-TW", "zh-Hans"), ("ru;q=0", nil), ("de", nil), ("", nil), ("*", nil),
    (";;q=,,", nil), (String(repeating: "ru,", count: 1000), nil),
  ]) func browsersAsk(list: String, tag: String?) {
    #expect(Language(accepted: list)?.rawValue == tag)
  }

  @Test func pluralsAreThoseOfTheLanguage() {
    let words = Catalogue.of(.russian)
    let told = [0, 1, 2, 5, 11, 12, 21, 22, 25, 101, 111].map { (count: Int) -> String in
      words("rows.count", ["count": "\(count)"], counting: count)
    }
    #expect(
      told == [
        "0 строк", "1 строка", "2 строки", "5 строк", "11 строк", "12 строк", "21 строка", "22 строки", "25 строк", "101 строка",
        "111 строк",
      ])
    let english = [0, 1, 2].map { (count: Int) -> String in
      Catalogue.of(.english)("rows.count", ["count": "\(count)"], counting: count)
    }
    #expect(english == ["0 rows", "1 row", "2 rows"])
    #expect(Catalogue.of(.chinese)("rows.count", ["count": "1"], counting: 1) == "1 行")
  }

  @Test func sentencesAreKnownAgain() {
    let words = Catalogue.of(.chinese)
    #expect(words.said("order says 6.00 CNY, Apple charged 5.00 CNY") == "订单为 6.00 CNY，Apple 扣款 5.00 CNY")
    // What stands in a place is said, too: a member of a closed list, or a sentence.
    #expect(words.said("order is paid and Apple charged nothing") == "订单已付款而 Apple 未扣款")
    #expect(words.said("undo of ban effective") == "撤销：封禁 已生效")
    #expect(words.said("Could not take case \"1f\": somebody else has it.") == "无法领取案件“1f”：他人正在处理。")
    for text in ["", "nobody knows this", "order ", "U1", "order says 6.00 CNY"] where text != "order says 6.00 CNY" {
      #expect(words.said(text) == text)
    }
    #expect(Catalogue.of(.english).said("order U1") == "order U1")
  }

  @Test func phrasesAreSaidWhenTheyAreShown() {
    let phrase = Phrase("fault.too_long", ["what": "term.reason", "max": .plain("5")])
    #expect(Catalogue.of(.english)(phrase) == "A reason has at most 5 characters.")
    #expect(Catalogue.of(.japanese)(phrase) == "理由は5文字までです。")
    #expect(Catalogue.of(.russian)(.plain("{max}") + .name("word", "high")) == "{max}высокая")
    #expect(Catalogue.of(.russian)(.name("word", "unheard of")) == "unheard of")
    // What somebody typed names no place.
    #expect(Catalogue.of(.english)(Phrase("rules.propose", ["x": .plain("y")])) == "Propose")
    #expect(Catalogue.of(.english)(Phrase("views.by", ["account": .plain("{account}")])) == "by {account}")
  }

  @Test func templatesAreFilledAndEscaped() {
    let words = Catalogue.of(.english)
    #expect(words.template("<b>[[bulk.confirm]]</b>[[form.why]]") == "<b>Do it, for {{count}}</b>Why")
    #expect(words.template("[[age.over_60]]") == "&gt; 60 d")
    #expect(words.template("{{x}} [[") == "{{x}} [[")
  }
}
