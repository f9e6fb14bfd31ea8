@Suite struct TextNumbersTests {
  @Test func numbersFollowTheOrderOfArrival() {
    var texts = TextNumbers()
    let given = ["b", "", "a", "b", "ä", "", "aa"].map { texts.number(Array($0.utf8)[...]) }
    #expect(given == [0, 1, 2, 0, 3, 1, 4])
    #expect((0..<texts.count).map { texts[$0] } == ["b", "", "a", "ä", "aa"])
    #expect(texts.known(Array("aa".utf8)[...]) == 4)
    #expect(texts.known(Array("bb".utf8)[...]) == nil)
    #expect(texts.number(nil) == nil)
  }

  @Test func sortedNumbersFollowTheBytes() {
    var texts = TextNumbers()
    for text in ["b", "ä", "a", "aa", ""] { _ = texts.number(Array(text.utf8)[...]) }
    let sorted = texts.sorted()
    #expect((0..<sorted.count).map { sorted[$0] } == ["", "a", "aa", "b", "ä"])
  }

  @Test func manyTextsKeepTheirNumbers() {
    var texts = TextNumbers()
    for number in 0..<5000 { #expect(Int(texts.number(Array("text \(number)".utf8)[...])) == number) }
    #expect(texts[4321] == "text 4321")
    #expect(texts.known(Array("text 17".utf8)[...]) == 17)
  }
}
