/// Comments in Swift and SQL are short sentences with a named subject and common words.
@Suite struct CommentTests {
  private static let wordsMax = 30
  /// Words that open a comment without a subject.
  private static let openings: Set<String> = ["What", "Whoever", "That", "Of"]
  /// Labels in front of a comment's first word.
  private static let labels = ["purpose: ", "- Returns: "]
  /// Private expressions, of up to three words each.
  private static let jargon: Set<String> = [
    "told", "tells", "lie in", "lies in", "by then", "anew", "Whoever", "whoever", "meanwhile", "hand on", "hands on", "handed on",
    "of its own", "of their own", "hang together", "hangs together",
  ]

  enum Rule: String, Sendable {
    case opening = "names no subject"
    case length = "is longer than 30 words"
    case jargon = "is no common expression"
  }

  /// Consecutive comment lines.
  private struct SourceComment {
    /// First line, counted from 1.
    var line: Int
    /// Joined text without comment marks.
    var text: String
  }

  /// Returns the comments of a file that have lines for themselves.
  private static func comments(in source: String, isSQL: Bool) -> [SourceComment] {
    let mark = isSQL ? "--" : "//"
    let character: Character = isSQL ? "-" : "/"
    var found: [SourceComment] = []
    var isOpen = false
    for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let code = line.drop { $0 == " " }
      guard code.hasPrefix(mark) else {
        isOpen = false
        continue
      }
      var text = code.drop { $0 == character }
      if text.first == " " { text = text.dropFirst() }
      if isOpen {
        found[found.count - 1].text += " \(text)"
      } else {
        found.append(SourceComment(line: index + 1, text: String(text)))
      }
      isOpen = true
    }
    return found
  }

  private static func isInWord(_ character: Character) -> Bool { character.isLetter || character.isNumber || character == "_" }

  /// Returns the sentences as words. A sentence ends at a punctuation mark before white space.
  private static func sentences(in text: String) -> [[Substring]] {
    var found: [[Substring]] = [[]]
    for word in text.split(whereSeparator: { $0.isWhitespace }) {
      found[found.count - 1].append(word)
      if let last = word.last, ".:;!?".contains(last) { found.append([]) }
    }
    return found
  }

  /// Returns the sequences of one to three words.
  private static func expressions(in text: String) -> Set<String> {
    let words = text.split { !isInWord($0) }.map(String.init)
    let pairs = zip(words, words.dropFirst()).map { "\($0) \($1)" }
    let triples = zip(pairs, words.dropFirst(2)).map { "\($0) \($1)" }
    return Set(words + pairs + triples)
  }

  /// Returns the broken rules of a comment, each with the text that breaks it.
  private static func faults(in text: String) -> [(rule: Rule, text: String)] {
    var found: [(rule: Rule, text: String)] = []
    let label = labels.first { text.hasPrefix($0) } ?? ""
    let body = text.dropFirst(label.count)
    let opening = String(body.prefix { isInWord($0) })
    if openings.contains(opening) || body.hasPrefix("Whether what ") { found.append((.opening, String(body))) }
    for sentence in sentences(in: text) where sentence.count > wordsMax {
      found.append((.length, sentence.joined(separator: " ")))
    }
    for expression in expressions(in: text).intersection(jargon).sorted() { found.append((.jargon, expression)) }
    return found
  }

  @Test(arguments: [("Sources", ".swift"), ("Tests", ".swift"), ("Tests", ".sql"), ("sql", ".sql")])
  func commentsArePlain(_ folder: String, _ ending: String) throws {
    var count = 0
    for path in try Repository.paths(under: folder, ending: ending) {
      for comment in Self.comments(in: try Repository.text(path), isSQL: ending == ".sql") {
        count += 1
        for fault in Self.faults(in: comment.text) {
          Issue.record("\(path):\(comment.line): \(fault.rule.rawValue): \"\(fault.text)\" in: \(comment.text)")
        }
      }
    }
    #expect(count > 0, "no comment was found")
  }

  private static func sentence(wordCount: Int) -> String { String(repeating: "word ", count: wordCount - 1) + "end." }

  /// Refused comments and similar accepted ones.
  @Test(
    arguments: [
      ("What is left.", [.opening]), ("Whatever is left.", []), ("purpose: that of the run", []), ("purpose: That of the run", [.opening]),
      ("- Returns: Of each order its charge.", [.opening]), ("Offers of a product.", []), ("Whether what was paid is booked.", [.opening]),
      ("Whether the order is booked.", []), ("The run was told.", [.jargon]), ("The column `told_id`.", []),
      ("A list of its own.", [.jargon]),
      ("Orders by their own ids.", []), ("Whoever asks.", [.opening, .jargon]),
      (sentence(wordCount: 31), [.length]), (sentence(wordCount: 30), []), ("\(sentence(wordCount: 20)) \(sentence(wordCount: 20))", []),
    ] as [(String, [Rule])])
  func refusedComments(_ text: String, _ rules: [Rule]) {
    #expect(Self.faults(in: text).map(\.rule) == rules, "\(text)")
  }

  @Test func `consecutive lines are one comment, with the number of the first line`() {
    let swift = Self.comments(in: "let a = 1\n  /// One\n  // two.\nlet b = 2  // not alone\n// Three.", isSQL: false)
    #expect(swift.map(\.text) == ["One two.", "Three."] && swift.map(\.line) == [2, 5])
    let sql = Self.comments(in: "-- purpose: one\n--          two\nselect 1 -- not alone\n", isSQL: true)
    #expect(sql.map { $0.text.split(separator: " ").joined(separator: " ") } == ["purpose: one two"])
  }
}
