import Cryptography

@Suite("Keys and bearer tokens") struct BearerTokenTests {
  @Test func `a signature is 64 raw bytes that the public half accepts, also with leading zeros`() throws {
    let key = try ES256PrivateKey(pem: TestKeys.p256.get())
    let publicKey = try #require(key.publicKey)
    var hasShortHalf = false
    // About one signature in 128 contains an integer with a leading zero byte.
    for number in 0..<2000 {
      let text = Array("text \(number)".utf8)
      let signature = try #require(key.sign(text))
      #expect(signature.count == 64)
      #expect(publicKey.verifies(signature: signature[...], digest: SHA256.digest(text)))
      #expect(!publicKey.verifies(signature: signature[...], digest: SHA256.digest(text + [0])))
      if signature[0] == 0 || signature[32] == 0 { hasShortHalf = true }
    }
    #expect(hasShortHalf)
  }

  @Test func `other texts and keys are refused with a reason, and no passphrase is asked for`() throws {
    let onCurve = ["genpkey", "-algorithm", "EC", "-pkeyopt"]
    let refused: [(pem: [UInt8], error: ES256PrivateKeyError)] = [
      ([], .notAPrivateKey), (Array("no key".utf8), .notAPrivateKey),
      ([UInt8](repeating: 65, count: 20_000), .tooLarge(limit: 16384)),
      (try TestKeys.make(["genpkey", "-algorithm", "ED25519"]), .notP256),
      (try TestKeys.make(onCurve + ["ec_paramgen_curve:P-384"]), .notP256),
      (try TestKeys.make(onCurve + ["ec_paramgen_curve:secp256k1"]), .notP256),
      (try TestKeys.make(onCurve + ["ec_paramgen_curve:P-256", "-aes256", "-pass", "pass:x"]), .notAPrivateKey),
    ]
    for (pem, error) in refused {
      #expect(throws: error) { try ES256PrivateKey(pem: pem) }
    }
  }

  @Test func `header and claims are what Apple asks for, and the signature is the key's`() throws {
    let time = ManualClock()
    let credentials = try TestKeys.credentials()
    let token = try BearerTokenSource(credentials, bundleID: "com.example", clock: time.clock.now).token()
    let parts = token.secretText.split(separator: ".", omittingEmptySubsequences: false)
    try #require(parts.count == 3)
    #expect(String(decoding: base64URL(parts[0]), as: UTF8.self) == #"{"alg":"ES256","kid":"2X9R4HXF34","typ":"JWT"}"#)
    #expect(
      String(decoding: base64URL(parts[1]), as: UTF8.self)
        == #"{"iss":"57246542-96fe-1a63-e053-0824d011072a","iat":1767225000,"exp":1767226800,"#
        + #""aud":"appstoreconnect-v1","bid":"com.example"}"#)
    let publicKey = try #require(credentials.privateKey.publicKey)
    let signed = Array("\(parts[0]).\(parts[1])".utf8)
    #expect(publicKey.verifies(signature: base64URL(parts[2])[...], digest: SHA256.digest(signed)))
  }

  @Test func `a token is reused until it nears its end, and created again when the clock was set back`() throws {
    let time = ManualClock()
    let source = BearerTokenSource(try TestKeys.credentials(), bundleID: "com.example", clock: time.clock.now)
    let first = try source.token().secretText
    time.advance(seconds: 1499)
    #expect(try source.token().secretText == first)
    time.advance(seconds: 1)
    let second = try source.token()
    #expect(second.secretText != first)
    #expect(second.expiresAt == time.now.advanced(bySeconds: 1800))
    time.advance(seconds: -10)
    #expect(try source.token().issuedAt == time.now)
    let kept = try source.token().secretText
    source.discard()
    // ECDSA takes a new random number for each signature.
    #expect(try source.token().secretText != kept)
  }

  @Test func `requests share one token; nothing prints it, the key or a signed text`() async throws {
    let signed = "eyJhbGciOiJFUzI1NiJ9.cGF5bG9hZA.c2lnbmF0dXJl"
    let body = #"{"signedTransactionInfo":"\#(signed)","signedOther":"\#(signed)\#(signed)"}"#
    let bench = try await Bench([.ok(body), .ok(body)])
    let answer = try await bench.client.transactionInfo("1", in: .production)
    _ = try await bench.client.transactionInfo("2", in: .production)
    let log = try await bench.log()
    let header = try #require(log.first?.headers["authorization"])
    #expect(header.hasPrefix("Bearer ey"))
    #expect(log.map { $0.headers["authorization"] } == [header, header])
    #expect(answer.signedTransaction.text == signed)
    let key = try TestKeys.credentials().privateKey
    let token = try BearerTokenSource(try TestKeys.credentials(), bundleID: "com.example", clock: bench.time.clock.now).token()
    var printed = ""
    for value in [answer, key, token] as [Any] {
      printed += "\(value)" + String(reflecting: value)
      dump(value, to: &printed)
    }
    #expect(!printed.contains("cGF5bG9hZA"))
    #expect(!printed.contains("eyJ"))
    #expect(!printed.contains("PRIVATE"))
  }
}
