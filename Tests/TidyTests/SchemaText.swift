import Foundation

/// The tables of `sql/schema`, as their files describe them.
struct SchemaText {
  struct Table {
    var name: String
    /// Name of the table's file without its ending.
    var subject: String
    var purpose: String
    var grain: String
    var columns: [(name: String, comment: String)] = []
    var key: Set<String> = []

    /// The grain without "one row per"; a dash for a table of one row.
    var rowMeaning: Substring { grain == "one row" ? "–" : grain.dropFirst("one row per ".count) }

    /// Tables named in the comments of the columns.
    var references: Set<String> {
      Set(columns.flatMap { $0.comment.matches(of: /payrecon\.(\w+)/).map { String($0.output.1) } }).subtracting([name])
    }
  }

  /// Subjects in the order of their files, each with its purpose.
  var subjects: [(name: String, purpose: String)] = []
  var tables: [Table] = []
  /// Places without a required comment.
  var faults: [String] = []

  init(root: String) throws {
    let folder = "\(root)/sql/schema"
    for file in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() where file.hasSuffix(".sql") {
      let lines = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8).components(separatedBy: "\n")
      read(lines, subject: String(file.dropLast(4)))
    }
  }

  private mutating func read(_ lines: [String], subject: String) {
    let header = Self.comment(lines.prefix { $0.hasPrefix("--") })
    if !header.hasPrefix("purpose: ") { faults.append("\(subject): no purpose") }
    subjects.append((subject, String(header.dropFirst("purpose: ".count))))
    var comments: [String] = []
    var table: Table?
    for (index, line) in lines.enumerated() {
      let text = line.drop { $0 == " " }
      if let name = line.wholeMatch(of: /create (?:unlogged )?table payrecon\.(\w+) \(/)?.output.1 {
        let words = Self.comment(comments).components(separatedBy: " grain: ")
        if words.count != 2 { faults.append("\(subject):\(index + 1): table without purpose and grain") }
        table = Table(name: String(name), subject: subject, purpose: words[0], grain: words.count == 2 ? words[1] : "")
      } else if line == ");", let done = table {
        tables.append(done)
        table = nil
      } else if let key = line.firstMatch(of: /constraint \w+_pkey primary key \((.*)\)/)?.output.1 {
        table?.key = Set(key.components(separatedBy: ", "))
      } else if table != nil, let name = line.firstMatch(of: #/^ {4}([a-z_0-9]+) /#)?.output.1,
        !["constraint", "references"].contains(name)
      {
        let beside = line.components(separatedBy: "  -- ").dropFirst().joined()
        let comment = beside.isEmpty ? Self.comment(comments) : beside
        if comment.isEmpty { faults.append("\(subject):\(index + 1): column without comment") }
        table?.columns.append((String(name), comment))
      } else if line.hasPrefix("create ") && line.contains("index "), comments.isEmpty {
        faults.append("\(subject):\(index + 1): index without the query it serves")
      }
      comments = text.hasPrefix("--") ? comments + [String(text)] : []
    }
  }

  private static func comment(_ lines: some Sequence<String>) -> String {
    lines.map { $0.drop { $0 == "-" || $0 == " " } }.joined(separator: " ")
  }

  // MARK: The pages

  /// Tables named by most others, whose arrows would hide the rest.
  private static let ubiquitous: Set<String> = ["batches", "runs", "readers", "settings_texts"]

  /// The page `Schema` of the documentation: the tables as a diagram.
  var diagramPage: String {
    var text = """
      # The tables in one picture

      The tables that name another one, or are named, by subject; generated from `sql/schema`. <doc:Tables> lists every table.

      An arrow leads from a table to the one that a column of it names. Most tables also name `batches`, `runs`, `readers` or
      `settings_texts`; those arrows are left out. `psql` and `sql/schema/NAME.sql` show the columns.

      ```mermaid
      flowchart LR

      """
    let known = Set(tables.map(\.name)).subtracting(Self.ubiquitous)
    let arrows = tables.map { (from: $0.name, to: $0.references.intersection(known).sorted()) }.filter { !$0.to.isEmpty }
    let drawn = Set(arrows.flatMap { [$0.from] + $0.to })
    for subject in subjects {
      let names = tables.filter { $0.subject == subject.name && drawn.contains($0.name) }.map(\.name)
      if !names.isEmpty { text += "  subgraph \(subject.name)_tables [\(subject.name)]\n\(names.map { "    \($0)\n" }.joined())  end\n" }
    }
    for (table, others) in arrows { text += "  \(table) --> \(others.joined(separator: " & "))\n" }
    return text + "```\n"
  }

  /// The page `Tables` of the documentation: the meaning of a row in each table.
  var listPage: String {
    var text = "# Tables by subject\n\nWhat a row of each table is, generated from `sql/schema`.\n"
    for subject in subjects {
      let own = tables.filter { $0.subject == subject.name }
      guard !own.isEmpty else { continue }
      text += "\n## \(subject.name)\n\n\(subject.purpose)\n\n| table | one row per |\n|---|---|\n"
      for table in own { text += "| `\(table.name)` | \(table.rowMeaning) |\n" }
    }
    return text
  }
}
