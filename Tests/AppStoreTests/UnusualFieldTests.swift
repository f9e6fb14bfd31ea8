/// Genuine evidence with an unusual field. It is verified first and then read as far as possible.
struct UnusualFieldTests {
  typealias Issuer = ReceiptIssuer

  struct FieldCase: Sendable, CustomTestStringConvertible {
    var field: String
    var value: [UInt8]
    var type: Int
    /// Whether the purchase is read without the field.
    var isKept = true
    var testDescription: String { field }
  }

  static let oddFields = [
    FieldCase(field: "cancellation_date", value: Issuer.instant(1712, "yesterday"), type: 1712),
    FieldCase(field: "cancellation_date", value: Issuer.attribute(1712, [0x02, 0x01, 0x05]), type: 1712),
    FieldCase(field: "expires_date", value: Issuer.attribute(1708, [0xFF]), type: 1708),
    FieldCase(field: "expires_date", value: Issuer.attribute(1708, []), type: 1708),
    FieldCase(field: "original_purchase_date", value: Issuer.instant(1706, "2040-02-30T00:00:00Z"), type: 1706),
    FieldCase(field: "web_order_line_item_id", value: Issuer.text(1711, "123"), type: 1711),
    FieldCase(field: "web_order_line_item_id", value: Issuer.attribute(1711, [0x02, 0x09] + Array(repeating: 1, count: 9)), type: 1711),
    FieldCase(field: "quantity", value: Issuer.text(1701, "two"), type: 1701),
    FieldCase(field: "is_trial_period", value: Issuer.attribute(1713, [0x01, 0x01, 0xFF]), type: 1713),
    // Values beyond sane limits.
    FieldCase(field: "purchase_date", value: Issuer.instant(1704, "2101-01-01T00:00:00Z"), type: 1704, isKept: false),
    FieldCase(field: "purchase_date", value: Issuer.instant(1704, "1999-01-01T00:00:00Z"), type: 1704, isKept: false),
    FieldCase(field: "expires_date", value: Issuer.instant(1708, "9999-12-31T00:00:00Z"), type: 1708),
    FieldCase(field: "quantity", value: Issuer.attribute(1701, [0x02, 0x04, 0x7F, 0xFF, 0xFF, 0xFF]), type: 1701),
  ]

  @Test func `one odd field spoils no receipt, and its purchase only if that needs it`() throws {
    let reader = try Issuer.reader()
    for test in Self.oddFields {
      let receipt = Issuer.sign(Issuer.head() + [Issuer.purchase("1001", [test.type: test.value]), Issuer.purchase("1002")])
      let items = reader.read(receipt)
      #expect(items.map(\.verdict) == [.genuine, .genuine, .genuine], "\(test.field): \(items.map(\.reason))")
      #expect(items.compactMap { $0.transaction?.transactionID } == (test.isKept ? ["1001", "1002"] : ["1002"]), "\(test.field)")
      #expect(items.map { $0.unrecognized.map(\.field) } == [[], [test.field], []])
      let shown = items[1].unrecognized.map(\.value)
      #expect(shown.allSatisfy { $0.allSatisfy(\.isASCII) && !$0.contains("\\") }, "\(test.field): \(shown)")
    }
  }

  @Test func `an odd field of the receipt itself is kept aside`() throws {
    let reader = try Issuer.reader()
    for (type, name) in [
      (3, "application_version"), (18, "original_purchase_date"), (19, "original_application_version"), (21, "expiration_date"),
    ] {
      let items = reader.read(Issuer.sign(Issuer.head([type: Issuer.attribute(type, [0x05, 0x00])]) + [Issuer.purchase("1001")]))
      #expect(items.map(\.verdict) == [.genuine, .genuine], "\(name): \(items.map(\.reason))")
      #expect(items.first?.unrecognized.map(\.field) == [name])
    }
    // An unreadable type is not treated as the sandbox's missing type.
    let odd = reader.read(Issuer.sign(Issuer.head([0: Issuer.attribute(0, [0x05, 0x00])]) + [Issuer.purchase("1001")]))
    #expect(odd.first?.verdict == .foreign)
    #expect(odd.first?.field == "environment")
    let new = reader.read(Issuer.sign(Issuer.head([0: Issuer.text(0, "ProductionTrial")])))
    #expect(new.map(\.statesUnrecognized) == [true])
    #expect(new.first?.unrecognized.map { "\($0.field)=\($0.value)" } == ["receipt_type=ProductionTrial"])
  }

  @Test func `an offset without its colon is a date`() throws {
    let dates: [Int: [UInt8]?] = [
      1704: Issuer.instant(1704, "2040-05-01T18:00:00+0800"), 1708: Issuer.instant(1708, "2040-05-31 02:00:00-0800"),
    ]
    let items = try Issuer.reader().read(
      Issuer.sign(Issuer.head([12: Issuer.instant(12, "2040-05-10T18:00:00+0800")]) + [Issuer.purchase("1001", dates)]))
    #expect(items.map(\.verdict) == [.genuine, .genuine])
    #expect(items.map(\.unrecognized) == [[], []])
    #expect(items.first?.signedAt?.rfc3339 == "2040-05-10T10:00:00Z")
    #expect(items.last?.transaction?.purchasedAt.rfc3339 == "2040-05-01T10:00:00Z")
    #expect(items.last?.transaction?.expiresAt?.rfc3339 == "2040-05-31T10:00:00Z")
  }

  @Test func `a signed text is read as clients and logs leave it`() throws {
    let authority = SimulatedAuthority(seed: 80)
    let reader = try EvidenceReader(root: authority.rootDER)
    // Signatures are deterministic, so the payload varies until the text has a letter in which the alphabets differ.
    let texts = (0..<100).lazy.map { authority.sign(Array("\(Self.payload().dropLast()),\"number\":\($0)}".utf8)) }
    let signed = try #require(texts.first { $0.contains(UInt8(ascii: "-")) && $0.contains(UInt8(ascii: "_")) })
    let text = String(decoding: signed, as: UTF8.self)
    let body = #"{"signedPayload":"\#(text)"}"#
    for form in [
      "\"\(text)\"", " \"\(text)\"\r", "'\(text)',", "%22\(text)%22", "\\\"\(text)\\\"",
      "\"\(body.replacing("\"", with: "\\\""))\"", "'\(body)'", "%7B%22signedPayload%22:%22\(text)%22%7D",
    ] {
      let items = reader.read(Array(form.utf8))
      #expect(items.map(\.verdict) == [.genuine], "\(form.prefix(30)): \(items.first?.reason?.english ?? "")")
      #expect(items.first.map { Array($0.raw) } == signed)
    }
    #expect(reader.read(Array("\"junk\"".utf8)).map(\.verdict) == [.malformed])
    let folds = ["\n", "\r\n"].map { end in
      stride(from: 0, to: text.count, by: 76).map { text.dropFirst($0).prefix(76) }.joined(separator: end)
    }
    let escaped = text.replacing(".", with: "%2E")
    let padded = Self.padded(text)
    let literal = folds[0].replacing("\n", with: "\\n")
    for form in [
      text + "\n", text + "\r\n", text + " ", escaped, escaped + "%0A", text.replacing(".", with: "%252E"), padded, padded + "\n",
      padded.replacing("=", with: "%3D"), literal, text + "=",
    ] + folds {
      for isWrapped in [false, true] {
        let items = reader.read(Array(form.utf8), isWrapped: isWrapped)
        #expect(items.map(\.verdict) == [.genuine], "\(form.suffix(30)): \(items.first?.reason?.english ?? "")")
        #expect(items.first.map { Array($0.raw) } == signed)
        #expect(items.first?.sha256 == SHA256.hex(signed) && items.first?.bodySHA256 == SHA256.hex(Array(form.utf8)))
      }
      let quoted = form.replacing("\\", with: "\\\\").replacing("\r\n", with: "\\r\\n").replacing("\n", with: "\\n")
      let nested = body.replacing(text, with: quoted)
      #expect(reader.read(Array(nested.utf8)).map(\.sha256) == [SHA256.hex(signed)], "\(form.suffix(30))")
    }
    // Alone, a text that begins with white space is no JWS, as in Apple's libraries.
    #expect(reader.read(Array(" \(text)".utf8)).map(\.verdict) == [.malformed])
    let standard = padded.replacing("-", with: "+").replacing("_", with: "/")
    #expect(reader.read(Array(standard.utf8)).map(\.verdict) == [.malformed])
    for form in [" \(text)", "\t\(text)\n", "\n \(folds[0])", standard, standard.replacing("/", with: "\\/")] {
      #expect(reader.read(Array(form.utf8), isWrapped: true).map(\.sha256) == [SHA256.hex(signed)], "\(form.suffix(30))")
    }
    for isWrapped in [false, true] {
      #expect(reader.read([0xEF, 0xBB, 0xBF] + signed, isWrapped: isWrapped).map(\.sha256) == [SHA256.hex(signed)])
    }
    // A forged text stays forged in every form.
    let stranger = String(decoding: SimulatedAuthority(seed: 81).sign(Array(Self.payload().utf8)), as: UTF8.self)
    for form in [stranger, Self.padded(stranger), Self.padded(stranger) + "\n"] {
      #expect(reader.read(Array(form.utf8), isWrapped: true).map(\.verdict) == [.forged])
    }
    // Other bytes stay what they are.
    for form in [text + "%", text + "%zz", text + "!", text + "\n" + text, "%" + text.dropFirst(), text.dropLast(40) + "\n"] {
      #expect(reader.read(Array(form.utf8), isWrapped: true).map(\.verdict) != [.genuine], "\(form.suffix(30))")
    }
  }

  /// Returns the text with the padding of base64 after each segment.
  private static func padded(_ text: String) -> String {
    text.split(separator: ".").map { $0 + String(repeating: "=", count: -$0.utf8.count & 3) }.joined(separator: ".")
  }

  @Test func `a record that cannot be read leaves the others alone`() throws {
    let records = [
      Issuer.attribute(17, [0x31, 0x05, 0x01]), Issuer.attribute(17, Array("junk".utf8)),
      Issuer.attribute(17, Issuer.set([Issuer.text(1703, "a"), Issuer.text(1703, "b")])),
    ]
    for record in records {
      let items = try Issuer.reader().read(Issuer.sign(Issuer.head() + [Issuer.purchase("1001"), record, Issuer.purchase("1002")]))
      #expect(items.map(\.verdict) == [.genuine, .genuine, .genuine, .malformed])
      #expect(items.compactMap { $0.transaction?.transactionID } == ["1001", "1002"])
      #expect(items.last?.field == "in_app")
    }
  }

  @Test func `a required field that is odd costs its purchase alone`() throws {
    for (type, name) in [(1702, "product_id"), (1703, "transaction_id"), (1704, "purchase_date")] {
      let items = try Issuer.reader().read(
        Issuer.sign(Issuer.head() + [Issuer.purchase("1001", [type: Issuer.attribute(type, [0x05, 0x00])]), Issuer.purchase("1002")]))
      #expect(items.map(\.verdict) == [.genuine, .genuine, .genuine])
      #expect(items.compactMap { $0.transaction?.transactionID } == ["1002"])
      #expect(items[1].unrecognized.map(\.field).contains(name))
    }
  }

  @Test func `odd contents make no genuine receipt of a damaged one`() throws {
    let receipt = Issuer.sign(Issuer.head() + [Issuer.purchase("1001", [1712: Issuer.instant(1712, "soon")])])
    let at = try #require(receipt.range(of: Array("soon".utf8)))
    var changed = receipt
    changed[at.lowerBound] ^= 1
    #expect(try Issuer.reader().read(changed).map(\.verdict) == [.forged, .forged])
  }

  // MARK: Chains

  @Test func `what the header names third need be no certificate`() throws {
    let authority = SimulatedAuthority(seed: 77, variant: .unreadableThird)
    let reader = try EvidenceReader(root: authority.rootDER)
    #expect(reader.read(authority.sign(Array(Self.payload().utf8))).map(\.verdict) == [.genuine])
    // Trust still comes from the configured roots alone.
    let other = SimulatedAuthority(seed: 77, variant: .otherRoot)
    #expect(reader.read(other.sign(Array(Self.payload().utf8))).map(\.verdict) == [.forged])
  }

  // MARK: Limits of what Apple signs

  private static func payload(_ changes: [String: String] = [:]) -> String {
    var members = [
      "transactionId": "\"1\"", "originalTransactionId": "\"1\"", "bundleId": "\"com.example.app\"",
      "productId": "\"coins60\"", "purchaseDate": "1778407200000", "environment": "\"Production\"",
      "type": "\"Consumable\"", "price": "6000", "currency": "\"CNY\"", "quantity": "1", "signedDate": "1778407200000",
    ]
    for (name, value) in changes { members[name] = value }
    return "{\(members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}"
  }

  @Test(arguments: [
    ("price", "9223372036854775807"), ("price", "10000000000001"), ("price", "-1"), ("price", String(repeating: "9", count: 400)),
    ("quantity", "10001"), ("quantity", "0"), ("quantity", "-5"), ("purchaseDate", "0"), ("purchaseDate", "1199145599999"),
    ("purchaseDate", "4133980800000"), ("expiresDate", "253402300799999"), ("originalPurchaseDate", "-62135769600000"),
    ("revocationDate", "99999999999999999999"), ("purchaseDate", String(repeating: "1", count: 1000)), ("price", "1e15"),
    ("quantity", "1.5"), ("purchaseDate", "\"soon\""),
  ])
  func `a value beyond sane limits costs its field alone`(field: String, value: String) throws {
    let item = try #require(try Self.read([field: value]))
    #expect(item.verdict == .genuine, "\(item.reason?.english ?? "")")
    let shown = value.replacing("\"", with: "").prefix(UnrecognizedValue.valueCharactersMax)
    #expect(item.unrecognized.map(\.field) == [field])
    #expect(item.unrecognized.map(\.value) == [String(shown)])
    // Without its purchase instant a transaction has no charge.
    #expect((item.transaction == nil) == (field == "purchaseDate"))
    #expect(item.transaction.map { $0.transactionID == "1" && ($0.quantity == nil) == (field == "quantity") } ?? true)
    #expect(item.transaction.map { ($0.priceMilliunits == nil) == (field == "price") } ?? true)
  }

  @Test(arguments: [("revocationReason", "0"), ("revocationType", "\"REFUND_FULL\""), ("revocationPercentage", "100000")])
  func `a revocation without its date counts from its signature`(field: String, value: String) throws {
    let transaction = try #require(try Self.read([field: value, "signedDate": "1778500000000"])?.transaction)
    #expect(transaction.revokedAt == Timestamp(milliseconds: 1_778_500_000_000))
    let other = try #require(try Self.read([field: "null"])?.transaction)
    #expect(other.revokedAt == nil)
  }

  @Test func `an id written as a number is its digits`() throws {
    let ids = ["transactionId", "originalTransactionId", "webOrderLineItemId", "subscriptionGroupIdentifier", "appTransactionId"]
    let digits = "480000000000001234567890"
    let item = try #require(try Self.read(Dictionary(uniqueKeysWithValues: ids.map { ($0, digits) })))
    #expect(item.unrecognized == [])
    let transaction = try #require(item.transaction)
    #expect(
      [
        transaction.transactionID, transaction.originalTransactionID, transaction.webOrderLineItemID, transaction.subscriptionGroupID,
        transaction.appTransactionID,
      ] == ids.map { _ in digits })
    for odd in ["1.5", "-1", "1e3", "true", "[]"] {
      #expect(try Self.read(["transactionId": odd])?.unrecognized.map(\.field) == ["transactionId"], "\(odd)")
    }
  }

  @Test(arguments: [
    ("price", "10000000000000"), ("price", "0"), ("quantity", "10000"), ("purchaseDate", "1199145600000"),
    ("expiresDate", "4133980799999"),
  ])
  func `the limits themselves are within`(field: String, value: String) throws {
    let item = try #require(try Self.read([field: value]))
    #expect(item.verdict == .genuine, "\(item.reason?.english ?? "")")
    #expect(item.transaction != nil)
  }

  private static func read(_ changes: [String: String]) throws -> EvidenceItem? {
    let authority = SimulatedAuthority(seed: 78)
    return try EvidenceReader(root: authority.rootDER).read(authority.sign(Array(payload(changes).utf8))).first
  }

  // MARK: Truncated evidence

  @Test func `what is cut short is told from what is whole`() throws {
    let signed = SimulatedAuthority(seed: 79).sign(Array(Self.payload().utf8))
    // A whole number of groups of base64, whose padding may be missing.
    let receipts = (1001...1100).lazy.map { Issuer.sign(Issuer.head() + [Issuer.purchase("\($0)")]) }
    let receipt = try #require(receipts.first { $0.count % 3 == 0 })
    let text = ReceiptSupport.base64(receipt)
    for whole in [signed, receipt, text, Array("{\"a\":[1]}".utf8), Array("{\"a\":1}\n".utf8), Array("junk".utf8)] {
      #expect(!EvidenceReader.isTruncated(whole))
    }
    for bytes in [signed, receipt, text] {
      for count in [bytes.count - 1, bytes.count - 40, bytes.count / 2, 10] {
        #expect(EvidenceReader.isTruncated(Array(bytes.prefix(count))), "\(count) of \(bytes.count)")
      }
    }
    for cut in ["{", "{\"a\":", "{\"signedTransactions\":[\"eyJ"] { #expect(EvidenceReader.isTruncated(Array(cut.utf8))) }
  }
}
