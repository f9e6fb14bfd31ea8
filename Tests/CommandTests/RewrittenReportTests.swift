/// The report of a finished run, written again.
@Suite(.cleansUp) struct RewrittenReportTests {
  @Test func laterNightsChangeNothing() async throws {
    let world = try await Worlds.shared.small()
    let setup = try await Setup(world: world)
    let id = try #require(try await setup.nightly("\(world)/inbox", out: "first").headlineEnd)
    // The next night has one more order, and breaks that were pending.
    try setup.write(
      "more/orders.csv",
      "order_id,bundle_id,product_id,user_id,status,created_at,updated_at\n"
        + "PO-9,com.acme.reader,coins60,U9,created,2026-11-19T10:00:00Z,2026-11-19T10:00:00Z\n")
    let second = try await setup.nightly("more", asOf: "2026-11-20T00:00:00Z", out: "second", exits: 1)
    for (run, folder) in [(id, "first"), (try #require(second.headlineEnd), "second")] {
      try await setup.program("runs", "replay", run, exits: 0, text: "run \(run): 19 files, the same byte for byte\n")
      try await setup.program("runs", "replay", run, "--out", "again", exits: 0)
      #expect(try Setup.files(in: "\(setup.directory)/again") == Setup.files(in: "\(setup.directory)/\(folder)"))
    }
    // The working directory of the replay is another than that of the night.
    let elsewhere = "cd / && exec \"$0\" runs replay \(id)"
    try await setup.program.run(["bash", "-c", elsewhere, Program.path], exits: 0, prints: "the same byte for byte")
    // A moved report is found at the given path.
    _ = try await setup.program.run(["mv", "\(setup.directory)/first", "\(setup.directory)/archive"])
    try await setup.program(
      "runs", "replay", id, exits: 2, complains: "its report is no longer in \"\(setup.directory)/first\"", "--report")
    #expect(try await setup.program("runs", "replay", id, "--report", "archive").status == 0)
  }

  @Test func changedFactsAreNamed() async throws {
    let setup = try await Worlds.shared.night().setup.copy(withFiles: true)
    let id = try await setup.query("select run_id from payrecon.runs where job = 'nightly'")
    try await setup.query(
      """
      update payrecon.break_events set amount_milliunits = amount_milliunits + 1
      where break_id = (select min(break_id) from payrecon.break_events where amount_milliunits > 0 and is_open)
      """)
    try await setup.program("runs", "replay", id, exits: 1, prints: "breaks.csv differs: ", lacks: "inputs.csv differs")
  }

  @Test func failedReplayGivesAReason() async throws {
    let setup = try await Setup()
    try setup.write("inbox/users.csv", "user_id\nU1\n")
    let id = try #require(try await setup.nightly().headlineEnd)
    #expect(try await setup.program("runs", "replay", "nightly-nothing").status == 2)
    #expect(try await setup.program("runs", "replay", id).status == 0)
    try setup.write("payrecon.yaml", Setup.settings() + "match: {window: 12h}\n")
    try await setup.program("runs", "replay", id, exits: 64, complains: "it ran with other settings")
  }
}
