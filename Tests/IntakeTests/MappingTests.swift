import TimeZones

/// Reads rows of another platform by a mapping.
struct MappingTests {
  private static let required = [
    ColumnMapping(target: "order_id", source: .column("no")), ColumnMapping(target: "bundle_id", source: .constant("com.acme.reader")),
    ColumnMapping(target: "product_id", source: .constant("vip")), ColumnMapping(target: "user_id", source: .constant("u")),
    ColumnMapping(target: "status", source: .constant("paid")),
    ColumnMapping(target: "created_at", source: .constant("2026-05-01T00:00:00Z")),
  ]

  private static func mapping(_ columns: [ColumnMapping] = [], _ set: (inout InputMapping) -> Void = { _ in }) -> InputMapping {
    var mapping = InputMapping(key: "inputs.orders")
    mapping.columns = columns + required.filter { column in !columns.contains { $0.target == column.target } }
    set(&mapping)
    return mapping
  }

  private static func read(
    _ bytes: [UInt8], _ mapping: InputMapping, suffix: String = ".csv", end: InputEnd = anyEnd
  ) throws -> Reading<OrderRow> {
    let file = try TestFile(bytes, suffix: suffix)
    return try Reading(RowFileReader<OrderRow>(path: file.path, end: end, mapping: mapping))
  }

  private static func read(_ text: String, _ mapping: InputMapping, suffix: String = ".csv") throws -> Reading<OrderRow> {
    try read(Array(text.utf8), mapping, suffix: suffix)
  }

  private static func zone(_ name: String) throws -> TimeZoneRules { try TimeZoneRules(named: name) }

  /// Value, unit, currency, thousandths or a part of the reason.
  @Test(arguments: [
    ("1800", MoneyUnit.minor, "CNY", "18000"), ("500", .minor, "JPY", "500000"), ("1500", .minor, "KWD", "1500"),
    ("1200.0", .minor, "USD", "12000"),
    ("68.00", .minor, "CNY", "not a whole number in digits"), ("12.5", .minor, "CNY", "not a whole number in digits"),
    ("18", .minor, "", "no currency"),
    ("18.00", .decimal, "CNY", "18000"), ("0.001", .decimal, "KWD", "1"), ("12.3400", .decimal, "USD", "12340"),
    ("12.3456", .decimal, "USD", "thousandths"),
    ("12,50", .decimal, "EUR", "12500"), ("1,234.50", .decimal, "USD", "1234500"), ("1.234,50", .decimal, "EUR", "1234500"),
    ("1,234", .decimal, "USD", "ambiguous"), ("-5.00", .decimal, "USD", "negative"), ("1.2E+3", .decimal, "USD", "not an amount"),
    ("¥18", .decimal, "CNY", "18000"), ("9,99 €", .decimal, "EUR", "9990"),
    ("1 299,00", .decimal, "RUB", "1299000"), ("1\u{202F}234\u{202F}567,50", .decimal, "EUR", "1234567500"),
    ("￥ 600", .minor, "JPY", "600000"),
    ("¥18", .decimal, "USD", "no sign of"), ("1 29,00", .decimal, "RUB", "not an amount"), ("1234 567", .decimal, "RUB", "not an amount"),
    ("$¥18", .decimal, "USD", "not an amount"), ("€", .decimal, "EUR", "not an amount"), ("10000000000.001", .decimal, "USD", "more than"),
    ("18000", .milliunits, "CNY", "18000"),
    ("1.5", .milliunits, "CNY", "not a whole number in digits"), ("", .decimal, "CNY", "none"), ("1.234", .decimal, "EUR", "ambiguous"),
    ("18.00", .decimal, "RMB", "no currency of ISO 4217"), ("1800", .minor, "XXQ", "no currency of ISO 4217"),
    ("18.00", .decimal, "", "18000"),
    ("1800", .milliunits, "XXQ", "1800"), ("1800", .milliunits, "", "1800"),
  ]) func amounts(_ value: String, _ unit: MoneyUnit, _ currency: String, _ result: String) throws {
    let price = ColumnMapping(target: "price_milliunits", source: .column("amount"), conversion: .money(unit))
    let reading = try Self.read("no,currency,amount\n1,\(currency),\"\(value)\"\n", Self.mapping([price]))
    if let row = reading.rows.first?.row {
      #expect(row.priceMilliunits.map(String.init) ?? "none" == result)
    } else {
      let item = try #require(reading.parked.first)
      #expect(
        item.field == "amount" && item.reason.english.contains(result) && item.reason.english.contains("\"\(value)\""), "\(item.reason)")
    }
  }

  /// Value, decimal mark of the mapping, thousandths or a part of the reason.
  @Test(arguments: [
    ("1.234", DecimalMark.comma, "1234000"), ("1.234,5", .comma, "1234500"), ("4,99", .comma, "4990"), ("1.234.567", .comma, "1234567000"),
    ("4.99", .comma, "decimal comma"), ("1,234.50", .comma, "decimal comma"), ("1,234", .comma, "1234"), ("12", .comma, "12000"),
    ("1,234", .point, "1234000"), ("1.234", .point, "1234"), ("1,234.50", .point, "1234500"), ("4,99", .point, "decimal point"),
    ("1.234,50", .point, "decimal point"), ("1.234.567", .point, "decimal point"), ("1234,567", .point, "decimal point"),
  ]) func decimalMarks(_ value: String, _ mark: DecimalMark, _ result: String) throws {
    let price = ColumnMapping(target: "price_milliunits", source: .column("amount"), conversion: .money(.decimal, mark: mark))
    let reading = try Self.read("no;amount;currency\n1;\(value);EUR\n", Self.mapping([price]))
    let read = reading.rows.first?.row.priceMilliunits.map(String.init)
    #expect(
      read ?? reading.parked.first?.reason.english ?? "" == result || reading.parked.first?.reason.english.contains(result) == true,
      "\(reading)")
    // A number of JSON has a decimal point, whatever a column of text has.
    let number = try Self.read("{\"no\":\"1\",\"amount\":1.234,\"currency\":\"EUR\"}\n", Self.mapping([price]), suffix: ".ndjson")
    #expect(number.rows.first?.row.priceMilliunits == 1234)
  }

  @Test(arguments: [
    (UInt8(ascii: ","), "\",\""), (UInt8(ascii: "|"), "\"|\""), (UInt8(ascii: ";"), "\";\""), (UInt8(ascii: "\t"), "tab"),
  ]) func separatorsAreShownAsYAML(_ separator: UInt8, _ shown: String) {
    let mapping = Self.mapping { ($0.separator, $0.quote) = (separator, UInt8(ascii: "'")) }
    #expect(mapping.entries.first { $0.key == "separator" }?.value == shown)
    #expect(mapping.entries.first { $0.key == "quote" }?.value == "\"'\"")
  }

  /// Text, format (empty is ISO 8601), zone, offset column, instant or a part of the reason.
  @Test(arguments: [
    ("2026-05-01 08:00:00", "yyyy-MM-dd HH:mm:ss", "Asia/Shanghai", "", "2026-05-01T00:00:00Z"),
    ("2026/5/1 8:03", "yyyy/M/d H:mm", "Asia/Tokyo", "", "2026-04-30T23:03:00Z"),
    ("2026年05月01日 08時00分", "yyyy年MM月dd日 HH時mm分", "Asia/Tokyo", "", "2026-04-30T23:00:00Z"),
    ("01.05.2026 08:00:00", "dd.MM.yyyy HH:mm:ss", "Europe/Berlin", "", "2026-05-01T06:00:00Z"),
    ("5/1/2026 12:30 AM", "M/d/yyyy h:mm a", "UTC", "", "2026-05-01T00:30:00Z"),
    ("20260501080000123", "yyyyMMddHHmmssSSS", "UTC", "", "2026-05-01T08:00:00.123Z"),
    ("2026-05-01T08:00:00+0800", "yyyy-MM-dd'T'HH:mm:ssXX", "", "", "2026-05-01T00:00:00Z"),
    ("2026-05-01", "yyyy-MM-dd", "Asia/Shanghai", "", "2026-04-30T16:00:00Z"),
    ("1777593600", "unix_seconds", "", "", "2026-05-01T00:00:00Z"),
    ("1777593600123", "unix_milliseconds", "", "", "2026-05-01T00:00:00.123Z"),
    ("1777593600.5", "unix_seconds", "", "", "2026-05-01T00:00:00.500Z"), ("1777593600.1234567", "unix_seconds", "", "", "finer"),
    ("0", "unix_seconds", "", "", "none"), ("0000-00-00 00:00:00", "yyyy-MM-dd HH:mm:ss", "UTC", "", "none"),
    ("2026-02-30 08:00:00", "yyyy-MM-dd HH:mm:ss", "UTC", "", "calendar"),
    ("2026-05-01 8:00:00", "yyyy-MM-dd HH:mm:ss", "UTC", "", "format"),
    ("2026-05-01 08:00:00.5", "yyyy-MM-dd HH:mm:ss", "UTC", "", "format"),
    ("2026-05-01 24:00:00", "yyyy-MM-dd HH:mm:ss", "UTC", "", "time of the day"),
    ("2025-10-26 02:30:00", "yyyy-MM-dd HH:mm:ss", "Europe/Berlin", "", "occurs twice"),
    ("2025-10-26 02:30:00", "yyyy-MM-dd HH:mm:ss", "Europe/Berlin", "+02:00", "2025-10-26T00:30:00Z"),
    ("2025-10-26 02:30:00", "yyyy-MM-dd HH:mm:ss", "Europe/Berlin", "+01:00", "2025-10-26T01:30:00Z"),
    ("2025-10-26 02:30:00", "yyyy-MM-dd HH:mm:ss", "Europe/Berlin", "+05:00", "not that of"),
    ("2026-03-29 02:30:00", "yyyy-MM-dd HH:mm:ss", "Europe/Berlin", "", "does not exist"),
    ("2026-05-01 08:00:00", "yyyy-MM-dd HH:mm:ss", "", "+0530", "2026-05-01T02:30:00Z"),
    ("2026-05-01 08:00:00", "yyyy-MM-dd HH:mm:ss", "", "east", "not an offset"),
    ("2007-05-01 08:00:00", "yyyy-MM-dd HH:mm:ss", "UTC", "", "years 2008"),
    ("2026-05-01 08:00:00+08", "", "", "", "2026-05-01T00:00:00Z"), ("2026-05-01T08:00:00+0800", "", "", "", "2026-05-01T00:00:00Z"),
    ("2026-05-01 08:00:00.25-07", "", "", "", "2026-05-01T15:00:00.250Z"),
    ("2026-05-01T08:00:00+08:00", "", "", "", "2026-05-01T00:00:00Z"),
    ("2026-05-01 08:00:00", "", "", "", "neither an offset nor a zone"), ("0000-00-00 00:00:00", "", "", "", "none"),
  ]) func instants(_ value: String, _ pattern: String, _ zone: String, _ offset: String, _ result: String) throws {
    let known = InstantPattern(pattern)
    #expect((known == nil) == pattern.isEmpty)
    let format = InstantFormat(
      pattern: known, zone: zone.isEmpty ? nil : try Self.zone(zone), offsetColumn: offset.isEmpty ? nil : "offset")
    let paid = ColumnMapping(target: "paid_at", source: .column("gmt_pay"), conversion: .instant(format))
    let reading = try Self.read("no,gmt_pay,offset\n1,\(value),\(offset)\n", Self.mapping([paid]))
    if let row = reading.rows.first?.row {
      #expect(row.paidAt?.rfc3339 ?? "none" == result)
    } else {
      let item = try #require(reading.parked.first)
      #expect(
        item.field == "gmt_pay" && item.reason.english.contains(result) && item.reason.english.contains("\"\(value)\""), "\(item.reason)")
    }
  }

  @Test(arguments: ["", "yyyy", "yyyy-MM-dd QQ", "HH:mm", "yyyy-MM-dd yyyy", "yyyy-MM-dd hh:mm", "yyyy-MM-dd 'x"]) func badFormats(
    _ text: String
  ) {
    #expect(InstantPattern(text) == nil)
  }

  @Test func valuesAreMappedAndOthersParked() throws {
    let status = ColumnMapping(
      target: "status", source: .column("state"), conversion: .values(["0": "created", "1": "paid", "": "cancelled"]))
    let reading = try Self.read("no,state\n1,0\n2,1\n3,\n4,9\n", Self.mapping([status]))
    #expect(reading.rows.map(\.row.status) == [.created, .paid, .cancelled])
    let item = try #require(reading.parked.first)
    #expect(
      item.field == "state" && item.reason.english.contains("\"9\"") && item.reason.english.contains("status") && item.line == 5, "\(item)")
    #expect(item.raw == Array("4,9".utf8))
    let rows = try Self.read(
      "{\"no\":\"1\",\"state\":1,\"x\":{\"y\":[1]}}\n{\"no\":\"2\",\"state\":7}\n", Self.mapping([status]), suffix: ".ndjson")
    #expect(rows.rows.map(\.row.status) == [.paid])
    #expect(rows.parked.first?.field == "state")
  }

  @Test func nullWordsAndIgnoredColumnsStateNothing() throws {
    let ignored = ColumnMapping(target: "device_id", source: .nothing)
    let reading = try Self.read("no,paid_at,device_id\n1, NULL , x\n2,\\N,\n", Self.mapping([ignored]) { $0.nulls = ["NULL", "\\N"] })
    #expect(reading.parked == [])
    #expect(reading.rows.map(\.row.paidAt) == [nil, nil] && reading.rows.map(\.row.deviceID) == [nil, nil])
  }

  @Test(arguments: [",", ";", "|", "\t"]) func separatorsAreFound(_ separator: String) throws {
    let lines = [["no", "user_id"], ["1", "\"a\"\"b\(separator)c\""], ["2", "d"]].map { $0.joined(separator: separator) }
    let mapping = Self.mapping([ColumnMapping(target: "user_id", source: .column("user_id"))])
    for end in ["\n", "\r\n"] {
      let reading = try Self.read(lines.joined(separator: end) + end, mapping)
      #expect(reading.rows.map(\.row.userID) == ["a\"b\(separator)c", "d"] || separator == "\t")
      #expect(reading.rows.count + reading.parked.count == 2)
    }
  }

  @Test func aFileWithPayreconsColumnsMayHaveAnotherSeparator() throws {
    #expect(try readUsers("user_id;is_tester\nu-1;true\n").rows.map(\.row.isTester) == [true])
  }

  /// Encoding, a name in it as bytes.
  @Test(arguments: [
    (TextEncoding.gb18030, [0xD3, 0xC3, 0xBB, 0xA7] as [UInt8], "用户"), (.gbk, [0xD3, 0xC3, 0xBB, 0xA7], "用户"),
    (.shiftJIS, [0x89, 0xEF, 0x88, 0xF5, 0x83, 0x5C], "会員ソ"), (.eucJP, [0xB2, 0xF1, 0xB0, 0xF7], "会員"), (.big5, [0xA5, 0xCE], "用"),
    (.windows1251, [0xDF], "Я"), (.utf8, Array("用户".utf8), "用户"),
  ]) func encodings(_ encoding: TextEncoding, _ bytes: [UInt8], _ text: String) throws {
    let mapping = Self.mapping([ColumnMapping(target: "user_id", source: .column(text))]) { $0.encoding = encoding }
    let reading = try Self.read(Array("no,".utf8) + bytes + Array("\n1,".utf8) + bytes + [0x0A], mapping)
    #expect(reading.rows.map(\.row.userID) == [text])
  }

  @Test(arguments: [
    (TextEncoding.utf16, [0xFF, 0xFE] as [UInt8], false), (.utf16, [0xFE, 0xFF], true), (.utf16LE, [], false), (.utf16BE, [], true),
    (.utf16, [], false),
    (.utf16, [], true), (.gbk, [0xFF, 0xFE], false),
  ]) func wideText(_ encoding: TextEncoding, _ mark: [UInt8], _ isBig: Bool) throws {
    // 上 is U+4E0A, whose low byte is that of a line feed.
    let text = "no,user_id\r\n1,上ਊ\r\n2,b\r\n"
    let wide = mark + text.utf16.flatMap { isBig ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let mapping = Self.mapping([ColumnMapping(target: "user_id", source: .column("user_id"))]) { $0.encoding = encoding }
    let reading = try Self.read(wide, mapping, end: InputEnd())
    #expect(reading.rows.map(\.row.userID) == ["上ਊ", "b"] && reading.rows.map(\.line) == [2, 3])
    let cut = try Self.read(Array(wide.dropLast(4)), mapping, end: InputEnd())
    #expect(cut.rows.count == 1 && cut.parked.first?.isTruncated == true)
  }

  @Test func undecodableBytesParkTheRowWithItsBytes() throws {
    let mapping = Self.mapping([ColumnMapping(target: "user_id", source: .column("user_id"))]) { $0.encoding = .gb18030 }
    let bytes = Array("no,user_id\n1,".utf8) + [0xD3, 0xFF, 0x21] + Array("\n2,a\n".utf8)
    let reading = try Self.read(bytes, mapping)
    #expect(reading.rows.map(\.row.userID) == ["a"])
    let item = try #require(reading.parked.first)
    #expect(
      item.raw == [0x31, 0x2C, 0xD3, 0xFF, 0x21] && item.field == "user_id" && item.reason.english.contains("gb18030 at byte 2"),
      "\(item.reason)")
    // The stored bytes are read again by the mapping of that time.
    var again = try RowFileReader<OrderRow>(
      bytes: [0x31, 0x2C, 0xD3, 0xC3], header: Array("no,user_id".utf8), file: "a.csv", line: 2, mapping: mapping)
    guard case .row(let row, let line)? = try again.next() else { throw TestFault(reason: "no row") }
    #expect(row.userID == "用" && line == 2)
  }

  /// Header, part of the message.
  @Test(arguments: [
    ("nr,x", "setting \"inputs.orders.columns.order_id\" names column \"no\""), ("no,no", "repeats \"no\""),
    ("no,amount", "setting \"inputs.orders.columns.paid_at.offset\" names column \"offset\""),
  ]) func headersAreChecked(_ header: String, _ message: String) throws {
    let paid = ColumnMapping(target: "paid_at", source: .column("no"), conversion: .instant(InstantFormat(offsetColumn: "offset")))
    let mapping = header == "no,amount" ? Self.mapping([paid]) : Self.mapping()
    let error = try #require(throws: IntakeError.self) { try Self.read("\(header)\n1,2\n", mapping) }
    #expect(error.description.contains(message), "\(error)")
  }

  @Test func aRequiredColumnThatNothingFillsIsNamed() throws {
    var mapping = Self.mapping()
    mapping.columns.removeAll { $0.target == "user_id" }
    let error = try #require(throws: IntakeError.self) { try Self.read("no\n1\n", mapping) }
    #expect(error.description.contains("lacks \"user_id\"") && error.description.contains("inputs.orders.columns.user_id"), "\(error)")
  }

  @Test(arguments: [
    ("cn-*.csv", "cn-1.csv", true), ("cn-*.csv", "jp-1.csv", false), ("*", "a", true), ("a?c", "abc", true), ("a?c", "ac", false),
    ("*.csv.gz", "x.y.csv.gz", true), ("a*b*c", "aXbYbZc", true), ("a*b", "ab.", false),
  ]) func patternsOfNames(_ pattern: String, _ name: String, _ applies: Bool) {
    var mapping = InputMapping(key: "inputs.orders")
    mapping.files = pattern
    #expect(mapping.applies(to: name) == applies)
  }
}
