/// Damaged receipts never become genuine with other contents, and never cause a trap.
@Suite(.enabled(if: SharedFixtures.isThere, "the shared fixtures are not beside this repository")) struct ReceiptMutationTests {
  private static let refused: Set<EvidenceVerdict> = [.forged, .malformed]

  private let reader: EvidenceReader
  private let bytes: [UInt8]

  init() throws {
    reader = try ReceiptSupport.reader()
    bytes = try ReceiptSupport.bytes("peer-eminz-gen-receipt.der")
  }

  /// Returns the byte ranges of the content, both certificates, the signed attributes and the signature.
  private static func regions(_ bytes: [UInt8]) throws -> [(name: String, range: Range<Int>)] {
    let message = try #require(SignedMessage(bytes))
    let signer = try #require(message.signer)
    let issuer = try #require(message.certificates.first { $0.isAuthority && $0.der != signer.der })
    let content = try #require(bytes.range(of: message.content))
    let digest = try #require(bytes.range(of: SHA256.digest(message.content)))
    // The 256 octets of the RSA signature end before the end marks of the message.
    let end = bytes.count - bytes.reversed().prefix { $0 == 0 }.count
    return [
      ("content", content), ("signer", try #require(bytes.range(of: signer.der))),
      ("issuer", try #require(bytes.range(of: issuer.der))), ("digest", digest), ("signature", (end - 250)..<end),
    ]
  }

  @Test func everyFlippedBitOfTheSignedPartsIsRefused() throws {
    var generator = Dice(seed: 20_261_121)
    for (name, range) in try Self.regions(bytes) {
      for at in range {
        var changed = bytes
        let bit = UInt8.random(in: 0..<8, using: &generator)
        changed[at] ^= 1 << bit
        let verdict = try #require(reader.read(changed).first?.verdict)
        #expect(Self.refused.contains(verdict), "\(name), byte \(at), bit \(bit), seed 20261121: \(verdict)")
      }
    }
  }

  /// Unsigned parts, such as the enclosed root, may change. The purchases must not.
  @Test func noFlippedBitChangesAPurchase() throws {
    let expected = reader.read(bytes)
    for at in bytes.indices {
      var changed = bytes
      changed[at] ^= 1 << UInt8(at % 8)
      let items = reader.read(changed)
      guard items.first?.verdict == .genuine else { continue }
      #expect(items.dropFirst().map(\.raw) == expected.dropFirst().map(\.raw), "byte \(at)")
      #expect(items.first?.environment == expected.first?.environment, "byte \(at)")
      #expect(items.first?.bundleID == expected.first?.bundleID, "byte \(at)")
    }
  }

  @Test func everyTruncationIsRefused() throws {
    for bytes in [bytes, ReceiptSupport.der(try ReceiptSupport.bytes("peer-eminz-gen-receipt-no-type.der"))] {
      for count in bytes.indices {
        let verdict = try #require(reader.read(Array(bytes.prefix(count))).first?.verdict)
        #expect(Self.refused.contains(verdict), "\(count) of \(bytes.count) bytes: \(verdict)")
      }
    }
    let text = try ReceiptSupport.bytes("peer-eminz-genuine-receipt-sandbox-g5.b64")
    let apple = try ReceiptSupport.appleReader(bundleID: "dev.bonzer.weeka.app")
    for count in stride(from: 0, to: text.count - 4, by: 7) {
      let verdict = try #require(apple.read(Array(text.prefix(count))).first?.verdict)
      #expect(Self.refused.contains(verdict), "\(count) of \(text.count) characters: \(verdict)")
    }
  }

  @Test func randomBytesAreRefused() throws {
    var generator = Dice(seed: 31_337)
    let starts: [[UInt8]] = [
      [], [0x30, 0x80], [0x30, 0x82], Array("MIIA".utf8), Array("{".utf8), Array("{\"status\":0,\"receipt\":".utf8),
      [0x30, 0x80, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02, 0xA0, 0x80, 0x30, 0x80],
    ]
    for round in 0..<2_000 {
      let count = Int.random(in: 0..<600, using: &generator)
      let rest = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let items = reader.read(starts[round % starts.count] + rest)
      #expect(items.map(\.verdict) == [.malformed], "round \(round), seed 31337")
    }
  }

  /// Only the signer can produce random signed contents. They still must not cause a trap.
  @Test func scrambledContentIsRefused() throws {
    let range = try #require(Self.regions(bytes).first { $0.name == "content" }).range
    var generator = Dice(seed: 4_711)
    for round in 0..<2_000 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...12, using: &generator) {
        let at = Int.random(in: range, using: &generator)
        changed[at] = UInt8.random(in: 0...255, using: &generator)
      }
      guard changed != bytes else { continue }
      let verdict = try #require(reader.read(changed).first?.verdict)
      #expect(Self.refused.contains(verdict), "round \(round), seed 4711: \(verdict)")
    }
  }

  @Test func bytesAfterTheEndAreRefused() throws {
    for tail in [[0], [0, 0], bytes] as [[UInt8]] {
      #expect(reader.read(bytes + tail).map(\.verdict) == [.malformed])
    }
  }
}
