/// Bounds of a share, compared with published values.
@Suite struct WilsonIntervalTests {
  /// Source: R. G. Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), table I,
  /// method 3: 81 of 263, 15 of 148, 0 of 20 and 1 of 29.
  @Test(
    arguments: [
      (81, 263, 25, 37), (15, 148, 6, 17), (0, 20, 0, 17), (1, 29, 0, 18), (20, 20, 83, 100), (1, 1, 20, 100), (0, 0, 0, 100),
    ] as [(Int128, Int128, Int, Int)])
  func boundsAreThoseOfTheTable(hits: Int128, trials: Int128, low: Int, high: Int) {
    let bounds = WilsonInterval.percent(hits: hits, of: trials)
    #expect(bounds.low == low && bounds.high == high, "\(bounds)")
  }

  @Test func boundsEncloseTheShareAndShrink() {
    for trials in [1, 7, 40, 1000] as [Int128] {
      for hits in 0...trials {
        let (low, high) = WilsonInterval.percent(hits: hits, of: trials)
        #expect(0 <= low && Int128(low) * trials <= 100 * hits && 100 * hits <= Int128(high) * trials && high <= 100, "\(hits) \(trials)")
      }
      let (few, many) = (WilsonInterval.percent(hits: trials, of: 2 * trials), WilsonInterval.percent(hits: 9 * trials, of: 18 * trials))
      #expect(many.high - many.low <= few.high - few.low)
    }
  }
}
