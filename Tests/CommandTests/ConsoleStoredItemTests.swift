/// Stored items of the console: views of the queue, list entries, attachments of a case.
@Suite(.serialized) struct ConsoleStoredItemTests {
  @Test func viewsArePrivateOrShared() async throws {
    let (ann, gil, rex) = (try await console.browser("ann"), try await console.browser("gil"), try await console.browser("rex"))
    let kids = [("app", "com.acme.kids"), ("aside", "yes")]
    #expect(
      try ann.post("/views", kids + [("view", "<b>old</b>"), ("shared", "")]).header("location") == "/queue?app=com.acme.kids&aside=yes")
    #expect(try ann.post("/views", [("severity", "high"), ("view", "grave"), ("shared", "yes")]).status == 303)
    let own = try ann.get("/queue").body
    #expect(own.contains("&lt;b&gt;old") && !own.contains("<b>old") && own.contains("grave"))
    let link = try #require(own.firstMatch(of: /href="(\/queue\?app[^"]*aside[^"]*)">/)).output.1
    #expect(try ann.get(ConsolePage.unescaped(link)).cases.count == 50)
    // Other accounts see shared views and cannot change them.
    let others = try gil.get("/queue").body
    #expect(others.contains("grave") && others.contains("by ann") && !others.contains("&lt;b&gt;old"))
    #expect(try gil.post("/views/end", [("view", "grave")]).status == 404)
    #expect(try gil.post("/views", [("view", "grave"), ("severity", "low")]).status == 303)
    #expect(try await console.count("console_views where name = 'grave'") == 2)
    // A reader account can store private views.
    #expect(try rex.post("/views", [("view", "mine"), ("severity", "low")]).status == 303)
    #expect(try rex.post("/views", [("view", "ours"), ("shared", "yes")]).status == 403)
    for (fields, status) in [
      ([("view", " ")], 400), ([("view", String(repeating: "x", count: 61))], 400), ([("view", "x"), ("days", "soon")], 400),
      ([("view", "x"), ("app", String(repeating: "x", count: 201))], 400),
    ] { #expect(try gil.post("/views", fields).status == status, "\(fields)") }
    #expect(try gil.post("/views", [("view", "x")], csrf: "x").status == 403)
    for index in 0..<49 { #expect(try gil.post("/views", [("view", "v\(index)")]).status == 303) }
    #expect(try gil.post("/views", [("view", "one too many")]).status == 409)
    #expect(try ann.post("/views/end", [("view", "<b>old</b>")]).status == 303)
    #expect(try !ann.get("/queue").body.contains("&lt;b&gt;old"))
    #expect(try await console.acts("act like 'view_%' and login = 'ann'") == "view_saved view_saved view_removed")
  }

  @Test func listsWorkAsOnTheCommandLine() async throws {
    let (ann, rex, ops) = (try await console.browser("ann"), try await console.browser("rex"), try await console.browser("ops"))
    let entry = [("list", "tester"), ("kind", "user"), ("id", "guest-7"), ("until", "2027-01-01"), ("reason", "of the <i>lab</i>")]
    #expect(try ann.post("/lists", entry).header("location") == "/lists")
    let listed = try ann.get("/lists?id=guest-7").body
    #expect(listed.contains("of the &lt;i&gt;lab") && listed.contains("Take off: tester: user guest-7"))
    try await console.setup().program("lists", "list", "--format", "csv", prints: ",tester,user,guest-7,")
    #expect(try await console.query("select owner || ' ' || account from payrecon.list_entries where subject_id = 'guest-7'") == "ann ann")
    for fields in [
      [("list", "tester"), ("kind", "order"), ("id", "PN-1")], [("list", "nothing"), ("kind", "user"), ("id", "x")],
      [("list", "family"), ("kind", "user"), ("id", "guest-8")], [("list", "allow"), ("kind", "user"), ("id", "guest-8"), ("rule", "R99")],
      [("list", "block"), ("kind", "user"), ("id", "")],
    ] {
      #expect(try ann.post("/lists", fields + [("until", "2027-01-01"), ("reason", "x")]).status == 400, "\(fields)")
    }
    #expect(try ann.post("/lists", entry.map { $0.0 == "until" ? ("until", "soon") : $0 }).status == 400)
    #expect(try rex.post("/lists", entry).status == 403)
    #expect(try ops.post("/lists", entry).status == 403)
    #expect(try ops.get("/lists").status == 403)
    #expect(try !rex.get("/lists").body.contains("Take off"))
    let id = try #require(listed.firstMatch(of: /\/lists\/([0-9a-f]{32})\/end/)).output.1
    #expect(try rex.post("/lists/\(id)/end", [("reason", "no")]).status == 403)
    #expect(try ann.post("/lists/\(id)/end", [("reason", " ")]).status == 400)
    #expect(try ann.post("/lists/\(id)/end", [("reason", "left")]).status == 303)
    #expect(try ann.post("/lists/\(id)/end", [("reason", "left")]).status == 409)
    #expect(try ann.get("/lists?id=guest-7").body.contains("removed"))
  }

  @Test func `clients without a session occupy none of the few upload slots, however slowly they send`() async throws {
    let (ann, port) = (try await console.browser("ann"), try await console.port())
    let path = "/cases/\(try await console.ownCase())/attachments"
    let tokens = ["", String(repeating: "0", count: 64), ann.token.uppercased(), "x"]
    let strangers = try (0..<8).map { index in
      let connection = try #require(RawConnection(port: port))
      let head =
        ["POST \(path) HTTP/1.1", "Host: console", "Connection: close", "Cookie: payrecon_session=\(tokens[index % tokens.count])"]
        + ["Content-Type: multipart/form-data; boundary=x", "Content-Length: 4000000"]
      // The body begins and continues one byte at a time, without ever ending.
      connection.send(head.joined(separator: "\r\n") + "\r\n\r\n--x\r\n")
      return connection
    }
    for stranger in strangers { stranger.send("d") }
    #expect(try upload(ann, path, "beside strangers").status == 303)
    // The strangers are refused while they still send. A client that waits for the end of a body is disconnected.
    for stranger in strangers { #expect(stranger.status() == 401) }
  }

  /// Posts a form with a file as a browser does.
  private func upload(_ browser: Browser, _ path: String, _ content: String, name: String = "note.txt", csrf: String? = nil) throws
    -> ConsolePage
  {
    let own = SHA256.hex(Array("payrecon form \(browser.token)".utf8))
    let mark = "----WebKitFormBoundary7MA4"
    let body = """
      --\(mark)\r
      Content-Disposition: form-data; name="csrf"\r
      \r
      \(csrf ?? own)\r
      --\(mark)\r
      Content-Disposition: form-data; name="file"; filename="\(name)"\r
      Content-Type: text/plain\r
      \r
      \(content)\r
      --\(mark)--\r

      """
    return try browser.send("POST", path, ["Content-Type: multipart/form-data; boundary=\(mark)"], body)
  }

  @Test func filesAreAttachedByTheirHash() async throws {
    let (ann, rex, ops) = (try await console.browser("ann"), try await console.browser("rex"), try await console.browser("ops"))
    let setup = try await console.setup()
    let user = try await console.ownUser()
    let id = ConsoleSetup.caseID(user)
    let path = "/cases/\(id)/attachments"
    let content = "a letter of Mary\r\n--not a mark\r\n"
    let hash = SHA256.hex(Array(content.utf8))
    #expect(try upload(ann, path, content, name: "../../mary<b>.txt").done == "attached")
    let card = try ann.get("/cases/\(id)").body
    #expect(card.contains("href=\"/cases/\(id)/attachments/\(hash)\"") && card.contains("mary&lt;b&gt;.txt") && !card.contains("mary<b>"))
    let raw = try ann.get("\(path)/\(hash)")
    #expect(raw.body == content && raw.header("content-disposition") == "attachment; filename=\"\(hash).bin\"")
    #expect(raw.header("content-type") == "application/octet-stream")
    // The same file again, a file of another case, an account without permission, and no file at all.
    #expect(try upload(ann, path, content).status == 409)
    #expect(try ann.get("/cases/\(ConsoleSetup.caseID("V5"))/attachments/\(hash)").status == 404)
    #expect(try rex.get("\(path)/\(hash)").status == 403)
    #expect(try upload(rex, path, "x").status == 403)
    #expect(try upload(ops, "/cases/\(ConsoleSetup.caseID("U2"))/attachments", "x").status == 404)
    #expect(try upload(ann, path, "x", csrf: "x").status == 403)
    #expect(try upload(ann, path, "").status == 400)
    #expect(try ann.post(path).status == 400)
    #expect(try upload(ann, path, String(repeating: "x", count: 5 << 20)).status == 413)
    #expect(try upload(ann, path, String(repeating: "x", count: (4 << 20) + 1)).status == 400)
    let large = String(repeating: "0123456789abcdef", count: 1 << 18)
    #expect(try upload(ann, path, large, name: "large").done == "attached")
    // The command line lists the same files.
    let clock = try await console.query("select payrecon.rfc3339(max(at)) from payrecon.audit_log where act = 'attachment_added'")
    func queue(_ words: String...) async throws -> Execution {
      try await setup.program.run([Program.path, "queue"] + words + ["--as-of", clock])
    }
    try setup.write("proof.txt", "seen")
    #expect(try await queue("attach", id, "proof.txt").text == "queue: attached \(SHA256.hex(Array("seen".utf8)))\n")
    #expect(try await queue("attachments", id, hash).text == content)
    #expect(try await queue("attachments", id).text.contains("\(hash),mary<b>.txt,"))
    #expect(try await queue("attachments", id).text.split(separator: "\n").count == 4)
    #expect(try await console.acts("subject = '\(id)' and act like 'attach%'") == "attachment_added attachment_added attachment_added")
    #expect(try await !console.query("select string_agg(details || subject, '') from payrecon.audit_log").contains("mary"))
    // Erasure of the person removes the file. Another case keeps its copy.
    let other = "/cases/\(try await console.ownCase())/attachments"
    #expect(try upload(ann, other, content).done == "attached")
    try await console.job("erase", "--user", user, "--reason", "asked")
    #expect(try ann.get("\(path)/\(hash)").status == 404)
    #expect(try ann.get("\(other)/\(hash)").body == content)
    let bodies =
      "select string_agg(sha256, ' ') from payrecon.attachment_bodies where sha256 in ('\(hash)', '\(SHA256.hex(Array(large.utf8)))')"
    #expect(try await console.query(bodies) == hash)
    #expect(try await console.count("attachment_bodies where sha256 not in (select sha256 from payrecon.case_attachments)") == 0)
    #expect(try await console.count("case_attachments where name like '%mary%'") == 0)
  }
}
