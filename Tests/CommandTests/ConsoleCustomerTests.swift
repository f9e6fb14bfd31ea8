/// The console's page about a customer.
@Suite(.cleansUp) struct ConsoleCustomerTests {
  @Test func customerPageHasTables() async throws {
    let ann = try await console.browser("ann")
    let page = try ann.get("/customer?q=U2").body
    expectParts(
      "<h2>User</h2>", "Totals by currency", "6.00 CNY", "Cases and decisions", "/cases/\(ConsoleSetup.caseID("U2"))", "REPLAY_MULTI_USER",
      "Orders", "/search?q=PO-2", "No purchase is known.", "No subscription is known.", "No refund and no request is known.", "Timeline",
      "order created", in: page)
    #expect(!page.contains("<pre>"), "\(page)")
    // Every id of the customer leads to the same page, and others to the search.
    for id in ["PO-2", "U2"] { #expect(try ann.get("/customer?q=\(id)").body.contains("<h1>Customer U2</h1>"), "\(id)") }
    #expect(try ann.get("/customer?q=100").body.contains("<h1>Search</h1>"))
    // An order is also described in sentences, and leads to its customer.
    let order = try ann.get("/search?q=PO-2").body
    #expect(order.contains("<pre>") && order.contains("/customer?q=U2"))
  }

  @Test func `the beginning of several ids lists them and keeps what was typed`() async throws {
    let ann = try await console.browser("ann")
    try ann.get("/search?q=PO-").expect(
      200, has: "Several ids begin with", "value=\"PO-\"", "/search?q=PO-1\"", "/search?q=PO-3\"", "Candidates")
    let id = ConsoleSetup.caseID("U2")
    for text in [id, String(id.prefix(12))] { #expect(try ann.get("/search?q=\(text)").cases == [id], "\(text)") }
    // No app of this setup has a key.
    try ann.get("/search?q=MK5TTTVWJH").expect(
      200, has: "Apple look-up is not set up", "value=\"MK5TTTVWJH\"", lacks: "Ask Apple")
  }

  @Test func `the search takes every id that an order can have`() async throws {
    let ann = try await console.browser("ann")
    for path in ["/search", "/customer", "/rungs"] {
      #expect(try ann.get("\(path)?q=\(String(repeating: "x", count: 256))").status == 400, "\(path)")
    }
    let longest = String(repeating: "x", count: 255)
    try ann.get("/search?q=\(longest)").expect(200, has: "value=\"\(longest)\" required maxlength=\"255\"")
  }

  /// Support has the order number of a customer's Apple invoice for an unknown purchase.
  @Test func appleOrderNumberIsLookedUp() async throws {
    var setup = try await Setup()
    let store = try await setup.openAppStore()
    let bought = try store.change(.production) { store in
      let id = try store.buy("com.example.reader.coins.100", for: try store.addCustomer("C1"))
      return (id: id, order: store.transaction(id)?.orderID ?? "")
    }
    for (name, role) in [("ann", "analyst"), ("rex", "reader")] { try await ConsoleSetup.add(name, role, "", setup) }
    let server = try await ConsoleSetup.serve(setup, "--console")
    let (ann, rex) = (try await server.browser("ann"), try await server.browser("rex"))
    try ann.get("/search?q=\(bought.order)").expect(200, has: "Ask Apple")
    try rex.get("/search?q=\(bought.order)").expect(200, has: "Not in our data", lacks: "Ask Apple")
    #expect(try rex.post("/search", [("q", bought.order)]).status == 403)
    try ann.post("/search", [("q", bought.order)]).expect(200, has: "/search?q=\(bought.id)")
    #expect(try rex.get("/search?q=\(bought.id)").body.contains("Signed evidence"))
    #expect(try ann.post("/search", [("q", "MNOBODY000")]).body.contains("Apple has no record of it"))
    let acts = try await setup.query(
      "select string_agg(login || details, ' ' order by number) from payrecon.audit_log where act = 'apple_asked'")
    #expect(acts.hasPrefix("ann") && acts.contains("\"transactions\":1") && !acts.contains(bought.order), "\(acts)")
  }
}
