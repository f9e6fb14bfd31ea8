/// The database words stored phrases as the program does, and compares them value by value.
@Suite(.cleansUp) struct DatabasePhrasesTests {
  private static let texts = Catalogue.of(.english).texts.filter { text in Phrase.storedBeginnings.contains { text.key.hasPrefix($0) } }

  /// Phrases of every text, and of every form of a value.
  private static let phrases: [String] =
    texts.map { key, text in
      let members = Set(Pattern(text).placeholders).sorted().map { #""\#($0)": "\#($0) 1""# }
      return #"{"key": "\#(key)", "with": {\#(members.joined(separator: ", "))}}"#
    } + [
      #"{"key": "detail.candidates", "with": {"list": {"key": "said.apart", "with": ["{list}", {"key": "said.order", "with": {"id": "{id}"}}, 3]}}}"#,
      #"{"key": "detail.missing_value", "with": {"list": ["a", null, {"key": "word.paid", "with": {}}], "count": 2.50}}"#,
      Phrase.plain("order says {ours}; it's \"so\"").json, #"{"key": "detail.of_another_version", "with": {"x": "y"}}"#,
      #"{"key": "said.apart", "with": []}"#, #"[["a", "b"], "c"]"#, #""plain""#, "5",
    ]

  @Test func theDatabaseWordsPhrasesAsTheProgramDoes() async throws {
    #expect(Self.phrases.count > 110)
    let list = Self.phrases.map { "($q$\($0)$q$)" }.joined(separator: ", ")
    let english = try await Scenario().answers("select coalesce(payrecon.english(said::jsonb), '') from (values \(list)) as listed (said)")
    #expect(try english == Self.phrases.map { try Phrase(json: $0).english })
  }

  @Test func `the program writes phrases in the text format of the database, so that both compute the same hash of a row`() async throws {
    let phrases = [
      Phrase("signed.chain_length", ["count": .plain(3)]), .code("unsigned"), .plain(""),
      .joined([.plain("a"), Phrase("said.order", ["id": .plain("b")]), .plain("c")], by: "said.apart"),
      Phrase("detail.amounts", ["theirs": .plain("2"), "ours": .plain("1")]),
      Phrase("intake.value_code", ["what": .code("currency"), "value": .plain("\"a\\b\u{1}\n\u{8}é/")]),
    ]
    let list = phrases.map { "($q$\($0.json)$q$)" }.joined(separator: ", ")
    let stored = try await Scenario().answers("select said::jsonb::text from (values \(list)) as listed (said)")
    #expect(stored == phrases.map(\.json))
    #expect(try phrases.map { try Phrase(json: $0.json) } == phrases)
  }

  @Test func `a decision ends with a value that it did not see, not with fewer parts of a list or another order`() async throws {
    let scenario = try await Scenario()
    let seen = #"{"key": "detail.products", "with": {"ours": [1, "a", "b"], "theirs": 2}}"#
    for (later, isNew) in [
      (#"{"key": "detail.products", "with": {"ours": 1, "theirs": 2}}"#, false),
      (#"{"key": "detail.products", "with": {"ours": 2, "theirs": 1}}"#, true), (#"{"key": "detail.amounts", "with": {"ours": 1}}"#, true),
      (#"{"key": "detail.products", "with": {"ours": ["b", "a"], "theirs": 2}}"#, false),
      (#"{"key": "detail.products", "with": {"ours": ["c"], "theirs": 2}}"#, true),
    ] {
      let found = try await scenario.answers("select (not payrecon.stated_values('\(later)') <@ payrecon.stated_values('\(seen)'))::text")
      #expect(found == ["\(isNew)"], "\(later)")
    }
  }

  @Test func theGreaterSideIsReadFromTheValues() async throws {
    let scenario = try await Scenario()
    for (values, sign) in [
      (#"{"ours": "6.00 CNY", "theirs": "5.00 CNY"}"#, "1"), (#"{"ours": "980 JPY", "theirs": "1960 JPY"}"#, "-1"),
      (#"{"ours": "6.00 CNY"}"#, "1"), (#"{"ours": "erased-9 JPY", "theirs": "500 JPY"}"#, "-1"),
      (#"{"ours": "-1.50", "theirs": "-1.5 USD"}"#, "0"),
    ] {
      let detail = #"{"key": "detail.amounts", "with": \#(values)}"#
      #expect(try await scenario.answers("select payrecon.difference_sign('\(detail)')::text") == [sign], "\(values)")
    }
  }

  @Test func `the pseudonym replaces the name in values, never in a key`() async throws {
    let phrase =
      #"{"key": "detail.user", "with": {"user": "user", "list": ["of user", "user-2"], "of": {"key": "user", "with": {}}}}"#
    let found = try await Scenario().answers(
      "select (payrecon.erased_phrase('\(phrase)', '(?<![A-Za-z0-9_-])user(?![A-Za-z0-9_-])', 'erased-1') = "
        + #"'{"key": "detail.user", "with": {"user": "erased-1", "list": ["of erased-1", "user-2"], "#
        + #""of": {"key": "user", "with": {}}}}'::jsonb)::text"#)
    #expect(found == ["true"])
  }

  /// The pseudonym replaces the user id 24000 in findings, and no equal order id, count or amount.
  @Test(arguments: [
    (
      #"payrecon.erased_detail('{"key": "detail.order_of_user", "with": {"order": "24000", "user": "24000"}}', $of) ->> 'with'"#,
      #"{"user": "erased-1", "order": "24000"}"#
    ),
    (
      #"payrecon.erased_detail('{"key": "detail.claims_charge", "with": {"whose": {"key": "said.user", "with": {"id": "24000"}}}}', $of)"#
        + "#>> '{with,whose,with,id}'", "erased-1"
    ),
    (
      #"payrecon.erased_detail('{"key": "said.order", "with": {"id": "24000"}}', $of) #>> '{with,id}'"#, "24000"
    ),
    (
      #"payrecon.erased_inputs('{"refunds" : 24000, "operator" : "24000", "holder_order" : "24000", "reason" : "of 24000"}', $of)"#,
      #"{"refunds" : 24000, "operator" : "erased-1", "holder_order" : "24000", "reason" : "of erased-1"}"#
    ),
    (#"payrecon.erased_inputs('{"user_ids" : ["1", "24000", "u2"]}', $of)"#, #"{"user_ids" : ["1","erased-1","u2"]}"#),
  ])
  func anErasedUserIsReplacedInFindings(expression: String, expected: String) async throws {
    let call = expression.replacing("$of", with: "'24000', payrecon.word_pattern('24000'), 'erased-1'")
    #expect(try await Scenario().answers("select (\(call))::text") == [expected])
  }
}
