import FoundationEssentials

/// Pages are short, their links have targets, and their tables agree with the code.
///
/// `PAYRECON_WRITE_PAGES=1` writes the generated pages.
@Suite struct PageTests {
  private static let pages = "Sources/payrecon/payrecon.docc"
  /// Maximum bytes of a page, and of the maps of `jobs` and `sql`.
  private static let pageBytesMax = 10_000
  private static let mapBytesMax = 6_000
  private static let sentencesMax = 4
  private static let wordsMax = 25

  /// Returns the paths of all documentation pages and of the two maps.
  private static func paths() throws -> [String] {
    try Repository.paths(under: pages, ending: ".md") + ["jobs/README.md", "sql/README.md"]
  }

  /// Returns the names that an expression finds in a file.
  private static func names(_ expression: Regex<(Substring, Substring)>, in path: String) throws -> [String] {
    try Repository.text(path).matches(of: expression).map { String($0.output.1) }
  }

  private static func name(_ path: String) -> String { String(path.split(separator: "/").last?.dropLast(3) ?? "") }

  /// Returns paragraphs and list items, without code blocks, tables and headings. Inline code counts as one word.
  private static func paragraphs(_ page: String) -> [String] {
    var found: [String] = []
    var (isCode, isOpen) = (false, false)
    for line in page.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") { isCode.toggle() }
      let isOther = isCode || line.hasPrefix("```") || line.isEmpty || line.hasPrefix("|") || line.hasPrefix("#") || line.hasPrefix("![")
      if isOther {
        isOpen = false
        continue
      }
      let isItem = line.hasPrefix("- ") || line.firstMatch(of: #/^\d+\. /#) != nil
      let text = line.replacing(#/^(?:- |\d+\. )/#, with: "").replacing(/`[^`]*`/, with: "code").replacing(/\]\([^)]*\)/, with: "]")
      if isOpen, !isItem { found[found.count - 1] += " \(text)" } else { found.append(String(text)) }
      isOpen = true
    }
    return found
  }

  private static func sentences(_ paragraph: String) -> [Substring] {
    paragraph.replacing("**", with: "").replacing(/([.!?:;])\s+/, with: { "\($0.output.1)\u{1E}" }).split(separator: "\u{1E}")
  }

  @Test func pagesAndSentencesAreShort() throws {
    let paths = try Self.paths()
    try #require(paths.count > 40)
    for path in paths {
      let page = try Repository.text(path)
      let bytesMax = path.hasSuffix("README.md") ? Self.mapBytesMax : Self.pageBytesMax
      #expect(page.utf8.count <= bytesMax, "\(path) has \(page.utf8.count) bytes")
      for paragraph in Self.paragraphs(page) {
        let sentences = Self.sentences(paragraph)
        let count = sentences.count { $0.last.map { ".!?".contains($0) } ?? false }
        #expect(count <= Self.sentencesMax, "\(path): \(paragraph)")
        for sentence in sentences {
          let words = sentence.split(separator: " ").count { $0.contains { $0.isLetter || $0.isNumber } }
          #expect(words <= Self.wordsMax, "\(path): \(words) words: \(sentence)")
        }
      }
    }
  }

  @Test func linksLeadToPages() throws {
    let paths = try Self.paths()
    let names = paths.filter { $0.hasPrefix(Self.pages) }.map(Self.name)
    #expect(Set(names).count == names.count, "two pages have one name")
    var linked: Set<String> = ["payrecon"]
    for path in paths {
      let page = try Repository.text(path)
      for link in page.matches(of: /<doc:([^>]+)>/) {
        #expect(names.contains(String(link.output.1)), "\(path) links to \(link.output.1)")
        if path.hasSuffix("/payrecon.md") { linked.insert(String(link.output.1)) }
      }
      let folder = path.split(separator: "/").dropLast().joined(separator: "/")
      for link in page.matches(of: /\]\(([^)#:]+)\)/) where !link.output.1.hasSuffix(".png") {
        #expect(
          FileManager.default.fileExists(atPath: "\(Repository.root)/\(folder)/\(link.output.1)"), "\(path) links to \(link.output.1)")
      }
    }
    #expect(names.filter { !linked.contains($0) } == [], "not among the topics of payrecon.md")
  }

  @Test func `a path in backticks exists, unless a diff on the page adds the file or the path is a placeholder`() throws {
    for path in try Self.paths() {
      let page = try Repository.text(path)
      let added = Set(page.matches(of: /\n\+\+\+ (\S+)/).map { String($0.output.1) })
      for match in page.matches(of: /`((?:Sources|sql|Tests|jobs)\/[\w.\/+-]+)/) {
        let file = String(match.output.1)
        if added.contains(file) || file.contains("NAME") || file.hasSuffix("-") { continue }
        #expect(FileManager.default.fileExists(atPath: "\(Repository.root)/\(file)"), "\(path) names \(file)")
      }
    }
  }

  // MARK: Tables

  /// Returns the cells of a CSV line. A quoted cell may contain commas.
  private static func cells(_ line: Substring) -> [String] {
    var (cells, isQuoted) = ([""], false)
    for character in line {
      switch character {
      case "\"": isQuoted.toggle()
      case "," where !isQuoted: cells.append("")
      default: cells[cells.count - 1].append(character)
      }
    }
    return cells
  }

  private static func rows(_ file: String) throws -> [[String]] {
    try Repository.text("sql/reference/\(file)").split(separator: "\n").dropFirst().map(cells)
  }

  /// Compares the rows below a page's last line with `head` with the given rows, or writes them.
  private static func compare(_ page: String, head: String, _ rows: [String]) throws {
    let path = "\(pages)/Reference/\(page).md"
    let old = try Repository.text(path)
    let start = try #require(old.firstRange(of: head), "\(path) has no table \(head)").lowerBound
    let new = old[..<start] + ([head, head.replacing(/[^|:]+/, with: "---")] + rows).joined(separator: "\n") + "\n"
    if ProcessInfo.processInfo.environment["PAYRECON_WRITE_PAGES"] != nil {
      try Data(new.utf8).write(to: URL(filePath: "\(Repository.root)/\(path)"))
    }
    #expect(try Repository.text(path) == new, "write \(path) again with PAYRECON_WRITE_PAGES=1")
  }

  @Test func breakClassesAgreeWithTheReferenceData() throws {
    let rows = try Self.rows("break_classes.csv")
    try #require(rows.count > 30)
    try Self.compare(
      "BreakClasses", head: "| class | means | severity | due | team | what to do |",
      rows.map { "| `\($0[0])` | \(try Self.title($0[0])) | \($0[2]) | \($0[6]) h | \($0[3]) | \($0[4]) |" })
  }

  private static func title(_ breakClass: String) throws -> Substring {
    let catalogue = try Repository.text("Sources/Wording/Catalogues/en.txt").split(separator: "\n")
    let key = "class.\(breakClass) = "
    return try #require(catalogue.first { $0.hasPrefix(key) }, "en.txt has no \(key)").dropFirst(key.count)
  }

  @Test func rulesAgreeWithTheReferenceData() throws {
    let rows = try Self.rows("rules.csv")
    try #require(rows.count > 20)
    try Self.compare(
      "AbuseRules", head: "| rule | suspects | as shipped | parameters | file |",
      rows.map { "| \($0[0]) | \($0[2]) | \($0[3]) | \($0[5].isEmpty ? "" : "`\($0[5])`") | `sql/rules/\($0[1]).sql` |" })
  }

  private static func words(_ page: String) -> Set<String> {
    Set(page.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
  }

  /// Returns the quoted words in the key lists of a YAML reader.
  private static func keys(_ path: String) throws -> Set<String> {
    let lists = try Repository.text(path).matches(of: /mapping\(\s*\[([^\]]*)\]/)
    return Set(lists.flatMap { $0.output.1.matches(of: /"(\w+)"/).map { String($0.output.1) } })
  }

  @Test func everySettingHasARow() throws {
    let words = Self.words(try Repository.text("\(Self.pages)/Reference/Settings.md"))
    let files = try Repository.paths(under: "Sources/CommandSupport", ending: ".swift")
    let keys = try Set(files.flatMap { try Self.keys($0) })
    try #require(keys.count > 60)
    #expect(keys.subtracting(words).sorted() == [])
    let variables = try Set(files.flatMap { try Self.names(/"(PAYRECON_\w+)"/, in: $0) })
    try #require(variables.count > 8)
    #expect(variables.sorted() == words.filter { $0.hasPrefix("PAYRECON_") }.sorted())
  }

  @Test func everyKeyOfAJobFileHasARow() throws {
    let words = Self.words(try Repository.text("\(Self.pages)/Reference/JobFiles.md"))
    let keys = try Self.keys("Sources/Scheduling/JobFileReader.swift")
    try #require(keys.count > 5)
    #expect(keys.subtracting(words).sorted() == [])
  }

  @Test func everyColumnOfAnInputHasAPlace() throws {
    let page = try Repository.text("\(Self.pages)/Reference/InputFiles.md")
    let columns = try Self.names(/\(\s*"([a-z0-9_]+)",\s*\{/, in: "Sources/Intake/Rows/RowSchema.swift")
    try #require(columns.count > 35)
    #expect(columns.filter { !page.contains("`\($0)`") && !page.contains("`\($0)*`") } == [])
  }

  @Test func everyMetricHasARow() throws {
    let names = try Self.names(/"(payrecon_[a-z_]+)"/, in: "Sources/Jobs/Runs/MetricsFile.swift")
    try #require(names.count > 18)
    let listed = try Self.names(/`(payrecon_[a-z_]+)`/, in: "\(Self.pages)/Reference/Metrics.md")
    #expect(Set(names).symmetricDifference(listed) == [])
  }

  @Test func everyRoleHasARow() throws {
    let page = try Repository.text("\(Self.pages)/Reference/Roles.md")
    let roles = try Set(Self.names(/\b(payrecon_[a-z]+)\b/, in: "sql/functions/access/grant_roles.sql")).subtracting(["payrecon_past"])
    try #require(roles.count >= 6)
    #expect(roles.filter { !page.contains("| `\($0)` |") }.sorted() == [])
  }

  @Test func everyTableOfAReportHasAPlace() throws {
    let page = try Repository.text("\(Self.pages)/Reference/ReportFiles.md")
    let folder = "Sources/Reports"
    let files = try FileManager.default.contentsOfDirectory(atPath: "\(Repository.root)/\(folder)").filter { $0.hasSuffix(".swift") }
    let names = try Set(
      files.flatMap { file in
        try Self.names(/\("([a-z_]+)", (?:ReportsSQL|ExportList|contents)\./, in: "\(folder)/\(file)")
          + Self.names(/(?:add\(|begin\(table: |Part\(name: )"([a-z_]+)"/, in: "\(folder)/\(file)")
      })
    try #require(names.count > 20)
    #expect(names.filter { !page.contains("`\($0)`") }.sorted() == [])
  }

  @Test func everyExitStatusHasARow() throws {
    let page = try Repository.text("\(Self.pages)/Reference/ExitStatuses.md")
    let statuses = try Self.names(/case \w+ = (\d+)/, in: "Sources/Domain/Runs/Verdict.swift")
    try #require(statuses.count == 7)
    #expect(statuses.filter { !page.contains("\n| \($0) | ") } == [])
  }
}
