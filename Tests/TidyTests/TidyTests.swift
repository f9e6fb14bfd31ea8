import FoundationEssentials

/// Rules for every file of the repository.
@Suite struct TidyTests {
  private static let lineColumnsMax = 140
  private static let functionLinesMax = 60
  private static let fileLinesMax = 400
  /// Modules that may call the C library directly. All others use these.
  private static let glibcModules: Set<String> = [
    "AppStore", "CommandSupport", "Cryptography", "Ingest", "Intake",
    "JobCore", "Jobs", "Postgres", "Reports", "Simulation", "SystemCalls", "TimeZones", "payrecon",
  ]

  private struct File {
    /// Path below the repository's top level.
    var path: String
    var lines: [Substring]
    var folder: String { path.split(separator: "/").dropLast().joined(separator: "/") }
  }

  private static func files(under folder: String, ending: String) throws -> [File] {
    try Repository.paths(under: folder, ending: ending).map {
      File(path: $0, lines: try Repository.text($0).split(separator: "\n", omittingEmptySubsequences: false))
    }
  }

  /// Returns the places of the lines that meet a condition, as `path:line`.
  private static func places(in files: [File], where isMeant: (Substring) -> Bool) -> [String] {
    files.flatMap { file in file.lines.enumerated().filter { isMeant($0.element) }.map { "\(file.path):\($0.offset + 1)" } }
  }

  @Test func linesFitTheScreen() throws {
    let files = try Self.files(under: "Sources", ending: ".swift") + Self.files(under: "sql", ending: ".sql")
    try #require(files.count > 400)
    #expect(Self.places(in: files) { $0.count > Self.lineColumnsMax } == [], "longer than \(Self.lineColumnsMax) columns")
  }

  /// Files obey `.editorconfig`. `Tests/run` compares the layout of Swift code with `.swift-format`.
  @Test(arguments: ["Sources", "sql", "jobs", "Tests"]) func filesFollowTheEditorSettings(folder: String) throws {
    for ending in [".swift", ".sql", ".py", ".md", ".mustache", ".css", ".js"] {
      let files = try Self.files(under: folder, ending: ending)
      #expect(files.filter { $0.lines.last != "" }.map(\.path) == [], "do not end their last line")
      let blank = Self.places(in: files) { $0.hasSuffix(" ") || $0.contains("\t") || $0.hasSuffix("\r") }
      #expect(blank == [], "have a tab, or a blank at their end")
    }
  }

  @Test func filesAndFunctionsAreShort() throws {
    for file in try Self.files(under: "Sources", ending: ".swift") {
      #expect(file.lines.count <= Self.fileLinesMax, "\(file.path)")
      for (index, line) in file.lines.enumerated() where line.contains("func ") || line.contains(" init(") {
        let indent = line.prefix { $0 == " " }
        let end = file.lines[index...].firstIndex { $0 == "\(indent)}" } ?? index
        // A switch that gives each case one line is a table.
        let length = file.lines[index...end].count { !$0.contains(/^ *case \.\w+: \S/) }
        let isBody = line.hasSuffix("{") || line.hasSuffix("(")
        #expect(!isBody || length <= Self.functionLinesMax, "\(file.path):\(index + 1)")
      }
    }
  }

  /// A statement's header states its purpose and grain, and its parameters if it has any. StatementValueTests compares the list of
  /// parameters with the server's.
  @Test func everySQLFileHasAHeader() throws {
    let files = try Self.files(under: "sql", ending: ".sql")
    try #require(files.count > 400)
    for file in files {
      let header = file.lines.prefix { $0.hasPrefix("--") }
      #expect(!header.isEmpty, "\(file.path) begins without a comment")
      guard !["sql/schema/", "sql/functions/"].contains(where: { file.path.hasPrefix($0) }) else { continue }
      let hasParameters = file.lines.dropFirst(header.count).contains { $0.contains(/:'\w+'/) }
      for part in ["purpose", "grain"] + (hasParameters ? ["parameters"] : []) {
        #expect(header.contains { $0.hasPrefix("-- \(part):") }, "\(file.path) does not say its \(part)")
      }
    }
  }

  @Test func onlyListedModulesCallTheCLibrary() throws {
    for file in try Self.files(under: "Sources", ending: ".swift") where file.lines.contains(where: { $0.hasSuffix("import Glibc") }) {
      let module = file.path.split(separator: "/")[1]
      #expect(Self.glibcModules.contains(String(module)), "\(file.path)")
    }
  }

  /// Only `SystemCalls` makes these system calls, except that `Files` creates the folders of a cluster with their owner.
  @Test func systemCallsAreInOneModule() throws {
    for file in try Self.files(under: "Sources", ending: ".swift") where !file.path.hasPrefix("Sources/SystemCalls/") {
      let calls = Self.places(in: [file]) { line in
        let call = line.firstMatch(of: /\b(mkdir|opendir|readdir|clock_gettime|gethostname|strerror)\(/)?.output.1
        return call != nil && !(call == "mkdir" && file.path.hasSuffix("Postgres/Cluster/Files.swift")) && !line.contains("///")
      }
      #expect(calls == [])
    }
  }

  /// A folder can be read, moved or made a separate target if its dependencies do not depend on it.
  @Test func foldersOfATargetFormNoCycle() throws {
    let targets = Dictionary(grouping: try Self.files(under: "Sources", ending: ".swift")) { $0.path.split(separator: "/")[1] }
    var useCount = 0
    for (target, files) in targets {
      let uses = Self.uses(among: files)
      useCount += uses.values.reduce(0) { $0 + $1.count }
      #expect(Self.circle(uses) == [], "\(target)")
    }
    #expect(useCount > 20, "names are no longer found")
    #expect(Self.circle(["a": ["b", "d"], "b": ["c"], "c": ["a"], "d": []]) == ["a", "b", "c"])
  }

  /// Returns, by folder, the folders whose top-level names its code uses.
  private static func uses(among files: [File]) -> [String: Set<String>] {
    let declaration = /(?:@\w+ )?(?:(?:public|package|final|indirect) )*(?:struct|enum|class|actor|protocol|typealias|func|let|var) (\w+).*/
    var homes: [Substring: String] = [:]
    for file in files {
      for line in file.lines where line.first?.isLetter == true || line.first == "@" {
        if let name = line.wholeMatch(of: declaration)?.output.1 { homes[name] = file.folder }
      }
    }
    var uses: [String: Set<String>] = [:]
    for file in files {
      let code = file.lines.compactMap { $0.split(separator: "//", omittingEmptySubsequences: false).first }
      let words = code.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" } }
      uses[file.folder, default: []].formUnion(Set(words).compactMap { homes[$0] })
    }
    return uses.reduce(into: [:]) { $0[$1.key] = $1.value.subtracting([$1.key]) }
  }

  /// Returns the folders in cycles and those that depend on them. Folders without remaining dependencies are removed repeatedly.
  private static func circle(_ uses: [String: Set<String>]) -> [String] {
    var left = uses
    while let free = left.first(where: { $0.value.isDisjoint(with: left.keys) })?.key { left[free] = nil }
    return left.keys.sorted()
  }

  /// A working table with the name of a table would hide that table.
  @Test func noWorkingTableHasTheNameOfATable() throws {
    let tables = try Self.files(under: "sql/schema", ending: ".sql").flatMap(\.lines).compactMap {
      $0.wholeMatch(of: /create table payrecon\.(\w+) .*/)?.output.1
    }
    try #require(tables.count > 50)
    let files = try Self.files(under: "sql", ending: ".sql") + Self.files(under: "sql", ending: ".psql")
    let hiding = Self.places(in: files) { line in
      line.firstMatch(of: /create temp (table|view) (\w+)/).map { tables.contains($0.output.2) } ?? false
    }
    #expect(hiding == [])
  }

  /// A scope looks up rows by key, with hash and merge joins off. An anti join with an unkeyed working table would compare every
  /// pair of rows, and a night's time would grow with the square of its changes.
  @Test func noScopeComparesEveryPair() throws {
    let files = try Self.files(under: "sql/scope", ending: ".sql") + Self.files(under: "sql/inputs", ending: ".sql")
    let texts = files.map { ($0.path, $0.lines.joined(separator: "\n")) }
    let unkeyed = Set(texts.flatMap { $0.1.matches(of: /create temp table (\w+) (on commit drop as|\(like)/).map { String($0.output.1) } })
    try #require(unkeyed.isSuperset(of: ["in_orders", "in_transactions", "scope_change"]))
    for (path, text) in texts {
      let searched = text.matches(of: /(?:exists \(\s*select\s+1\s+from|left join) (\w+)/).map { String($0.output.1) }
      #expect(searched.filter(unkeyed.contains) == [], "\(path): give it a key, or say `not in`, which hashes")
    }
  }

  @Test func `tables on standard output use the one writer that quotes`() throws {
    let files = try Self.files(under: "Sources/payrecon", ending: ".swift")
    try #require(files.count > 10)
    #expect(Self.places(in: files) { $0.contains("Output.write") && $0.contains(#"joined(separator: ",")"#) } == [])
  }

  @Test func `no file refers to anything outside the repository`() throws {
    let pages =
      try ["Sources", "jobs", "sql", "Tests"].flatMap { try Self.files(under: $0, ending: ".md") }
      + ["Sources", "Tests"].flatMap { try Self.files(under: $0, ending: ".swift") } + Self.files(under: "Tests", ending: ".py")
    try #require(pages.contains { $0.path.hasPrefix("Tests/oracle2/") })
    for file in pages where !file.path.hasPrefix("Tests/TidyTests/") {
      let outside = ["PRODUCT.md", "apple-domain.md", "reconciliation.md"] + (file.path.hasPrefix("Tests/") ? [] : ["../shared"])
      #expect(Self.places(in: [file]) { line in outside.contains { line.contains($0) } } == [])
    }
  }

  @Test func `the page lists every target and its permitted imports`() throws {
    let manifest = try Repository.text("Package.swift")
    let end = try #require(manifest.firstRange(of: "// Tests: through")).lowerBound
    let declared = manifest[..<end].split(separator: "\n").joined(separator: " ")
    let names = Set(declared.matches(of: /(?:library|program|systemLibrary|target)\(\s*(?:name: )?"([\w-]+)"/).map { String($0.output.1) })
    try #require(names.count > 25)
    var wanted: [String: Set<String>] = [:]
    let starts = declared.ranges(of: /\b(?:library|program)\(\s*"/).map(\.lowerBound)
    for (start, stop) in zip(starts, starts.dropFirst() + [declared.endIndex]) {
      let part = declared[start..<stop]
      guard let name = part.prefixMatch(of: /(?:library|program)\(\s*"([\w-]+)"/)?.output.1 else { continue }
      wanted[String(name)] = Set(part.matches(of: /"([\w-]+)"/).map { String($0.output.1) }).intersection(names).subtracting([String(name)])
    }
    let page = try Repository.text("Sources/payrecon/payrecon.docc/Reference/Modules.md")
    var stated: [String: Set<String>] = [:]
    for row in page.matches(of: /\n\| `([\w-]+)` \| [^|\n]+ \| ([\w, -]+) \|/) {
      stated[String(row.output.1)] = Set(row.output.2.components(separatedBy: ", ")).subtracting(["nothing"])
    }
    for (name, imports) in wanted { #expect(stated[name] == imports, "\(name) in Modules.md") }
    for name in stated.keys where names.contains(name) == false && name.first?.isUppercase == true {
      Issue.record("Modules.md names \(name), which is no target")
    }
  }
}
