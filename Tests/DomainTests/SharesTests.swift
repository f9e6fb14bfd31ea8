/// Shares add up to 100 %. Small and almost complete shares are not rounded away.
@Suite struct SharesTests {
  @Test(
    arguments: [
      ([5754, 156, 4, 11], [971, 26, 1, 2]),
      ([999_999, 0, 1, 0], [999, 0, 1, 0]),
      ([1, 1, 1], [334, 333, 333]),
      ([100_000, 1, 1, 1], [997, 1, 1, 1]),
      ([7, 0, 0, 0], [1000, 0, 0, 0]),
      ([0, 0], [0, 0]),
    ] as [([Int128], [Int128])])
  func partsAddUp(_ parts: [Int128], _ tenths: [Int128]) { #expect(Shares.tenths(of: parts) == tenths) }

  @Test(arguments: [(9839, 984), (9834, 983), (9995, 999), (9999, 999), (10_000, 1000), (0, 0), (12, 1)] as [(Int128, Int128)])
  func aRateIsRoundedOnce(_ points: Int128, _ tenths: Int128) { #expect(Shares.tenths(basisPoints: points) == tenths) }
}
