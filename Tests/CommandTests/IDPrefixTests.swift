/// Typed ids: a unique prefix is enough, an ambiguous one is refused. A user leads to orders and charges.
@Suite(.cleansUp) struct IDPrefixTests {
  private static let token = "0b6c3f1e-1111-4222-8333-444455556666"

  /// Returns an environment with a user, two orders and one matched charge. Another charge carries the user's token and has no
  /// order.
  private static func setup() async throws -> Setup {
    let setup = try await Setup()
    let orders = [
      Setup.order("PO-1", names: "470001000000001"), Setup.order("PO-10", at: "2026-05-11T10:00:00Z"),
      Setup.order("PO-200", user: "U22", at: "2026-05-10T11:00:00Z"),
    ].map { $0 + ",DEV-7" }
    let apple = [
      ApplePurchase("470001000000001", at: "2026-05-10T10:00:20Z"),
      ApplePurchase("470001000000009", at: "2026-05-01T10:00:20Z", token: token),
    ].map(\.jws)
    try await setup.ingest("users", "user_id,app_account_token,home_storefront\nU1,\(token),CHN\n")
    try await setup.ingest("orders", Setup.table(Setup.orderHeader + ",device_id", orders))
    try await setup.ingest("apple", apple.joined(separator: "\n") + "\n")
    return setup
  }

  /// A text that is not a hash, and the hash of nothing, give the same message, however similar they are to a known one.
  @Test func invalidHashesAreReported() async throws {
    let setup = try await Self.setup()
    let zeros = [63, 64, 65].map { String(repeating: "0", count: $0) }
    for id in ["zzz", "evidence:zzz", "\\x00", "é", "g" + zeros[0], String(repeating: "A", count: 64)] + zeros {
      for words in [["lookup", "--raw", id], ["lookup", id], ["match", "--explain", id]] {
        try await setup.program.run([Program.path] + words, exits: 2, complains: "could not find")
      }
    }
  }

  /// By id, token in any letter case and device, both before the first match run stores links and after it.
  @Test func usersAreShownWithOrdersAndCharges() async throws {
    let setup = try await Self.setup()
    let before = try await setup.program("lookup", "U1", exits: 0, prints: "order PO-10: delivered, coins60, 6.00 CNY, no charge")
    #expect(before.text.hasPrefix("user U1: home storefront CHN"), "\(before.text)")
    try await setup.decide()
    let capitals = Self.token.uppercased()
    let beginnings = [Self.token, capitals].map { String($0.prefix(9)) }
    for id in ["U1", Self.token, capitals, capitals.filter { $0 != "-" }] + beginnings {
      try await setup.program(
        "lookup", id, exits: 0, prints: "user U1: ", "order PO-1: delivered, coins60, 6.00 CNY, charge ",
        "1 charge by the tokens that none of these orders has", "TX_NO_ORDER", lacks: "PO-200")
    }
    let device = try await setup.program("lookup", "DEV", prints: "user U22: no users file has it")
    #expect(device.text.hasPrefix("device DEV-7: users U1, U22\nuser U1: "), "\(device.text)")
  }

  /// A complete id has priority over longer ids. A unique prefix is accepted with a note, an ambiguous one is refused.
  @Test func beginningsOfIDs() async throws {
    let setup = try await Self.setup()
    try await setup.decide()
    #expect(try await setup.program("lookup", "PO-1", lacks: "taken for").text.hasPrefix("order PO-1: "))
    #expect(try await setup.program("lookup", "PO-2", complains: "PO-2 is taken for order PO-200").text.hasPrefix("order PO-200: "))
    try await setup.program(
      "lookup", "PO-", exits: 64, text: "", complains: "order PO-1, order PO-10, order PO-200", lacks: "Apple was not asked")
    #expect(try await setup.program("lookup", "").status == 64)

    let found = try #require(try await setup.rows("breaks").first { $0["class"] == "ORDER_NO_TX" }?["break_id"])
    let caseID = try #require(try await setup.rows("cases").first { $0["subject_id"] == "U1" }?["case_id"])
    let (someBreak, someCase) = (String(found.prefix(12)), String(caseID.prefix(12)))
    let begun: [[String]] = [
      ["breaks", "show", someBreak], ["detect", "--explain", someBreak], ["match", "--explain", "PO-20"],
      ["queue", "show", someCase], ["queue", "take", someCase, "--as-of", Setup.asOf], ["queue", "release", someCase],
    ]
    for words in begun {
      try await setup.program.run([Program.path] + words, exits: 0, complains: "is taken for")
    }
    // A look at the past asks nobody.
    try await setup.program(
      "lookup", "MX12ABCD34 ", "--as-of", "2026-05-01T00:00:00Z", exits: 2, complains: "could not find \"MX12ABCD34\" among",
      "Apple was not asked: 2026-05-01T00:00:00Z is in the past")
    try await setup.program("runs", "show", "nightly-", exits: 2, complains: "no such run")
  }
}
