import Postgres
import TestSupport
import Testing

/// A person tries break classes with psql, on all orders and charges, and nothing of it stays.
@Suite struct ClassTryTests {
  @Test func everyClassCanBeTriedWithPsql() async throws {
    let desk = try await Desk()
    let orders = try desk.write(
      "orders.csv",
      """
      order_id,bundle_id,product_id,user_id,status,created_at,price_milliunits,currency
      PO-1,com.acme.reader,coins,U1,paid,2026-05-01T10:00:00Z,6000,CNY

      """)
    let read = try await desk.program("ingest", "orders", orders, "--as-of", "2026-05-12T00:00:00Z")
    #expect(read.status == 0, "\(read.complaint)")
    let classes = try TestServer.sql().paths.filter { $0.hasPrefix("detect/classes/") }
    #expect(classes.count > 30)
    let folder = "\(TestServer.repository)/sql"
    let tried = try await desk.program.run(
      ["psql", "-qX1At", "-v", "ON_ERROR_STOP=1", "-v", "as_of=2026-05-12T00:00:00Z", "-v", "grace=24 hours", "-v", "skew=5 minutes"]
        + ["-f", "\(folder)/detect/inputs.psql"] + classes.flatMap { ["-f", "\(folder)/\($0)"] }
        + ["-c", "select class, order_id from finding", desk.connection.conninfo])
    #expect(tried.status == 0, "\(tried.complaint)")
    #expect(tried.text.split(separator: "\n") == ["ORDER_NO_TX|PO-1"], "\(tried.text)")
    #expect(try await desk.query("select count(*) from payrecon.break_events") == "0")
    await desk.end()
  }
}
