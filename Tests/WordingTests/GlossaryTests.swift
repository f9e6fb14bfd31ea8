import FoundationEssentials
import Repository

/// The catalogues use one term per concept, from the glossary.
@Suite struct GlossaryTests {
  private struct Term {
    var concept: String
    var language: Language
    var word: String
    var forbidden: [String]
  }

  private static func terms() throws -> [Term] {
    let lines = try Repository.text("Sources/Wording/Catalogues/glossary.csv").split(separator: "\n")
    try #require(lines.first == "concept,language,term,forbidden")
    return try lines.dropFirst().map { line in
      let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      try #require(cells.count == 4, "\(line)")
      let language = try #require(Language(rawValue: cells[1]), "\(line)")
      return Term(concept: cells[0], language: language, word: cells[2], forbidden: cells[3].split(separator: "|").map(String.init))
    }
  }

  @Test func eachTermIsUsedAndItsVariantsAreNot() throws {
    let terms = try Self.terms()
    #expect(terms.count > 30 && Set(terms.map { "\($0.concept) \($0.language)" }).count == terms.count)
    for term in terms {
      let texts = Catalogue.of(term.language).texts.mapValues { $0.lowercased() }
      #expect(!term.forbidden.isEmpty && texts.values.contains { $0.contains(term.word) }, "\(term.concept) in \(term.language)")
      for variant in term.forbidden {
        #expect(texts.filter { $0.value.contains(variant) }.keys.sorted() == [], "\(variant) in \(term.language): write \(term.word)")
      }
    }
  }

  @Test func `the product, evidence, case, claim, identity and write-off have a term in every language that had several words`() throws {
    let listed = try Self.terms().map { "\($0.language.rawValue) \($0.word)" }
    let wanted = ["zh-Hans 商品", "zh-Hans 凭证", "zh-Hans 认领", "zh-Hans 勾稽关系", "ja 商品", "ja 証憑", "ja 案件", "ja 損失処理", "ru свидетельств"]
    #expect(wanted.filter { !listed.contains($0) } == [])
  }
}
