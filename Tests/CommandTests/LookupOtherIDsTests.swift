/// An order that stands in a parked row only is found, and cases and runs lead to the command that shows them.
@Suite(.cleansUp) struct LookupOtherIDsTests {
  @Test func parkedRowsAreFound() async throws {
    let setup = try await Setup()
    try setup.write(
      "orders.csv",
      Setup.table([
        "PK-77,com.acme.reader,coins60,U7,odd,2026-05-10T10:00:00Z,,,470001000000001",
        "PK-78,com.acme.reader,coins60,U8,created,2026-05-10T10:00:00Z,,,",
      ]))
    try await setup.program("ingest", "orders", "orders.csv", "--as-of", "2026-05-12T00:00:00Z", exits: 0)
    for id in ["PK-77", "U7", "470001000000001"] {
      let line = "Line 2 of orders file \"orders.csv\" names \(id) and is parked: status: "
      try await setup.program("lookup", id, exits: 0, prints: line, "payrecon deadletter retry ")
    }
    // A part of an id is none, and neither is an id that another row has.
    try await setup.program("lookup", "K-77", exits: 2, complains: "could not find")
    try await setup.program("lookup", "PK-78", exits: 0, prints: "order PK-78", lacks: "is parked")
    // Beside what else is known of the id.
    try await setup.ingest("apple", Setup.bought)
    try await setup.decide()
    try await setup.program("lookup", "470001000000001", exits: 0, prints: "charge ", "is parked")
    let item = try await setup.query("select parked_id from payrecon.parked_items")
    try await setup.program("deadletter", "discard", item, "--reason", " ", exits: 64, complains: "a reason must be given")
    try await setup.program("deadletter", "discard", item, "--reason", "sent again", exits: 0)
    try await setup.program("lookup", "PK-77", exits: 2, complains: "could not find")
  }

  @Test func otherCommandsAreNamed() async throws {
    let setup = try await Worlds.shared.night().setup.copy()
    let run = try await setup.query("select run_id from payrecon.runs where job = 'nightly'")
    try await setup.program("lookup", run, exits: 0, prints: "payrecon runs show \(run) shows it")
  }
}
