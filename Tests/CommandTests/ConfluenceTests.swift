/// The same facts in any order and batching, with any repeats, give the same bytes.
@Suite(.cleansUp) struct ConfluenceTests {
  private static let seed: UInt64 = 4711

  /// Report parts that depend on the division into files, and so may differ.
  private static let namesInputs = ["report inputs.csv", "report manifest.json", "report daily.json", "report report.html"]

  /// Deals the files of a kind: the lines are shuffled into several files, some of them twice. Each file has the header.
  private static func deal(_ path: String, hasHeader: Bool, into count: Int, using dice: inout Dice) throws -> [String] {
    var lines = try Setup.lines(path)
    let header = hasHeader ? lines.removeFirst() + "\n" : ""
    let repeats = lines.filter { _ in Int.random(in: 0..<10, using: &dice) == 0 }
    lines = (lines + repeats).shuffled(using: &dice)
    let size = (lines.count + count - 1) / count
    return stride(from: 0, to: lines.count, by: size).map { first in
      header + lines[first..<min(first + size, lines.count)].joined(separator: "\n") + "\n"
    }
  }

  @discardableResult
  private static func ingest(_ setup: Setup, _ kind: String, _ names: [String]) async throws -> Execution {
    try await setup.patiently(["ingest", kind] + names, asOf: Setup.asOf, exits: 0)
  }

  @Test func shuffledSplitAndRepeated() async throws {
    let (world, setup, expected) = try await Worlds.shared.smallSetup()
    var dice = Dice(seed: Self.seed)
    var early: [(kind: String, files: [String])] = []
    var late: [(kind: String, files: [String])] = []
    for (kind, file) in [("apple", "apple.ndjson"), ("orders", "orders.csv"), ("users", "users.csv")] {
      let texts = try Self.deal("\(world)/inbox/\(file)", hasHeader: kind != "apple", into: 5, using: &dice)
      let names = try texts.enumerated().map { index, text in try setup.write("in/\(kind)\(index).\(file)", text) }
      // The first file is repeated at the end. The second file of a kind follows the first decision.
      early.append((kind, [names[3], names[0]]))
      late.append((kind, [names[2], names[1], names[4], names[0]]))
    }
    for (kind, files) in early { try await Self.ingest(setup, kind, files) }
    try await setup.decide()
    for (kind, files) in late.reversed() {
      for name in files { try await Self.ingest(setup, kind, [name]) }
    }
    try await setup.decide()
    try await Self.ingest(setup, "catalogue", ["\(world)/inbox/catalogue.csv"])
    // The night reads the whole inbox again, which contains nothing new.
    try await setup.nightly("\(world)/inbox", exits: 1)

    // A match names the run that decided it: here `match`, there `nightly`. All else is the same.
    let outcome = try await setup.outcome().without(Self.namesInputs).withoutRuns
    #expect(outcome.differences(from: expected.without(Self.namesInputs).withoutRuns) == [], "seed \(Self.seed)")
  }

  @Test func `nights that read the same files in another order agree on everything, including the list of inputs`() async throws {
    let (world, setup, expected) = try await Worlds.shared.smallSetup()
    // The inbox gains one kind at a time, last kind first. Each night decides with the available files.
    for file in ["apple.ndjson", "orders.csv", "users.csv", "catalogue.csv"] {
      let path = try setup.write("inbox-\(file)/\(file)", try Setup.bytes("\(world)/inbox/\(file)"))
      try await setup.nightly(Program.folder(of: path), exits: file == "apple.ndjson" ? 3 : 1)
    }
    #expect(try await setup.outcome().differences(from: expected) == [])
  }

  /// A repeated night changes neither lists nor reports. The ledger counts one more attempt.
  @Test func rerunChangesNothing() async throws {
    let world = try await Worlds.shared.small()
    let night = try await Worlds.shared.night()
    let (setup, before) = (try await night.setup.copy(), night.outcome)
    try await setup.nightly("\(world)/inbox", exits: 1)
    #expect(try await setup.outcome().differences(from: before) == [])
    // Two SQL texts state who owns a subscription, because one of them accepts any clock.
    let owners = try await setup.query(
      """
      set search_path = payrecon;
      select count(subscribed.user_id) > 0 and count(*) filter (where subscribed.user_id is distinct from owners.user_id) = 0
      from subscriptions_at('infinity') as subscribed
      full join chain_owners(array(select original_transaction_id from charges)) as owners
          using (environment, bundle_id, original_transaction_id)
      """)
    #expect(owners == "t")
    let runs = try await setup.rows("runs")
    #expect(runs.cells("attempt") == ["1", "2"])
    #expect(Set(runs.cells("counts")).count <= 2)
    // Every input is ingested again by command, and all of it is known.
    for (kind, file) in [("catalogue", "catalogue.csv"), ("users", "users.csv"), ("orders", "orders.csv"), ("apple", "apple.ndjson")] {
      let count = try Setup.lines("\(world)/inbox/\(file)").count - (kind == "apple" ? 0 : 1)
      let execution = try await Self.ingest(setup, kind, ["\(world)/inbox/\(file)"])
      #expect(execution.text == "\(kind): input \(count) = accepted 0 + repeated \(count) + ignored 0 + parked 0\n")
    }
    try await setup.decide()
    #expect(try await setup.outcome().differences(from: before) == [])
    // After these repeats, the next night writes the same report, including its list of inputs.
    try await setup.nightly("\(world)/inbox", exits: 1)
    let after = try await setup.outcome()
    #expect(after.differences(from: before) == [])
    #expect(after.hash == before.hash)
  }

  /// Two nights at once: one works, the other reports that. Both agree on the result.
  @Test func twoNightsAtOnce() async throws {
    let (world, setup, expected) = try await Worlds.shared.smallSetup()
    let words = [Program.path, "nightly", "--as-of", Setup.asOf, "--inbox", "\(world)/inbox", "--out", "report"]
    async let first = setup.program.run(words)
    async let second = setup.program.run(words)
    let statuses = [try await first.status ?? -1, try await second.status ?? -1].sorted()
    #expect(statuses == [1, 4] || statuses == [1, 1], "\(statuses)")
    #expect(try await setup.outcome().differences(from: expected) == [])
  }

  @Test func kindsAreIngestedInParallel() async throws {
    let (world, setup, expected) = try await Worlds.shared.smallSetup()
    let files = [("orders", "orders.csv"), ("users", "users.csv"), ("catalogue", "catalogue.csv"), ("apple", "apple.ndjson")]
    let statuses = try await withThrowingTaskGroup(of: Int32?.self) { group in
      for (kind, file) in files {
        group.addTask { try await setup.program("ingest", kind, "\(world)/inbox/\(file)", "--as-of", Setup.asOf).status }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses == [0, 0, 0, 0])
    try await setup.nightly("\(world)/inbox", exits: 1)
    #expect(try await setup.outcome().without(Self.namesInputs).differences(from: expected.without(Self.namesInputs)) == [])
  }
}

extension Outcome {
  /// The outcome without the runs that matches name.
  var withoutRuns: Outcome {
    var copy = self
    let matches = String(decoding: parts["export matches"] ?? [], as: UTF8.self)
    copy.parts["export matches"] = Array(
      matches.split(separator: "\n").map { line in
        line.split(separator: ",", omittingEmptySubsequences: false).dropLast().joined(separator: ",")
      }.joined(separator: "\n").utf8)
    return copy
  }

  func without(_ names: [String]) -> Outcome { Outcome(parts: parts.filter { !names.contains($0.key) }) }
}
