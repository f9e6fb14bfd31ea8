import FoundationEssentials

/// A key's table and `EVP_PKEY_verify` agree on every signature.
@Suite struct SignatureTests {
  /// Number of pairs in the random test. `PAYRECON_SIGNATURE_PAIRS=1000000` runs more of them.
  private static let pairs = ProcessInfo.processInfo.environment["PAYRECON_SIGNATURE_PAIRS"].flatMap { Int($0) } ?? 3000

  @Test func randomSignaturesGoodAndTampered() throws {
    let authority = SimulatedAuthority(seed: 11)
    let leaf = try #require(authority.chain.first.flatMap { Certificate(der: $0) })
    let key = try #require(leaf.es256PublicKey)
    key.makeTable()
    let inverses = SignatureInverses()
    var random = SystemRandomNumberGenerator()
    var faults = 0
    for number in 0..<Self.pairs {
      let parts = String(decoding: authority.sign(Array("{\"n\":\(number)}".utf8)), as: UTF8.self).split(separator: ".")
      var signature = try #require(Base64.decodeURL(Array(parts[2].utf8)[...]))
      var digest = SHA256.digest(Array("\(parts[0]).\(parts[1])".utf8))
      let isGood = number % 2 == 0
      let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
      switch number % 4 {
      case 1: signature[.random(in: 0..<64, using: &random)] ^= bit
      case 3: digest[.random(in: 0..<32, using: &random)] ^= bit
      default: break
      }
      let byTable = key.verifies(signature: signature[...], digest: digest)
      inverses.prepare([signature])
      let byInverse = key.verifies(signature: signature[...], digest: digest, inverses: inverses)
      if byTable != isGood || byInverse != isGood || key.verifiesPlainly(signature: signature[...], digest: digest) != isGood {
        faults += 1
      }
    }
    #expect(faults == 0)
  }

  @Test func `both verifiers agree on integers at the ends of their ranges and on digests of 0 or beyond the curve's order`() throws {
    let leaf = try #require(SimulatedAuthority(seed: 11).chain.first.flatMap { Certificate(der: $0) })
    let key = try #require(leaf.es256PublicKey)
    key.makeTable()
    let order = Hexadecimal.bytes("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
    let zero = [UInt8](repeating: 0, count: 32)
    let one = zero.dropLast() + [1]
    let below = order.dropLast() + [0x50]
    let most = [UInt8](repeating: 0xFF, count: 32)
    let numbers = [zero, Array(one), Array(below), order, most]
    for r in numbers {
      for s in numbers {
        for digest in [zero, order, most] {
          let isGood = key.verifiesPlainly(signature: (r + s)[...], digest: digest)
          #expect(key.verifies(signature: (r + s)[...], digest: digest) == isGood, "\(r) \(s) \(digest)")
          // All at once, those out of range among them.
          let inverses = SignatureInverses()
          inverses.prepare(numbers.map { r + $0 })
          #expect(key.verifies(signature: (r + s)[...], digest: digest, inverses: inverses) == isGood, "\(r) \(s) \(digest)")
        }
      }
    }
    for count in [0, 32, 63, 65, 128] {
      #expect(!key.verifies(signature: [UInt8](repeating: 1, count: count)[...], digest: most))
    }
  }

  @Test(
    .enabled(if: SharedFixtures.isThere, "the shared fixtures are not beside this repository"),
    arguments: ["ecdsa_secp256r1_sha256_p1363_test.json", "ecdsa_secp256r1_sha256_test.json"])
  func wycheproof(_ file: String) throws {
    let vectors = try JSONDecoder().decode(Vectors.self, from: Data(SharedFixtures.bytes("wycheproof/\(file)")))
    var checked = 0
    for group in vectors.testGroups {
      let key = try #require(ES256PublicKey(subjectPublicKeyInfo: Hexadecimal.bytes(group.publicKeyDer)))
      key.makeTable()
      for test in group.tests {
        let encoded = Hexadecimal.bytes(test.sig)
        let digest = SHA256.digest(Hexadecimal.bytes(test.msg))
        // A signature that is not a DER pair of integers is refused before either verifier runs.
        guard let raw = file.contains("p1363") ? encoded : Self.raw(der: encoded) else {
          #expect(test.result == "invalid", "\(test.tcId)")
          continue
        }
        let isGood = test.result == "valid"
        #expect(key.verifies(signature: raw[...], digest: digest) == isGood, "\(test.tcId) \(test.comment)")
        #expect(key.verifiesPlainly(signature: raw[...], digest: digest) == isGood, "\(test.tcId) \(test.comment)")
        checked += 1
      }
    }
    #expect(checked > 200)
  }

  private struct Vectors: Decodable {
    struct Group: Decodable {
      var publicKeyDer: String
      var tests: [Vector]
    }
    struct Vector: Decodable {
      var tcId: Int
      var comment: String
      var msg: String
      var sig: String
      var result: String
    }
    var testGroups: [Group]
  }

  /// Returns the two integers of a DER sequence, each in 32 bytes, or nil for any other bytes.
  private static func raw(der: [UInt8]) -> [UInt8]? {
    guard der.count > 2, der[0] == 0x30, Int(der[1]) == der.count - 2 else { return nil }
    var rest = der[2...]
    var raw: [UInt8] = []
    for _ in 0..<2 {
      guard rest.count > 2, rest[rest.startIndex] == 2 else { return nil }
      let number = rest.dropFirst(2).prefix(Int(rest[rest.startIndex + 1]))
      guard number.count == Int(rest[rest.startIndex + 1]), let first = number.first, first < 0x80 else { return nil }
      let isPadded = number.count > 1 && first == 0
      if isPadded, number[number.startIndex + 1] < 0x80 { return nil }
      let digits = isPadded ? number.dropFirst() : number
      guard digits.count <= 32 else { return nil }
      raw += [UInt8](repeating: 0, count: 32 - digits.count) + digits
      rest = rest[number.endIndex...]
    }
    return rest.isEmpty ? raw : nil
  }
}
