import AppStoreSimulator
import TestSupport
import Testing

/// The console's page about a customer.
@Suite(.cleansUp) struct ConsoleCustomerTests {
  private let console = ConsoleDesk.shared

  @Test func customerPageHasTables() async throws {
    let ann = try await console.browser("ann")
    let page = try ann.get("/search?q=U2").body
    let words = ["<h2>User</h2>", "Orders, charges and users involved", "Timeline", "order created", "/search?q=PO-2", "/cases/\(ConsoleDesk.caseID("U2"))"]
    for words in words { #expect(page.contains(words), "\(words): \(page)") }
    #expect(!page.contains("<pre>"), "\(page)")
    // An order is also described in sentences.
    #expect(try ann.get("/search?q=PO-2").body.contains("<pre>"))
    let unknown = try ann.get("/search?q=PO-NOBODY")
    #expect(unknown.status == 200 && unknown.body.contains("Not in our data."), "\(unknown.status)")
  }

  /// Support has the order number of a customer's Apple invoice for an unknown purchase.
  @Test func appleOrderNumberIsLookedUp() async throws {
    var desk = try await Desk()
    let store = try await desk.openAppStore()
    let bought = try store.change(.production) { store in
      let name = try store.addCustomer("C1")
      let id = try store.buy("com.example.reader.coins.100", for: name)
      return (id: id, order: store.transaction(id)?.orderID ?? "")
    }
    for (name, role) in [("ann", "analyst"), ("rex", "reader")] { try await ConsoleDesk.add(name, role, "", desk) }
    let server = try await NotificationServerProcess.start(desk, "--console 2> serve.err")
    ConsoleDesk.endAtExit(server.process)
    func browser(_ name: String) async throws -> Browser { try await Browser(port: server.port).logIn(name, ConsoleDesk.password) }
    let (ann, rex) = (try await browser("ann"), try await browser("rex"))
    let unknown = try ann.get("/search?q=\(bought.order)")
    #expect(unknown.status == 200 && unknown.body.contains("Ask Apple"), "\(unknown.body)")
    let readers = try rex.get("/search?q=\(bought.order)")
    #expect(readers.status == 200 && readers.body.contains("Not in our data.") && !readers.body.contains("Ask Apple"), "\(readers.body)")
    #expect(try rex.post("/search", [("q", bought.order)]).status == 403)
    let answer = try ann.post("/search", [("q", bought.order)])
    #expect(answer.status == 200 && answer.body.contains("/search?q=\(bought.id)"), "\(answer.body)")
    #expect(try rex.get("/search?q=\(bought.id)").body.contains("Signed evidence"))
    #expect(try ann.post("/search", [("q", "MNOBODY000")]).body.contains("Apple knows nothing of it"))
    let acts = try await desk.query("select string_agg(login || details, ' ' order by number) from payrecon.audit_log where act = 'apple_asked'")
    #expect(acts.hasPrefix("ann") && acts.contains("\"transactions\":1") && !acts.contains(bought.order), "\(acts)")
    await store.stop()
  }
}
