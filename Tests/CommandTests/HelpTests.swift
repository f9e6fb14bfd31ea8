/// Every command's help has an example of that command.
@Suite struct HelpTests {
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
    let commands = CommandPageTests.all(try await CommandPageTests.root()).map(\.words)
    #expect(commands.count > 50)
    for words in commands {
      let help = try await Program().run([Program.path] + words + ["--help"], exits: 0).text
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
