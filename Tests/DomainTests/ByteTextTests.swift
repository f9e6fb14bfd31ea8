/// Equivalent texts with different bytes are different ids.
@Suite struct ByteTextTests {
  private static let composed = "Jos\u{E9}"
  private static let decomposed = "Jose\u{301}"

  @Test func equivalentTextsDiffer() {
    #expect(Self.composed == Self.decomposed)
    #expect(ByteText(Self.composed) != ByteText(Self.decomposed))
    #expect(ByteText(Self.composed) == ByteText("Jos\u{E9}"))
    #expect(Set([Self.composed, Self.decomposed, Self.composed].map { ByteText($0) }).count == 2)
  }

  @Test func textsAreSortedByTheirBytes() {
    let sorted = [Self.composed, "Jz", Self.decomposed, "J"].map { ByteText($0) }.sorted().map { Array($0.text.utf8) }
    #expect(sorted == ["J", Self.decomposed, Self.composed, "Jz"].map { Array($0.utf8) })
  }
}
