internal import Domain
internal import JobCore
internal import Postgres
internal import Review
internal import Wording

extension CaseController {
  var accounts: ConsoleAccountJob { ConsoleAccountJob(context: context, administrator: visit.account) }

  func people() async throws -> Page {
    guard visit.isAdmin else { throw ConsoleFault.notAllowed }
    let people = try await table(ConsoleSQL.people)
    try await viewed("people")
    var page = Page(title: "people.title", visit: visit, subtitle: "people.subtitle")
    page.fields["locked"] = try people.records.filter { try $0.text("status") == "locked" }.map { try ["name": $0.text("account")] }
    page.fields["new_person"] = try await choices("", [])
    var section = Section("people.accounts", people)
    let place = people.columns.firstIndex(of: "account") ?? 0
    for row in section.rows.indices {
      section.rows[row][place].target = people.rows[row][place].map { "/people/\(PercentEncoding.of($0))" }
    }
    page.sections = [section]
    return page
  }

  func person(_ name: String) async throws -> Page {
    guard visit.isAdmin else { throw ConsoleFault.notAllowed }
    var people = try await table(ConsoleSQL.people)
    people.rows = try zip(people.records, people.rows).filter { try $0.0.text("account") == name }.map(\.1)
    guard let record = people.records.first else { throw ConsoleFault.notThere }
    try await viewed("people", [.text("name", name)])
    var page = Page(title: .plain(name), visit: visit, subtitle: "people.one", back: "/people")
    page.sections = [Section("people.account", people, isCompact: true, isFacts: true)]
    if try record.text("status").hasPrefix("disabled") { return page }
    var fields = try await choices(record.text("role"), record.text("inboxes").split(separator: " ").map(String.init))
    fields["name"] = name
    fields["address"] = try record["mail_address"] ?? ""
    fields["is_other"] = name != visit.account
    fields["has_sessions"] = try record.int("session_count") > 0
    fields["is_locked"] = try record.text("status") == "locked"
    page.fields["person"] = fields
    return page
  }

  private func choices(_ role: String, _ inboxes: [String]) async throws -> [String: Any] {
    let teams = try await teams().sorted()
    return [
      "roles": ConsoleRole.allCases.map { one in
        ["value": one.rawValue, "words": Phrase.name("word", one.rawValue), "chosen": one.rawValue == role] as [String: Any]
      },
      "teams": teams.map { ["value": $0, "words": Phrase.name("word", $0), "chosen": inboxes.contains($0)] as [String: Any] },
      "characters": "\(ConsoleAccountJob.passwordCharactersMin)",
    ]
  }

  private func teams() async throws -> Set<String> { try ConsoleAccountJob.teams(await table(ConsoleSQL.terms)) }

  func addPerson(_ form: Form) async throws {
    let (role, inboxes) = try await rights(form)
    try await accounts.add(form["account"], role: role, inboxes: inboxes, password: try Self.newPassword(form))
  }

  func changePerson(_ name: String, _ act: String, _ form: Form) async throws {
    guard visit.isAdmin else { throw ConsoleFault.notAllowed }
    switch act {
    case "rights":
      let (role, inboxes) = try await rights(form)
      try await accounts.change(name, role: role, inboxes: inboxes)
    case "password": try await accounts.setPassword(name, to: try Self.newPassword(form))
    case "address": try await accounts.setAddress(name, to: form["address"])
    case "unlock": try await accounts.unlock(name)
    case "disable": try await accounts.disable(name)
    default: throw ConsoleFault.notThere
    }
  }

  private func rights(_ form: Form) async throws -> (role: ConsoleRole, inboxes: [String]) {
    guard visit.isAdmin else { throw ConsoleFault.notAllowed }
    let (teams, inboxes) = (try await teams(), form.all("inbox"))
    guard let role = ConsoleRole(rawValue: form["role"]), inboxes.allSatisfy(teams.contains) else {
      throw ConsoleFault.invalid("fault.rights")
    }
    return (role, inboxes)
  }

  static func newPassword(_ form: Form) throws -> String {
    guard form["password"] == form["again"] else { throw ConsoleFault.invalid("fault.passwords_differ") }
    return form["password"]
  }

  func endSessions(of account: String) async throws {
    guard visit.isAdmin else { throw ConsoleFault.notAllowed }
    try await context.transaction(as: .review) { tx in
      try tx.audit(AuditEntry(actor: visit.account, act: .sessionEnded, subject: account), in: context)
      try tx.send(context.sql(ConsoleSQL.endAll), ["account": .text(account)])
    }
  }
}
