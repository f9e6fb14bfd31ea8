import FoundationEssentials
import Repository

/// The catalogues agree with each other and with the keys used in the code.
@Suite struct CatalogueTests {
  private static let english = Catalogue.of(.english).texts
  private static let translated = Language.allCases.filter { $0 != .english }
  /// Lists whose members are named by values of the database or of a report.
  private static let lists = Set(calls(of: /\.?name\(\s*"([a-z_]+)"/).map(\.text))

  /// Returns a key without its plural form.
  private static func base(_ key: String) -> String { key.firstIndex(of: "[").map { String(key[..<$0]) } ?? key }

  private static func files(_ folder: String, _ ending: String) -> [(path: String, text: String)] {
    let all = (try? Repository.paths(under: folder, ending: ending)) ?? []
    return all.map { path in (String(path.dropFirst(folder.utf8.count + 1)), (try? Repository.text(path)) ?? "") }
  }

  /// Swift sources that may name keys, without comments.
  private static let code = files("Sources", ".swift").filter { path, text in
    path.hasPrefix("Wording/") || text.contains("import Wording\n") || text.contains(/"(?:formula|json|refusal)\./)
  }.map { path, text in
    (path: path, text: text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n"))
  }

  private static func calls(of pattern: Regex<(Substring, Substring)>) -> [(path: String, text: String)] {
    code.flatMap { path, text in text.matches(of: pattern).map { (path, String($0.output.1)) } }
  }

  /// Returns the keys named in calls, statements and templates, each with its file.
  private static func named() -> [(path: String, key: String)] {
    let pages = Set(english.keys.compactMap { $0.split(separator: ".").first.map(String.init) })
    let statements = files("sql", ".sql").filter { $0.text.contains("phrase(") }.flatMap { path, text in
      text.matches(of: /'([a-z_]+\.[a-z0-9_]+)'/).map { (path: path, text: String($0.output.1)) }
    }
    // A key before a text names a value of the log.
    let literals = (calls(of: /"([a-z_]+\.[a-z0-9_]+)"(?!: ")/) + statements).filter { literal in
      let parts = literal.text.split(separator: ".")
      // An underscore ends the beginning of keys.
      return pages.contains(String(parts[0])) && !literal.text.hasSuffix("_") && !["csv", "html", "json", "sql", "txt"].contains(parts[1])
    }
    let templates = ["Sources/Console", "Sources/Reports"].flatMap { files($0, ".mustache") }.flatMap { path, text in
      text.matches(of: /\[\[([^\]]*)\]\]/).map { (path: path, text: String($0.output.1)) }
    }
    return (literals + templates).map { ($0.path, $0.text) }
  }

  @Test func everyLanguageHasEveryText() {
    let keys = Set(Self.english.keys.map(Self.base))
    #expect(keys.count > 900)
    for language in Self.translated {
      let texts = Catalogue.of(language).texts
      #expect(keys.subtracting(texts.keys.map(Self.base)).sorted() == [], "\(language) lacks them")
      #expect(Set(texts.keys.map(Self.base)).subtracting(keys).sorted() == [], "\(language) has them and English has not")
      #expect(texts.filter { $0.value.allSatisfy(\.isWhitespace) }.keys.sorted() == [])
    }
  }

  @Test(arguments: Language.allCases) func `a text has all plural forms of its language, or none`(language: Language) {
    let counting = Set(Self.english.keys.filter { $0.contains("[") }.map(Self.base))
    #expect(counting.count > 5)
    let texts = Catalogue.of(language).texts
    let plurals = Set((0...25).map(language.plural))
    for key in counting {
      let forms = Set(texts.keys.filter { Self.base($0) == key })
      #expect(forms == Set(plurals.map { "\(key)[\($0.rawValue)]" }), "\(language)")
    }
    #expect(Set(texts.keys.filter { $0.contains("[") }.map(Self.base)) == counting, "\(language)")
  }

  @Test(arguments: Language.allCases) func everyPlaceIsInEveryLanguage(language: Language) {
    for (key, text) in Catalogue.of(language).texts {
      let original = Self.english[key] ?? Self.english["\(Self.base(key))[other]"] ?? ""
      #expect(Set(Pattern(text).placeholders) == Set(Pattern(original).placeholders), "\(key) in \(language)")
      #expect(!text.contains("{{") && !text.contains("}}"), "\(key) in \(language)")
    }
  }

  @Test(arguments: Language.allCases) func `no key is repeated, and every line is a text or a comment`(language: Language) throws {
    let path = "\(Repository.root)/Sources/Wording/Catalogues/\(language.rawValue).txt"
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
    let keys = lines.map { $0.components(separatedBy: " = ")[0] }
    #expect(lines.filter { !$0.contains(" = ") || $0.hasSuffix(" ") || $0.contains("\u{A0}") } == [])
    #expect(keys.count == Set(keys).count, "\(keys.sorted().enumerated().filter { $0.offset > 0 }.count)")
    #expect(Set(keys) == Set(Catalogue.of(language).texts.keys))
  }

  @Test func namedKeysExist() {
    let keys = Set(Self.english.keys.map(Self.base))
    let named = Self.named()
    #expect(named.count > 500)
    #expect(named.filter { !keys.contains($0.key) }.map { "\($0.path): \($0.key)" } == [], "no catalogue has them")
    // A literal sentence in place of a key would be shown in English to every user.
    let literals =
      Self.calls(of: /(?:title|subtitle|note|empty|message): "([^"\\]+)"/)
      + Self.calls(of: /(?:Section|Phrase|words)\(\s*"([^"\\]+)"/)
      + Self.calls(of: /(?:BERFault|IntakeError|RowFault)\([^"]*(?:"",[^"]*)?reason: "([^"\\]+)"/)
    #expect(literals.filter { !keys.contains($0.text) }.map { "\($0.path): \($0.text)" } == [])
    // A key without values in place of a message would itself be shown.
    #expect(Self.calls(of: /JobError\(\s*"(refusal\.[a-z_]+)"(?:\)|, (?:hint|status|isNotFound):)/).map(\.text) == [])
  }

  @Test func existingKeysAreNamed() {
    let named = Set(Self.named().map(\.key))
    let unused = Set(Self.english.keys.map(Self.base)).filter { key in
      !named.contains(key) && !Self.lists.contains(String(key.prefix { $0 != "." }))
    }
    #expect(unused.sorted() == [], "nobody shows them")
  }

  @Test func `the catalogue contains the English texts of the database's tables`() throws {
    for (list, file, column) in [("runbook", "break_classes", 4), ("rule", "rules", 2)] {
      let lines = try Repository.text("sql/reference/\(file).csv").split(separator: "\n").dropFirst()
      try #require(lines.count > 20)
      for line in lines {
        let cells = Self.cells(line)
        #expect(Self.english["\(list).\(cells[0])"] == cells[column])
      }
    }
  }

  @Test func `the English lines of the audit bridge and their identities are those of the statements`() throws {
    for (list, file, pattern) in [
      ("bridge_line", "bridge/bridge_lines", /\n    \((\d+), '\w+', '([^']+)'/),
      ("tieout_formula", "identity_rows", /'((?:cells|bridge)[ \d]*)'(?: as identity)?,\s*'([^']+)'/),
    ] {
      let text = try Repository.text("sql/functions/reports/\(file).sql")
      let made = Dictionary(text.matches(of: pattern).map { ("\(list).\($0.output.1)", String($0.output.2)) }) { first, _ in first }
      #expect(made.count > 5 && made == Self.english.filter { $0.key.hasPrefix("\(list).") }, "\(file)")
    }
  }

  /// Names of sheets are valid in every spreadsheet program, including those of continued tables.
  @Test(arguments: Language.allCases) func sheetsHaveNames(language: Language) throws {
    let texts = Catalogue.of(language).texts
    let names = texts.filter { $0.key.hasPrefix("sheet.") }.values
    try #require(names.count > 20)
    #expect(names.filter { $0.count > 26 || $0.contains { "[]:*?/\\'".contains($0) } } == [])
    #expect(Set(names.map { $0.lowercased() }).count == names.count)
    let words = try Repository.text("sql/functions/reports/column_words.sql")
    for (key, text) in Self.english where key.hasPrefix("relation.") && words.contains("\n('\(key.dropFirst(9))', '', ") {
      #expect(words.contains("\n('\(key.dropFirst(9))', '', '', '', '\(text.replacing("'", with: "''"))')"), "\(key)")
    }
  }

  /// A label is a key for programs and a cell for readers. Both would have to quote an apostrophe.
  @Test func labelsHaveNoApostrophe() throws {
    let starts = ["title.", "sheet.", "column.", "relation.", "rule.", "class."]
    let labels = Self.english.filter { key, _ in key.hasSuffix(".title") || starts.contains { key.hasPrefix($0) } }
    try #require(labels.count > 100)
    #expect(labels.filter { $0.value.contains { "'’".contains($0) } } == [:])
    for file in ["bridge/bridge_lines", "identity_rows"] {
      let text = try Repository.text("sql/functions/reports/\(file).sql")
      let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("--") }
      #expect(code.filter { $0.contains(/[a-z]''[a-z]/) } == [], "\(file)")
    }
  }

  private static func cells(_ line: Substring) -> [String] {
    line.split(separator: "\"", omittingEmptySubsequences: false).enumerated().reduce(into: [""]) { cells, part in
      if part.offset % 2 == 1 { return cells[cells.count - 1] += part.element }
      let pieces = part.element.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      cells[cells.count - 1] += pieces[0]
      cells += pieces.dropFirst()
    }
  }

  /// Stored details nest only texts that the database has in English. Every detail is the text of a class, a rule or a tie-out.
  @Test func detailsNestTextsOfTheDatabase() {
    let files =
      ["sql/rules", "sql/detect/classes", "sql/tieout", "sql/functions/matches"].flatMap { Self.files($0, ".sql") }
      + Self.files("sql/runs", "input_state.sql")
    let keys = files.flatMap { path, text in
      // A key may be chosen by a case expression.
      text.matches(of: /'([a-z]+)\.([a-z0-9_]*)'/).map { (path: path, list: String($0.output.1), name: String($0.output.2)) }
    }.filter { Self.english["\($0.list).\($0.name)"] != nil || $0.list == "word" }
    #expect(keys.count > 120)
    #expect(keys.filter { !["detail", "night", "said", "word"].contains($0.list) }.map { "\($0.path): \($0.list).\($0.name)" } == [])
    let details = Set(keys.filter { $0.list == "detail" }.map { "detail.\($0.name)" })
    #expect(Set(Self.english.keys.filter { $0.hasPrefix("detail.") }).subtracting(details).sorted() == [])
  }

  @Test(arguments: translated) func translationsDiffer(language: Language) {
    let texts = Catalogue.of(language).texts
    // Names, signs and patterns are the same in every language.
    let same = Self.english.filter { texts[$0.key] == $0.value && $0.value.contains(" ") }
    let open = same.filter { $0.value.replacing(/\{\w+\}|Apple/, with: "").contains { $0.isLowercase } }
    #expect(open.keys.sorted() == [], "\(language) says them in English")
  }
}
