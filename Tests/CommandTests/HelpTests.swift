import Testing

/// Every command's help has an example of that command.
@Suite struct HelpTests {
  /// Returns the words of a command and of all commands below it, as the help names them.
  private static func commands(below words: [String]) async throws -> [(words: [String], help: String)] {
    let run = try await Program().run([Program.path] + words + ["--help"], exits: 0)
    var found = [(words: words, help: run.text)]
    let lines = run.text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let begin = lines.firstIndex(of: "SUBCOMMANDS:") else { return found }
    for line in lines[(begin + 1)...].prefix(while: { !$0.isEmpty }) where line.hasPrefix("  ") && !line.hasPrefix("   ") {
      guard let name = line.split(separator: " ").first else { continue }
      found += try await commands(below: words + [String(name)])
    }
    return found
  }

  @Test(arguments: [["serve"], ["simulate", "appstore"], ["simulate"], ["ingest"], ["queue", "decide"]])
  func helpOfACommandIsThatCommandsHelp(_ words: [String]) async throws {
    let usage = "USAGE: payrecon \(words.joined(separator: " "))"
    let own = try await Program().run([Program.path] + words + ["--help"], prints: usage)
    try await Program().run([Program.path, "help"] + words, exits: 0, text: own.text)
  }

  @Test func helpOfAnUnknownCommandIsAUsageError() async throws {
    try await Program().run([Program.path, "help", "nightl"], exits: 64, complains: "'nightl'")
  }

  @Test func everyCommandHasAnExampleOfItself() async throws {
    let commands = try await Self.commands(below: [])
    #expect(commands.count > 50)
    for (words, help) in commands {
      let lines = help.split(separator: "\n").map(String.init)
      guard let head = lines.firstIndex(of: "EXAMPLE:"), head + 1 < lines.count else {
        Issue.record("\(words) has no example: \(help)")
        continue
      }
      let example = lines[head + 1].split(separator: " ").map(String.init)
      #expect(example.first == "payrecon")
      #expect(Array(example.dropFirst().prefix(words.count)) == words, "\(words): \(lines[head + 1])")
    }
  }
}
