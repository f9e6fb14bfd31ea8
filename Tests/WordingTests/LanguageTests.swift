/// The language of a page and its plural forms.
@Suite struct LanguageTests {
  @Test(arguments: [
    ("zh-CN,zh;q=0.9,en;q=0.8", "zh-Hans"), ("zh-Hans-CN", "zh-Hans"), ("zh", "zh-Hans"), ("ja-JP", "ja"), ("RU-ru", "ru"),
    ("de-DE, ru;q=0.5, en;q=0.4", "ru"), ("en;q=0.3, ja; q=0.7", "ja"), ("en-GB", "en"),
    // Traditional Chinese is another language, and a weight of zero means not accepted.
    ("zh-TW,en;q=0.5", "en"), ("zh-Hant", nil), ("zh-Hans-TW", "zh-Hans"), ("ru;q=0", nil), ("de", nil), ("", nil), ("*", nil),
    (";;q=,,", nil), (String(repeating: "ru,", count: 1000), nil),
  ]) func languageFollowsTheBrowser(list: String, tag: String?) {
    #expect(Language(accepted: list)?.rawValue == tag)
  }

  @Test func pluralsAreThoseOfTheLanguage() {
    let words = Catalogue.of(.russian)
    let shown = [0, 1, 2, 5, 11, 12, 21, 22, 25, 101, 111].map { (count: Int) -> String in
      words("rows.count", ["count": "\(count)"], counting: count)
    }
    #expect(
      shown == [
        "0 строк", "1 строка", "2 строки", "5 строк", "11 строк", "12 строк", "21 строка", "22 строки", "25 строк", "101 строка",
        "111 строк",
      ])
    let english = [0, 1, 2].map { (count: Int) -> String in
      Catalogue.of(.english)("rows.count", ["count": "\(count)"], counting: count)
    }
    #expect(english == ["0 rows", "1 row", "2 rows"])
    #expect(Catalogue.of(.chinese)("rows.count", ["count": "1"], counting: 1) == "1 行")
  }

  /// Reasons for refused input, whose values may be reasons or codes.
  @Test(arguments: [
    (
      Phrase(
        "signed.evidence_malformed",
        [
          "why": Phrase(
            "signed.text_json", ["why": Phrase("json.at_byte", ["what": "json.unexpected", "offset": .plain(5)])])
        ]),
      "evidence is malformed: text is no JSON: unexpected character at byte 5", "凭证格式错误：文本不是 JSON：出现意外字符（第 5 字节）"
    ),
    (
      Phrase("intake.value_digits", ["value": .plain("\"1,5\"")]), "\"1,5\" is not a whole number in digits", "\"1,5\" 不是用数字书写的整数"
    ),
    (
      Phrase("intake.row_values", ["count": .plain(3), "columns": .plain(4)]), "the row has 3 values, and the header names 4 columns",
      "该行有 3 个值，而表头有 4 列"
    ),
    (Phrase("intake.file_lacks", ["what": "intake.is_empty"]), "the file is empty", "文件为空"), (.code("unsigned"), "unsigned", "未签名"),
  ]) func refusalsAreTranslated(phrase: Phrase, english: String, chinese: String) {
    #expect(phrase.english == english)
    #expect(Catalogue.of(.chinese)(phrase) == chinese)
  }

  @Test func `the faults of many columns of a row are not nested in each other`() throws {
    let parts = (1...60).map { Phrase("intake.field_fault", ["field": .plain("c\($0)"), "why": "intake.value_missing"]) }
    let list = Phrase.joined(parts, by: "said.apart")
    #expect(try Phrase(json: list.json) == list)
    #expect(list.english.hasPrefix("c1: the value is required and missing; c2: "))
  }

  @Test func `the parts of a list are joined as the language does, and decoded one by one`() throws {
    let reasons = [Phrase("night.parked_many", ["count": .plain(3)]), Phrase("night.pending", ["count": .plain(0)])]
    let stored = Phrase.json(apart: reasons)
    #expect(try Phrase.apart(json: stored) == reasons)
    #expect(try Phrase(json: stored).english == "3 parked items wait in the dead letters; 0 pending")
    #expect(try Catalogue.of(.japanese)(Phrase(json: stored)) == "保留中の入力 3 件（dead letters）、猶予中 0 件")
    #expect(try Phrase.apart(json: Phrase.json(apart: [])) == [] && Phrase.apart(json: "\"failed\"") == [.plain("failed")])
  }

  /// A refusal is part of a sentence in a command and a sentence on a page. English keeps codes.
  @Test func refusalsAreSentencesOnAPage() {
    let refusal = Phrase(
      "refusal.conclude_case", ["id": .plain("1f"), "reason": Phrase("refusal.nothing_proposed", ["status": .code("waiting_approval")])])
    #expect(refusal.english == "could not conclude case \"1f\": nothing was proposed, it is waiting_approval")
    #expect(refusal.asSentence.english == "Could not conclude case \"1f\": nothing was proposed, it is waiting_approval.")
    #expect(Catalogue.of(.chinese)(refusal.asSentence) == "无法完成案件“1f”：没有提议，其状态为待第二人确认。")
    #expect(Catalogue.of(.russian)(Phrase.list(["refusal.reason", .plain("x")], separator: "; ")) == "нужно указать причину; x")
  }

  @Test func phrasesAreTranslatedWhenShown() {
    let phrase = Phrase("fault.too_long", ["what": "term.reason", "max": .plain("5")])
    #expect(Catalogue.of(.english)(phrase) == "A reason has at most 5 characters.")
    #expect(Catalogue.of(.japanese)(phrase) == "理由は5文字までです。")
    #expect(Catalogue.of(.russian)(.plain("{max}") + .name("word", "high")) == "{max}высокая")
    #expect(Catalogue.of(.russian)(.name("word", "unheard of")) == "unheard of")
    // Text typed by a user is not interpolated.
    #expect(Catalogue.of(.english)(Phrase("rules.propose", ["x": .plain("y")])) == "Propose")
    #expect(Catalogue.of(.english)(Phrase("views.by", ["account": .plain("{account}")])) == "by {account}")
  }

  @Test func templatesAreFilledAndEscaped() {
    let words = Catalogue.of(.english)
    #expect(words.template("<b>[[bulk.confirm]]</b>[[form.why]]") == "<b>Decide {{count}} cases</b>Why")
    #expect(words.template("[[age.over_60]]") == "&gt; 60 d")
    #expect(words.template("{{x}} [[") == "{{x}} [[")
  }
}
