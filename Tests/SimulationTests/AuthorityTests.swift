import Cryptography
import Foundation
import SimulatedSigning
import Testing

@Suite("The simulated authority") struct AuthorityTests {
  private func decoded(_ segment: Substring) throws -> [UInt8] {
    try #require(Base64.decodeURL(Array(segment.utf8)[...]))
  }

  private func certificates(_ authority: SimulatedAuthority) throws -> [Certificate] {
    try authority.chain.map { try #require(Certificate(der: $0)) }
  }

  @Test func `its signatures hold under its leaf, for what was signed and for nothing else`() throws {
    let authority = SimulatedAuthority(seed: 9)
    let leaf = try #require(try certificates(authority).first)
    let key = try #require(leaf.es256PublicKey)
    for number in 0..<50 {
      let payload = Array("{\"n\":\(number)}".utf8)
      let parts = String(decoding: authority.sign(payload), as: UTF8.self).split(separator: ".")
      #expect(try decoded(parts[1]) == payload)
      let signature = try decoded(parts[2])
      let digest = SHA256.digest(Array("\(parts[0]).\(parts[1])".utf8))
      #expect(key.verifies(signature: signature[...], digest: digest))
      let other = SHA256.digest(Array("\(parts[0]).\(parts[1])A".utf8))
      #expect(!key.verifies(signature: signature[...], digest: other))
    }
  }

  @Test func `its header carries leaf, intermediate and root`() throws {
    let authority = SimulatedAuthority(seed: 9)
    let parts = String(decoding: authority.sign([0x7B, 0x7D]), as: UTF8.self).split(separator: ".")
    let header = try #require(try JSONSerialization.jsonObject(with: Data(try decoded(parts[0]))) as? [String: Any])
    #expect(header["alg"] as? String == "ES256")
    let texts = try #require(header["x5c"] as? [String])
    let chain = texts.compactMap { Data(base64Encoded: $0).map { [UInt8]($0) } }
    #expect(chain == authority.chain)
  }

  @Test func `its chain ends in its root and in no other, with Apple's markers in place`() throws {
    let genuine = SimulatedAuthority(seed: 9)
    let trust = TrustStore(roots: [try #require(Certificate(der: genuine.rootDER))])
    for variant in SimulatedAuthority.Variant.allCases {
      let chain = try certificates(SimulatedAuthority(seed: 9, variant: variant))
      let isTrusted = trust.root(leaf: chain[0], intermediate: chain[1]) != nil
      #expect(isTrusted == (variant != .otherRoot), "\(variant)")
      #expect(chain[0].hasExtension("1.2.840.113635.100.6.11.1") == (variant != .leafWithoutMarker), "\(variant)")
      #expect(chain[1].hasExtension("1.2.840.113635.100.6.2.1") == (variant != .intermediateWithoutMarker), "\(variant)")
      #expect(chain[1].isAuthority && !chain[0].isAuthority)
      // 2026-11-02T00:00:00Z is the first instant of the simulated fortnight.
      #expect((chain[0].notAfter > 1_793_577_600) == (variant != .expiredLeaf), "\(variant)")
    }
  }

  @Test func `the same seed gives the same bytes`() {
    let payload = Array("{}".utf8)
    #expect(SimulatedAuthority(seed: 1).sign(payload) == SimulatedAuthority(seed: 1).sign(payload))
    #expect(SimulatedAuthority(seed: 1).rootDER != SimulatedAuthority(seed: 2).rootDER)
    #expect(SimulatedAuthority(seed: 1).chain == SimulatedAuthority(seed: 1).chain)
  }
}
