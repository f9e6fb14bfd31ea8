import Domain
import Intake
import Testing

/// Exports of other platforms are read by the mapping that their preview proposes.
struct PlatformTests {
  private static let folder = #filePath.split(separator: "/").dropLast(2).reduce("") { "\($0)/\($1)" } + "/Platforms"

  private static func preview(_ file: String, apps: [String] = [], mapping: InputMapping? = nil) throws -> [String] {
    var facts = PreviewFacts()
    facts.apps = apps.map { ($0, "UTC") }
    let preview = try InputPreview(kind: "orders", path: "\(folder)/\(file)", format: nil, mapping: mapping, facts: facts)
    return try #require(preview).lines
  }

  /// File, app, number of rows, lines that the preview has.
  @Test(arguments: [
    ("reader-gb18030.csv", "com.acme.reader", 40, ["gb18030", "encoding: gb18030", "unit: minor", "0: created", "5: refunded", "zone: Asia/Shanghai",
      "transaction_id: 交易号", "paid_at: {from: gmt_pay"]),
    ("notes-shift_jis.csv", "jp.example.notes", 35, ["shift_jis", "支払待ち: created", "unit: decimal", "zone: Asia/Tokyo", "format: \"yyyy/MM/dd HH:mm:ss\"",
      "value: JPY", "bundle_id: アプリID"]),
    ("fit-utf16.txt", "com.amazing.fit", 30, ["utf-16le", "encoding: utf-16", "separated by \"tab\"", "unit: decimal", "Completed: delivered"]),
    ("coins.ndjson", "com.amazing.fit", 30, ["NDJSON", "unit: minor", "format: unix_milliseconds", "usd: USD", "FULFILLED: delivered"]),
    ("news-windows-1252.csv", "de.example.news", 30, ["separated by \";\"", "encoding: windows-1252", "unit: decimal", "format: \"dd.MM.yyyy HH:mm:ss\""]),
    ("english.tsv.gz", "com.example.english", 40, ["format: unix_seconds", "nulls: [\"NULL\"]", "20: paid", "30: delivered", "40: cancelled"]),
  ]) func theProposalReadsEveryRow(_ file: String, _ app: String, _ rows: Int, _ parts: [String]) throws {
    let lines = try Self.preview(file, apps: [app])
    let text = lines.joined(separator: "\n")
    #expect(text.contains("Rows: \(rows) can be read, 0 would be parked."), "\(text)")
    for part in parts { #expect(text.contains(part), "\(part) in\n\(text)") }
    #expect(!text.contains("Not found"))
  }

  @Test func unusualValuesAreNamed() throws {
    let file = try TestFile(
      """
      order_no,user_id,product_id,status,created_at,transaction_id,price_milliunits
      N1,u1,com.acme.vip,paid,2026-05-01T00:00:00Z,2.00000E+14,18000
      N2,u2,com.acme.vip,odd,2026-05-01T00:00:00Z,2.00000E+14,1800000
      """, suffix: ".csv")
    var facts = PreviewFacts()
    facts.apps = [("com.acme", "Asia/Shanghai")]
    facts.prices = [("com.acme.vip", "CNY", 18000)]
    let preview = try InputPreview(kind: "orders", path: file.path, format: nil, mapping: nil, facts: facts)
    let text = try #require(preview).lines.joined(separator: "\n")
    for part in ["spreadsheet shortened", "\"odd\"", "currency", "updated_at:"] { #expect(text.contains(part), "\(part) in\n\(text)") }
  }

  @Test func amountsAHundredTimesOffAreDoubtful() throws {
    let header = "order_id,bundle_id,product_id,user_id,status,created_at,price_milliunits,currency"
    let rows = (1...3).map { "\($0),com.acme,com.acme.vip,u,paid,2026-05-01T0\($0):00:00Z,1800000,CNY" }
    let file = try TestFile(([header] + rows).joined(separator: "\n") + "\n", suffix: ".csv")
    var facts = PreviewFacts()
    facts.prices = [("com.acme.vip", "CNY", 18000)]
    let preview = try InputPreview(kind: "orders", path: file.path, format: nil, mapping: nil, facts: facts)
    let text = try #require(preview).lines.joined(separator: "\n")
    #expect(text.contains("3 amounts are 100 times larger"), "\(text)")
    #expect(text.contains("payrecon's own columns") && !text.contains("Proposed mapping"), "\(text)")
  }

  @Test func usersAndCataloguesHaveProposals() throws {
    let users = try TestFile("会員ID,登録日時,テスター\nm1,2026/05/01 10:00:00,はい\nm2,2026/05/02 10:00:00,いいえ\n", suffix: ".csv")
    let text = try #require(try InputPreview(kind: "users", path: users.path, format: nil, mapping: nil, facts: PreviewFacts())).lines
    #expect(text.contains { $0.contains("is_tester: {from: テスター, values: {いいえ: \"false\", はい: \"true\"}}") }, "\(text)")
    let goods = try TestFile("商品编号,类型,价格(元),币种\ncom.acme.vip,自动续期订阅,18.00,人民币\n", suffix: ".csv")
    var facts = PreviewFacts()
    facts.apps = [("com.acme", "UTC")]
    let catalogue = try #require(try InputPreview(kind: "catalogue", path: goods.path, format: nil, mapping: nil, facts: facts)).lines
    #expect(catalogue.contains { $0.contains("Rows: 1 can be read") }, "\(catalogue)")
  }
}
