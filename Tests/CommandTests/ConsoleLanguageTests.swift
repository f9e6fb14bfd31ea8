import FoundationEssentials

/// Console pages and reports in the languages of their readers.
@Suite(.serialized, .cleansUp) struct ConsoleLanguageTests {
  private static let pages = [
    "/queue", "/mine", "/approvals", "/watching", "/decided", "/terms", "/dashboard", "/following", "/search", "/breaks", "/runs", "/lists",
    "/settings", "/periods", "/rules", "/rules/R01", "/people",
    "/tokens", "/keys", "/bulk", "/me", "/customer?q=U2", "/people/ann", "/rows/daily", "/cases/\(ConsoleSetup.caseID("U2"))",
  ]
  /// Pages whose preformatted lines are sentences too.
  private static let translatedPages = [
    "/search?q=PO-2", "/rungs?q=U2", "/rungs?q=PO-1", "/rungs?q=PO-2", "/rungs?q=100", "/cases/\(ConsoleSetup.caseID("U2"))/rungs",
  ]
  /// Text that is not translated: names, commands, values of settings.
  private static var left: [Regex<(Substring, Substring)>] {
    [
      /<(style|script|code|option|svg|title)[^>]*>.*?<\/\1>/.dotMatchesNewlines(),
      /<td class="(id|said)[^>]*>.*?<\/td>/.dotMatchesNewlines(),
    ]
  }

  /// Returns runs of English words on a page.
  ///
  /// - Parameter hasLines: whether the preformatted lines are sentences rather than lines of a file.
  static func english(_ page: String, hasLines: Bool = false) -> [String] {
    var text = hasLines ? page : page.replacing(/<pre[^>]*>.*?<\/pre>/.dotMatchesNewlines(), with: " ")
    for part in left { text = text.replacing(part, with: " ") }
    let shown = text.replacing(/<[^>]*>/, with: "\n").replacing(/payrecon [^\n；;，、。.]*|Production|[\w.]+\.(csv|json)/, with: "")
    return shown.matches(of: /[a-z]{2,}(?: [a-z]{2,}){2,}/).map { String($0.output) }
  }

  @Test(arguments: [("zh-CN,zh;q=0.9", "zh-Hans", "待办队列"), ("ja", "ja", "キュー"), ("ru-RU", "ru", "Очередь")])
  func pagesUseTheLanguageOfTheBrowser(accepted: String, tag: String, queue: String) async throws {
    let root = try await console.browser("root")
    for path in Self.pages {
      let page = try root.get(path, headers: ["Accept-Language: \(accepted)"])
      #expect(page.status == 200 && page.body.contains("<html lang=\"\(tag)\">"), "\(path)")
      #expect(Self.english(page.body) == [], "\(path)")
    }
    for path in Self.translatedPages {
      let page = try root.get(path, headers: ["Accept-Language: \(accepted)"])
      #expect(page.status == 200 && page.body.contains("<pre>") && Self.english(page.body, hasLines: true) == [], "\(path)")
    }
    #expect(try root.get("/queue", headers: ["Accept-Language: \(accepted)"]).body.contains("<h1>\(queue)</h1>"))
    let refused = try root.get("/cases/1", headers: ["Accept-Language: \(accepted)"])
    #expect(refused.status == 404 && refused.body.contains("lang=\"\(tag)\"") && Self.english(refused.body) == [])
    let login = try Browser(port: try await console.port()).get("/login", headers: ["Accept-Language: \(accepted)"])
    #expect(login.body.contains("lang=\"\(tag)\"") && Self.english(login.body) == [])
  }

  /// Every part of a case's history is translated. Text by users stays as written.
  @Test func caseHistoryIsTranslated() async throws {
    let (gil, user) = (try await console.browser("gil"), try await console.ownUser())
    let (id, order) = (ConsoleSetup.caseID(user), "PO-\(user)")
    let until = "2026-06-01T00:00:00Z"
    let acts: [(String, [(String, String)])] = [
      ("snooze", [("until", "2026-05-20T00:00:00Z"), ("reason", "1")]), ("wake", []), ("assign", [("assignee", "ann"), ("reason", "2")]),
      ("take", []), ("decide", [("action", "accept"), ("outcome", "confirmed"), ("order", order), ("until", until), ("reason", "3")]),
      ("undo", [("reason", "4")]),
      ("take", []), ("decide", [("action", "ban"), ("outcome", "confirmed"), ("order", order), ("reason", "5")]),
    ]
    for (act, form) in acts {
      try gil.post("/cases/\(id)/\(act)", form).expect(303)
    }
    let body = try Browser(port: gil.port).get("/api/v1/cases/\(id)", headers: ["Authorization: Bearer \(gil.makeToken())"]).body
    let english = "confirmed: 3, order \(order), breaks "
    #expect(body.contains("\"said\":\"\(english)") && body.contains(", until \(until)\""), "\(body)")
    #expect(body.contains("confirmed: 5, order \(order), breaks ") && body.contains(", Apple not asked: no "), "\(body)")
    for (tag, parts) in [
      ("zh-CN", ["已确认：3，订单 \(order)，差异 ", "，至 \(until)", "，未询问 Apple："]), ("ja", ["、\(until) まで", "注文 \(order)", "担当 ann"]),
      ("ru", ["до \(until)", "заказ \(order)", "для ann"]),
    ] {
      let page = try gil.get("/cases/\(id)", headers: ["Accept-Language: \(tag)"]).body
      let history = try #require(page.components(separatedBy: "<table").last { $0.contains("gil") && $0.contains(until) })
      for part in parts { #expect(history.contains(part), "\(tag) \(part) \(history)") }
      let words = history.replacing(/<[^>]*>/, with: "\n").replacing(/\b(gil|ann|Apple|PO-\w+|[0-9a-f]{12,})\b/, with: "")
      #expect(words.matches(of: /[A-Za-z]{3,}/).map { String($0.output) } == [], "\(tag)")
    }
  }

  @Test func englishIsTheDefault() async throws {
    let root = try await console.browser("root")
    for headers in [[], ["Accept-Language: de"], ["Accept-Language: zh-TW"]] {
      let page = try root.get("/queue", headers: headers).body
      #expect(page.contains("<html lang=\"en\">") && page.contains("<h1>Queue</h1>"))
    }
    // The check above does find English.
    #expect(Self.english(try root.get("/dashboard").body) != [])
  }

  /// The language is chosen by a form, stored with the account, and overrides the browser. Programs get English.
  @Test func anAccountChoosesItsLanguage() async throws {
    let gil = try await console.browser("gil")
    let asks = ["Accept-Language: ja"]
    #expect(try gil.post("/me", [("language", "ru")], headers: asks).status == 303)
    #expect(try gil.get("/queue", headers: asks).body.contains("<html lang=\"ru\">"))
    #expect(try gil.get("/me").body.contains("value=\"ru\" lang=\"ru\" selected"))
    #expect(try gil.post("/me", [("language", "tlh")]).status == 400)
    #expect(try gil.post("/me", [("language", "ru")], csrf: "x").status == 403)
    let bearer = ["Authorization: Bearer \(try gil.makeToken())"]
    try Browser(port: gil.port).get("/api/v1/cases?severity=no", headers: asks + bearer).expect(400, has: "is one of")
    #expect(try gil.post("/me", [("language", "")]).status == 303)
    #expect(try gil.get("/queue", headers: asks).body.contains("<html lang=\"ja\">"))
    let chosen = "select string_agg(details::jsonb ->> 'language', ' ' order by number) from payrecon.audit_log"
    #expect(try await console.query("\(chosen) where act = 'preferences_saved'").contains("ru browser"))
  }

  /// Figures, tables and names of a report are the same in every language. Sentences differ.
  @Test func reportsUseTheLanguageOfTheSettings() async throws {
    // A separate database, because other tests decide on the shared one.
    var setup = try await ConsoleSetup.decided()
    for tag in ["en", "zh-Hans", "ja", "ru"] {
      setup.program.environment["PAYRECON_CONFIG"] = try setup.write("\(tag).yaml", Setup.settings() + "reports: {language: \(tag)}\n")
      try await setup.program("report", "all", "--as-of", ConsoleSetup.asOf, "--out", tag, exits: 0, 1)
      if tag != "en" { try Self.expectSameFigures(setup.directory, tag) }
    }
  }

  /// Verifies the report in a language folder against the English one.
  private static func expectSameFigures(_ folder: String, _ tag: String) throws {
    let page = { (language: String) in try Setup.text("\(folder)/\(language)/report.html") }
    let (english, other) = (try page("en"), try page(tag))
    #expect(other.contains("<html lang=\"\(tag)\">") && Self.english(other) == [])
    #expect(Self.english(english).count > 20)
    let figures = { (text: String) in text.matches(of: /<td class="n[^>]*>([^<]*)/).map { String($0.output.1) } }
    // Words beside a figure, such as days, depend on the language.
    let numbers = { (text: String) in figures(text).filter { $0.contains(/^[−0-9]/) }.map { $0.prefix { !$0.isLetter } } }
    #expect(numbers(english) == numbers(other))
    let anchors = { (text: String) in text.matches(of: /(?:id|href)="#?([a-zA-Z_-]+[a-z0-9_-]*)"/).map { String($0.output.1) } }
    #expect(anchors(english) == anchors(other))
    for name in ["breaks.csv", "daily.csv", "identities.csv", "ageing.csv", "breaks.schema.json"] {
      #expect(try Setup.bytes("\(folder)/en/\(name)") == Setup.bytes("\(folder)/\(tag)/\(name)"), "\(name) \(tag)")
    }
  }
}
