@Suite struct PhraseDecodingTests {
  @Test(arguments: [
    (
      #"{"key": "explain.user_is", "with": {"id": "U1", "facts": [{"key": "explain.since", "with": {"at": "May"}}, null, {"key": "word.tester"}]}}"#,
      "user U1: since May, tester", "用户 U1：自 May，测试人员"
    ),
    (#"{"key": "signed.algorithm"}"#, "algorithm is not ES256", "算法不是 ES256"),
    (
      #"{"key": "detail.amounts", "with": {"ours": "6.00 CNY", "theirs": "5.00 CNY"}}"#, "order says 6.00 CNY, Apple charged 5.00 CNY",
      "订单为 6.00 CNY，Apple 扣款 5.00 CNY"
    ),
    // The text of the key joins the parts of a list, without nulls.
    (
      #"{"key": "said.apart", "with": [{"key": "said.order", "with": {"id": "A"}}, null, "B", "C"]}"#, "order A; B; C", "订单 A；B；C"
    ),
    // An id is no key, and a code without a word stays.
    (#"["explain.no_order", 2, {"key": "word.paid {id}", "with": {}}]"#, "explain.no_order, 2, paid {id}", "explain.no_order，2，paid {id}"),
    ("null", "", ""), ("[null]", "", ""),
  ]) func phrasesAreDecoded(json: String, english: String, chinese: String) throws {
    let phrase = try Phrase(json: json)
    #expect(phrase.english == english)
    #expect(Catalogue.of(.chinese)(phrase) == chinese)
  }
}
