public import Domain
internal import SimulatedSigning

/// A simulated fortnight of two apps with every kind of difference planted, and the expected results.
///
/// The same seed and size give the same bytes in every file, on any machine and with any number of threads.
public enum World {
  /// Minimum number of orders at which every class is planted three times.
  public static let leastOrders = Plan.leastOrders
  /// Maximum number of orders in one world.
  public static let mostOrders = 20_000_000

  /// The as-of of the truth, 2026-11-19T00:00:00Z.
  public static let asOf = Timestamp(milliseconds: Calendar.asOf.milliseconds)

  /// Number of cases per task; a constant, so that the bytes do not depend on the number of threads.
  private static let casesPerChunk = 256

  /// Writes inbox, root certificate, settings and truth below `directory`.
  ///
  /// - Parameter seed: any number; the same one gives the same bytes.
  /// - Parameter orders: number of order rows, from `leastOrders` to `mostOrders`.
  /// - Parameter directory: created if missing; files of an earlier world are replaced.
  /// - Parameter noise: irregularities besides the planted differences; the truth accounts for them.
  /// - Throws: `SimulationError` when the size is out of range or a file cannot be written.
  public static func write(seed: UInt64, orders: Int, directory: String, noise: Noise = .none) async throws -> WorldSummary {
    guard (leastOrders...mostOrders).contains(orders) else {
      throw SimulationError(
        description: "cannot make a world of \(orders) orders: it takes \(leastOrders) to \(mostOrders); "
          + "choose another number of orders")
    }
    let plan = Plan.make(seed: seed, orders: orders)
    let signers = try begin(directory, folders: ["inbox", "roots", "truth"], seed: seed, settings: settings(plan))
    let files = try WorldFiles(directory)
    var counts = Counts()
    try await OrderedChunks.run(plan.count, by: casesPerChunk) { indexes in
      makeChunk(indexes, plan: plan, seed: seed, signers: signers, noise: noise)
    } take: { output in
      try files.write(output)
      counts.add(output.counts)
    }
    let summary = WorldSummary(seed: seed, counts: counts)
    try OutputFile("\(directory)/truth/summary.json").write(summary.json)
    return summary
  }

  /// Writes the files that every world has: root certificate, catalogue and settings. Returns the signers.
  static func begin(_ directory: String, folders: [String], seed: UInt64, settings: TextBuffer) throws -> Signers {
    for folder in folders { try OutputFile.makeFolder("\(directory)/\(folder)") }
    let signers = Signers(seed: seed)
    try OutputFile("\(directory)/roots/simulated-root.der").write(signers.genuine.rootDER)
    try OutputFile("\(directory)/inbox/catalogue.csv").write(App.catalogue.bytes)
    try OutputFile("\(directory)/payrecon.yaml").write(settings.bytes)
    return signers
  }

  /// Returns the cases of one chunk; their evidence lines are shuffled like real arrivals.
  private static func makeChunk(_ indexes: Range<Int>, plan: [CaseKind], seed: UInt64, signers: Signers, noise: Noise) -> CaseOutput {
    var output = CaseOutput()
    for index in indexes {
      var builder = CaseBuilder(index: index, seed: seed, signers: signers, output: output, noise: noise, plan: plan)
      output = CaseOutput()
      plan[index].facts.make(&builder)
      output = builder.output
    }
    var random = RandomSource(seed: seed, stream: .max - 1 - UInt64(indexes.lowerBound / casesPerChunk))
    random.shuffle(&output.evidence)
    return output
  }

  /// Returns the name of a user whom the settings allow to buy in the sandbox.
  static func specialUser(_ index: Int, isTester: Bool) -> String { "\(isTester ? "TEST" : "REV")-\(index)" }

  static func settings(_ plan: [CaseKind]) -> TextBuffer {
    func names(_ kind: CaseKind) -> String {
      plan.indices.filter { plan[$0] == kind }
        .map { specialUser($0, isTester: kind == .testerClaim) }.joined(separator: ", ")
    }
    var text = TextBuffer()
    text.add("# Settings of a simulated world; trusted root: roots/simulated-root.der.\n")
    text.add("apps:\n")
    for app in [App.reader, App.kids] {
      text.add("  - bundle_id: \(app.bundle)\n    apple_id: \(app.appleID)\n")
      text.add("    time_zone: \(app.timeZone)\n")
      guard app.bundle == App.reader.bundle else { continue }
      text.add("    testers: [\(names(.testerClaim))]\n    review_windows:\n      - from: ")
      text.add(instant: Calendar.start)
      text.add("\n        to: ")
      text.add(instant: Calendar.start + 8 * Span.day)
      text.add("\n        users: [\(names(.reviewClaim))]\n")
    }
    text.add("match: {window: 24h, ask_to_buy_window: 14d, clock_skew: 5m}\n")
    text.add("breaks: {grace: 24h, late_verification_after: 7d, fail_at: low}\n")
    text.add("reports: {directory: reports}\n")
    return text
  }
}

/// The files of a world to which each chunk is appended.
struct WorldFiles {
  private let evidence: OutputFile
  private let tables: [(file: OutputFile, rows: KeyPath<CaseOutput, TextBuffer>)]

  init(_ directory: String) throws {
    evidence = try OutputFile("\(directory)/inbox/apple.ndjson")
    tables = try [
      (OutputFile("\(directory)/inbox/orders.csv", header: Order.header), \.orders),
      (OutputFile("\(directory)/inbox/users.csv", header: CaseBuilder.usersHeader), \.users),
      (OutputFile("\(directory)/truth/matches.csv", header: "order_id,transaction_id,rung\n"), \.matches),
      (OutputFile("\(directory)/truth/breaks.csv", header: "class,order_id,transaction_id,evidence_sha256\n"), \.breaks),
      (OutputFile("\(directory)/truth/pending.csv", header: "class,order_id,transaction_id\n"), \.pending),
    ]
  }

  func write(_ output: CaseOutput) throws {
    try evidence.write(Array(output.evidence.joined()))
    for (file, rows) in tables { try file.write(output[keyPath: rows].bytes) }
  }
}
