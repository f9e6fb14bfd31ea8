import Domain
import JobCore
import Testing
import Wording

@Suite struct PhraseDecodingTests {
  @Test(arguments: [
    (
      #"{"key": "explain.user_is", "with": {"id": "U1", "facts": [{"key": "explain.since", "with": {"at": "May"}}, null, {"key": "word.tester"}]}}"#,
      "user U1: since May, tester", "用户 U1：自 May，测试人员"
    ),
    (#"{"key": "sentence.order says 6.00 CNY, Apple charged 5.00 CNY"}"#, "order says 6.00 CNY, Apple charged 5.00 CNY", "订单为 6.00 CNY，Apple 扣款 5.00 CNY"),
    // An id is no key, and a code without a word stays.
    (#"["explain.no_order", 2, {"key": "word.paid {id}", "with": {}}]"#, "explain.no_order, 2, paid {id}", "explain.no_order，2，paid {id}"),
    ("null", "", ""), ("[null]", "", ""),
  ]) func phrasesAreDecoded(json: String, english: String, chinese: String) throws {
    let phrase = try Phrase(json: json)
    #expect(phrase.english == english)
    #expect(Catalogue.of(.chinese)(phrase) == chinese)
  }
}
