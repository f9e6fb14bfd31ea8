/// Administrators manage the accounts of the console, and each account changes its own password.
@Suite(.cleansUp) struct ConsoleAccountManagementTests {
  private static let other = "another horse battery"

  private static func passwords(_ password: String) -> [(String, String)] { [("password", password), ("again", password)] }

  @Test func administratorsManageAccounts() async throws {
    let (root, port) = (try await console.browser("root"), try await console.port())
    let new = [("account", "nia"), ("role", "analyst"), ("inbox", "operations")]
    #expect(try root.post("/people", new + Self.passwords(ConsoleSetup.password)).status == 303)
    let page = try root.get("/people/nia").body
    expectParts("nia", "value=\"analyst\" selected", "value=\"operations\" checked", in: page)
    let nia = try await Browser(port: port).logIn("nia")
    #expect(try nia.get("/breaks").status == 403)
    #expect(try root.post("/people/nia/rights", [("role", "approver")]).status == 303)
    #expect(try nia.get("/breaks").status == 200)
    // The address of an account is set by itself or by an administrator, and shown to nobody else.
    #expect(try nia.post("/me/address", [("address", "nia@example.com")]).status == 303)
    #expect(try nia.get("/me").body.contains("value=\"nia@example.com\"") && root.get("/people/nia").body.contains("nia@example.com"))
    #expect(try root.post("/people/nia/address", [("address", "x\r\nBcc: y@example.com")]).status == 400)
    #expect(try nia.post("/people/ann/address", [("address", "nia@example.com")]).status == 403)
    #expect(try root.post("/people/nia/password", Self.passwords(Self.other)).status == 303)
    #expect(try nia.get("/queue").status == 303)
    #expect(try Browser(port: port).attempt("nia", Self.other).status == 303)
    #expect(try root.post("/people/nia/disable").status == 303)
    #expect(try Browser(port: port).attempt("nia", Self.other).status == 401)
    #expect(try root.get("/people/nia").body.contains("disabled"))
    let acts = try await console.acts("actor = 'root' and subject = 'nia'")
    #expect(acts == "account_added account_changed password_set account_disabled")
  }

  @Test func refusals() async throws {
    let (root, zoe) = (try await console.browser("root"), try await console.browser("zoe"))
    let new = [("account", "noah"), ("role", "reader")]
    for (form, status) in [
      (new + Self.passwords("short"), 400), (new + [("password", ConsoleSetup.password), ("again", Self.other)], 400),
      ([("account", "noah"), ("role", "owner")] + Self.passwords(Self.other), 400),
      (new + [("inbox", "nobody's")] + Self.passwords(Self.other), 400),
      ([("account", "a b"), ("role", "reader")] + Self.passwords(Self.other), 400),
      ([("account", "ANN"), ("role", "reader")] + Self.passwords(Self.other), 400),
    ] {
      #expect(try root.post("/people", form).status == status, "\(form)")
    }
    #expect(try zoe.post("/people", new + Self.passwords(Self.other)).status == 403)
    #expect(try zoe.get("/people/ann").status == 403 && root.get("/people/nobody").status == 404)
    for act in ["rights", "password", "disable"] {
      let form = [("role", "admin")] + Self.passwords(Self.other)
      #expect(try zoe.post("/people/ann/\(act)", form).status == 403, "\(act)")
      // The last administrator could lock everybody out.
      #expect(try root.post("/people/root/\(act)", form).status == 403, "\(act)")
    }
    #expect(try await console.count("console_accounts where name in ('noah', 'ANN')") == 0)
  }

  @Test func `the password is changed by who knows the present one; other sessions end, and guesses are throttled`() async throws {
    let port = try await console.port()
    let (piet, elsewhere) = (try await Browser(port: port).logIn("piet"), try await Browser(port: port).logIn("piet"))
    #expect(try piet.post("/me/password", [("present", "wrong")] + Self.passwords(Self.other)).status == 400)
    #expect(try piet.post("/me/password", [("present", ConsoleSetup.password)] + Self.passwords("short")).status == 400)
    try piet.post("/me/password", [("present", ConsoleSetup.password)] + Self.passwords(Self.other)).expect(200, has: "Password changed.")
    #expect(try piet.get("/queue").status == 200 && elsewhere.get("/queue").status == 303)
    #expect(try Browser(port: port).attempt("piet").status == 401)
    #expect(try Browser(port: port).attempt("piet", Self.other).status == 303)
    try piet.post("/me/password", [("present", Self.other)] + Self.passwords(Self.other)).expect(400, has: "Choose another one")
    for _ in 0..<4 { #expect(try piet.post("/me/password", [("present", "no")] + Self.passwords(Self.other)).status == 400) }
    #expect(try piet.post("/me/password", [("present", Self.other)] + Self.passwords(ConsoleSetup.password)).status == 429)
  }

  /// An administrator who knows the password of another account could be both people of a decision.
  @Test func aSetPasswordCountsAsOnePerson() async throws {
    let (root, port) = (try await console.browser("root"), try await console.port())
    let new = [("account", "uma"), ("role", "approver")]
    #expect(try root.post("/people", new + Self.passwords(ConsoleSetup.password)).status == 303)
    let uma = try await Browser(port: port).logIn("uma")
    let id = try await console.ownCase()
    #expect(try root.post("/cases/\(id)/take").status == 303)
    let ban = [("action", "ban"), ("outcome", "confirmed"), ("reason", "fraud"), ("unasked", "yes")]
    #expect(try root.post("/cases/\(id)/decide", ban).status == 303)
    try uma.post("/cases/\(id)/approve", [("reason", "agreed")]).expect(409, has: "count as one")
    #expect(try uma.post("/me/password", [("present", ConsoleSetup.password)] + Self.passwords(Self.other)).status == 200)
    try uma.post("/cases/\(id)/approve", [("reason", "agreed"), ("unasked", "yes")]).expect(303)
  }
}
