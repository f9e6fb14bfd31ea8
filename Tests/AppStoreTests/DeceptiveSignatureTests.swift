import FoundationEssentials

/// Signatures made to deceive a verifier, each with its expected verdict.
@Suite struct DeceptiveSignatureTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var jws: String
    var verdict: EvidenceVerdict
    var testDescription: String { name }
  }

  static let cases: [Case] = {
    do {
      let decoder = JSONDecoder()
      let texts = try decoder.decode([String: String].self, from: Data(SharedFixtures.own("adversarial/cases.json")))
      let verdicts = try decoder.decode([String: String].self, from: Data(SharedFixtures.own("adversarial/verdicts.json")))
      return texts.sorted { $0.key < $1.key }.compactMap { name, jws in
        verdicts[name].flatMap(EvidenceVerdict.init).map { Case(name: name, jws: jws, verdict: $0) }
      }
    } catch {
      return []
    }
  }()

  static func reader() throws -> EvidenceReader {
    try EvidenceReader(root: SharedFixtures.own("adversarial/adv-root.der"), apps: [AppIdentity(bundleID: "com.example.conf", appleID: 42)])
  }

  @Test func everyCaseIsThere() { #expect(Self.cases.count == 48) }

  @Test(arguments: cases) func verdict(_ test: Case) throws {
    let items = try Self.reader().read(Array(test.jws.utf8))
    let item = try #require(items.first)
    #expect(items.count == 1)
    #expect(item.verdict == test.verdict, "\(item.field): \(item.reason?.english ?? "")")
    #expect((item.reason == nil) == (test.verdict == .genuine))
  }

  @Test(arguments: ["price-string", "price-float"]) func unusablePriceIsRecorded(_ name: String) throws {
    let test = try #require(Self.cases.first { $0.name == name })
    let item = try #require(try Self.reader().read(Array(test.jws.utf8)).first)
    #expect(item.transaction != nil)
    #expect(item.transaction?.priceMilliunits == nil)
    #expect(item.unrecognized.map(\.field) == ["price"])
  }

  @Test(arguments: [("app-account-token-not-uuid", ["appAccountToken"]), ("app-account-token-empty", [])])
  func `an empty token counts as absent`(_ name: String, _ unrecognized: [String]) throws {
    let test = try #require(Self.cases.first { $0.name == name })
    let item = try #require(try Self.reader().read(Array(test.jws.utf8)).first)
    #expect(item.transaction?.appAccountToken == nil)
    #expect(item.unrecognized.map(\.field) == unrecognized)
  }

  @Test func orderOfArrivalDoesNotMatter() throws {
    let reader = try Self.reader()
    var generator = Dice(seed: 20_261_121)
    for _ in 0..<5 {
      for test in Self.cases.shuffled(using: &generator) {
        #expect(reader.read(Array(test.jws.utf8)).first?.verdict == test.verdict, "\(test.name), seed 20261121")
      }
    }
  }

  @Test func manyThreadsAgree() async throws {
    let reader = try Self.reader()
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          Self.cases.allSatisfy { reader.read(Array($0.jws.utf8)).first?.verdict == $0.verdict }
        }
      }
      for await agrees in group { #expect(agrees) }
    }
  }
}
