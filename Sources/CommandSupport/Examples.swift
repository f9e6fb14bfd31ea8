/// What the help of every command shows it by.
package enum Examples {
  /// A command line for each command, by the words that name it; the program itself has no words.
  private static let lines: [String: String] = [
    "": "payrecon nightly --inbox inbox --out report",
    "init": "payrecon init",
    "doctor": "payrecon doctor",
    "ingest": "payrecon ingest orders orders-2026-05-01.csv.gz",
    "collect": "payrecon collect notifications",
    "evidence": "payrecon evidence judge",
    "evidence judge": "payrecon evidence judge",
    "match": "payrecon match --explain A2026000000224",
    "detect": "payrecon detect --dry-run",
    "tieout": "payrecon tieout --period 2026-P08",
    "period": "payrecon period list --format table", "period list": "payrecon period list --sort -starts_on --limit 3",
    "renewals": "payrecon renewals plan",
    "renewals plan": "payrecon renewals plan",
    "renewals poll": "payrecon renewals poll --limit 1000",
    "renewals settle": "payrecon renewals settle",
    "report": "payrecon report all --as-of 2026-05-02T00:00:00Z --out report",
    "export": "payrecon export breaks --format ndjson > breaks.ndjson",
    "nightly": "payrecon nightly --inbox inbox --out report",
    "run-due": "payrecon run-due --jobs /etc/payrecon/jobs",
    "run": "payrecon run nightly",
    "backfill": "payrecon backfill nightly --from 2026-05-01T00:00:00Z --to 2026-05-08T00:00:00Z",
    "breaks": "payrecon breaks list --severity critical --limit 20",
    "breaks list": "payrecon breaks list --class TX_NO_ORDER --app com.acme.reader",
    "breaks pending": "payrecon breaks pending --limit 20",
    "breaks show": "payrecon breaks show d92df7b6",
    "queue": "payrecon queue work",
    "queue list": "payrecon queue list --rule R01 --format table",
    "queue work": "payrecon queue work --minutes 15",
    "queue show": "payrecon queue show 8c790fa4",
    "queue take": "payrecon queue take",
    "queue decide": "payrecon queue decide 8c790fa4 --action accept --reason \"agreed with the shop, ticket 311\"",
    "queue approve": "payrecon queue approve 8c790fa4 --reason \"seen the receipts\"",
    "queue reject": "payrecon queue reject 8c790fa4 --reason \"another order is meant\"",
    "queue withdraw": "payrecon queue withdraw 8c790fa4 --reason \"proposed too early\"",
    "queue release": "payrecon queue release 8c790fa4 --reason \"needs somebody who knows the shop\"",
    "queue undo": "payrecon queue undo 8c790fa4 --reason \"wrong customer\" --dry-run",
    "queue snooze": "payrecon queue snooze 8c790fa4 --until 2026-06-01T00:00:00Z --reason \"asked the customer\"",
    "queue wake": "payrecon queue wake 8c790fa4",
    "queue assign": "payrecon queue assign 8c790fa4 bob",
    "queue follow": "payrecon queue follow 8c790fa4",
    "queue attach": "payrecon queue attach 8c790fa4 letter.pdf", "queue attachments": "payrecon queue attachments 8c790fa4",
    "queue answered": "payrecon queue answered 470001000000001 --reason \"sent by the shop's server\"",
    "lists": "payrecon lists list --format table",
    "lists list": "payrecon lists list --format table",
    "lists add": "payrecon lists add tester user U9 --owner qa --reason \"test plan 12\" --until 2027-01-01T00:00:00Z",
    "lists remove": "payrecon lists remove 5d41402a --owner qa --reason \"plan 12 is over\"",
    "rules": "payrecon rules list --format table", "rules list": "payrecon rules list --format table",
    "rules try": "payrecon rules try R06 --set refunds_min=4 --set window=60d",
    "rules trials": "payrecon rules trials R06", "rules changes": "payrecon rules changes R06",
    "rules propose": "payrecon rules propose R06 --state live --trial 4be1c0 --reason \"three refunds are a habit, ticket 411\"",
    "rules approve": "payrecon rules approve R06 --reason \"seen the trial\"",
    "rules reject": "payrecon rules reject R06 --reason \"too many false positives\"",
    "rules withdraw": "payrecon rules withdraw R06 --reason \"tried the wrong window\"",
    "rows": "payrecon rows daily to_date/com.acme.reader/Production/CNY/broken_count",
    "lookup": "payrecon lookup MVXYZ12ABC",
    "settings": "payrecon settings show",
    "settings show": "payrecon settings show --diff",
    "deadletter": "payrecon deadletter list --format table",
    "deadletter list": "payrecon deadletter list --limit 20",
    "deadletter retry": "payrecon deadletter retry",
    "deadletter discard": "payrecon deadletter discard 9b74c989 --reason \"sent again whole\"",
    "runs": "payrecon runs list --limit 10",
    "runs list": "payrecon runs list --limit 10",
    "runs windows": "payrecon runs windows --format table",
    "runs show": "payrecon runs show nightly-20260502",
    "runs verify": "payrecon runs verify report",
    "runs diff": "payrecon runs diff nightly-20260501 nightly-20260502",
    "runs replay": "payrecon runs replay nightly-20260502",
    "audit": "payrecon audit verify",
    "audit verify": "payrecon audit verify --expect 4711:9f86d081884c7d65",
    "audit list": "payrecon audit list --format csv",
    "erase": "payrecon erase --user U9 --reason \"ticket 311\" --dry-run",
    "retain": "payrecon retain --dry-run",
    "webhooks": "payrecon webhooks send", "webhooks send": "payrecon webhooks send",
    "webhooks list": "payrecon webhooks list", "webhooks retry": "payrecon webhooks retry desk",
    "serve": "payrecon serve --console --port 8088",
    "account": "payrecon account list --format table",
    "account list": "payrecon account list --format table",
    "account add": "payrecon account add ann --role analyst",
    "account password": "payrecon account password ann",
    "account disable": "payrecon account disable ann",
    "account proxy-key": "payrecon account proxy-key > proxy.key",
    "database": "payrecon database status",
    "database start": "payrecon database start",
    "database stop": "payrecon database stop",
    "database status": "payrecon database status",
    "database psql": "payrecon database psql -- -c \"select * from v_breaks limit 5\"",
    "database accounts": "payrecon database accounts add alice",
    "database accounts list": "payrecon database accounts list",
    "database accounts add": "payrecon database accounts add alice",
    "database accounts remove": "payrecon database accounts remove alice",
    "simulate": "payrecon simulate world --seed 1 --orders 2000 --out world",
    "simulate world": "payrecon simulate world --seed 1 --orders 2000 --out world",
    "simulate finance": "payrecon simulate finance --seed 1 --charges 3000 --out world",
    "simulate appstore": "payrecon simulate appstore --port 8080 --root root.der",
    "simulate bench": "payrecon simulate bench --orders 1000000 --out bench",
  ]

  /// The help of a command with its example behind it; any other text as it is.
  ///
  /// - Parameter command: the words of the command; nil where the usage in the help tells them.
  package static func added(to help: String, of command: String? = nil) -> String {
    guard let name = command ?? named(by: help), let line = lines[name] else { return help }
    return "\(String(help.reversed().drop { $0 == "\n" }.reversed()))\n\nEXAMPLE:\n  \(line)"
  }

  /// The words of the command whose help a text is; nil for what is no help.
  private static func named(by help: String) -> String? {
    guard let usage = help.split(separator: "\n").first(where: { $0.hasPrefix("USAGE: ") }) else { return nil }
    var name = usage.split(separator: " ").dropFirst(2).prefix { $0.first?.isLetter == true }.joined(separator: " ")
    // What stands behind the command's own words in its usage is not part of its name.
    while !name.isEmpty, lines[name] == nil { name = name.split(separator: " ").dropLast().joined(separator: " ") }
    return name
  }
}
