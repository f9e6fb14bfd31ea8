import Domain
import Ingest
import JobCore
import Matching
import Postgres
import Testing
import TestSupport

/// A partition contains exactly the connected components that a step-by-step scope finds.
@Suite struct PieceMembersTests {
  private static let clock = "2026-11-19T00:00:00Z"

  /// The rows of a working table that exist. A scope also follows ids that orders name but no table contains.
  private static let held =
    """
    select 'order ' || order_id from scope_order
    union all
    select 'chain ' || original_transaction_id from scope_chain
    where exists (select 1 from payrecon.charges where charges.original_transaction_id = scope_chain.original_transaction_id)
    union all
    select 'evidence ' || encode(scope_evidence.sha256, 'hex') from scope_evidence
    where exists (select 1 from payrecon.evidence where evidence.sha256 = scope_evidence.sha256)
    union all
    select 'user ' || key from scope_key
    where kind = 'user' and exists (select 1 from payrecon.users where users.user_id = scope_key.key)
    """

  /// Nothing outside a partition is connected with anything inside, for any number of partitions.
  @Test(arguments: [21, 22] as [UInt64]) func partitionsAreComplete(seed: UInt64) async throws {
    try await Self.inWorld(seed: seed) { context, session in
      for shares in [2, 3, 5, 7] as [Int32] {
        try await session.transaction { tx in
          try PieceMembers(context: context).deal(to: shares, for: .match, &tx)
          let connected = ConnectedRows(context: context)
          #expect(try connected.openPiece(1, by: .match, &tx))
          let held = try Self.texts(Self.held, &tx)
          // The next step of the scope looks up its rows by these keys.
          try tx.execute(
            """
            alter table scope_order add primary key (order_id);
            alter table scope_chain add primary key (original_transaction_id);
            alter table scope_evidence add primary key (sha256);
            alter table scope_key add primary key (key, kind)
            """)
          #expect(try connected.close(&tx, upTo: .all))
          #expect(try Set(held) == Set(Self.texts(Self.held, &tx)), "seed \(seed), 1 of \(shares) pieces")
          try tx.execute("delete from payrecon.piece_members")
        }
      }
    }
  }

  /// For a partition of a single component, one of its orders leads to all its members.
  @Test func partitionsContainNothingElse() async throws {
    try await Self.inWorld(seed: 23) { context, session in
      let largest = try await session.transaction { tx in
        try PieceMembers(context: context).deal(to: Int32.max, for: .match, &tx)
        return try Self.texts(
          "select piece from payrecon.piece_members group by piece having min(kind) <> 'user' order by count(*) desc, 1 limit 25", &tx)
      }
      #expect(largest.count == 25)
      for piece in largest {
        let held = try await session.transaction { tx in
          _ = try ConnectedRows(context: context).openPiece(Int32(piece) ?? -1, by: .match, &tx)
          return try Self.texts(Self.held, &tx)
        }
        guard let order = held.first(where: { $0.hasPrefix("order ") })?.dropFirst("order ".count) else { continue }
        try await session.transaction { tx in
          let connected = ConnectedRows(context: context)
          try connected.openSubjects(orders: [String(order)], chains: [], &tx)
          #expect(try connected.close(&tx, upTo: .all))
          #expect(try Set(held) == Set(Self.texts(Self.held, &tx)), "from \(order)")
        }
      }
    }
  }

  private static func inWorld(
    seed: UInt64, _ body: @Sendable (JobContext, Session) async throws -> Void
  ) async throws {
    let ingested = try await PiecesTests.ingested(seed: seed)
    let session = try await Session.open(ingested.connection)
    try await tie(ingested, on: session)
    try await body(ingested.context(asOf: clock), session)
    await session.close()
    await ingested.end()
  }

  /// Adds more connections than worlds have: a long row of users whose neighbours share tokens, and an order moved to another user.
  /// Another order names ids of others, and two people decided about a pair.
  private static func tie(_ ingested: Scenario, on session: Session) async throws {
    func pick(_ query: String) async throws -> String { try await session.transaction { tx in try texts(query, &tx)[0] } }
    let row = (0..<50).flatMap { number in
      [0, 1].map { next in
        TestOrder("ROW-\(number)-\(next)", user: "ROW-\(number * 37 % 50)", at: "2026-11-10T00:00:00Z") {
          $0.token = "00000000-0000-4000-8000-\(100_000_000_000 + number + next)"
        }
      }
    }
    let first = try await pick("select min(user_id) from payrecon.orders")
    let last = try await pick("select max(user_id) from payrecon.orders")
    let naming = TestOrder("NAMES-ALL", user: "NAMES-ALL", at: "2026-11-10T00:00:00Z")
    var named = naming
    named.transactionID = try await pick("select min(transaction_id) from payrecon.transactions")
    named.webOrderLineItemID = try await pick("select max(web_order_line_item_id) from payrecon.charges")
    named.deviceID = try await pick("select max(device_id) from payrecon.uploads")
    named.evidenceSHA256 = try await pick("select min(encode(parent_sha256, 'hex')) from payrecon.evidence_links")
    _ = try await ingested.orders(row + [named, TestOrder("MOVED", user: first, at: "2026-11-10T00:00:00Z")], asOf: clock)
    // A device without uploads connects no users, in any version of the orders.
    let devices = (0..<40).map { number in
      TestOrder("SHARES-\(number)", user: "SHARES-\(number)", at: "2026-11-10T00:00:00Z") { ($0.deviceID, $0.updatedAt) = ("web", $0.createdAt) }
    }
    _ = try await ingested.orders(devices, asOf: clock)
    _ = try await ingested.orders(
      devices.map { TestOrder($0.orderID, user: $0.userID, at: $0.createdAt) { $0.updatedAt = "2026-11-11T00:00:00Z" } }, asOf: clock)
    _ = try await ingested.orders(
      [naming, TestOrder("MOVED", user: last, at: "2026-11-10T00:00:00Z") { $0.updatedAt = "2026-11-11T00:00:00Z" }], asOf: clock)
    try await session.executeAlone(
      """
      insert into payrecon.decided_pairs (order_id, charge_id, original_transaction_id, action, decision_id)
      select (select max(order_id) from payrecon.orders), charge_id, original_transaction_id, 'unmatch', 'D-1'
      from payrecon.charges order by charge_id limit 1
      """)
  }

  private static func texts(_ query: String, _ tx: inout DatabaseTransaction) throws -> [String] {
    var bytes: [UInt8] = []
    _ = try tx.copyOut("copy (\(query)) to stdout") { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
