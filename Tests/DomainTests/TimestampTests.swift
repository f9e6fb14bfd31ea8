struct TimestampTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0),
    ("1969-12-31T23:59:59.999999Z", -1),
    ("1900-01-01T00:00:00Z", -2_208_988_800_000_000),
    ("2000-02-29T00:00:00Z", 951_782_400_000_000),
    ("2024-02-29T12:00:00Z", 1_709_208_000_000_000),
    ("2038-01-19T03:14:08Z", 2_147_483_648_000_000),
    ("2025-03-01T12:00:00+08:00", 1_740_801_600_000_000),
    ("2025-03-01T12:00:00-03:30", 1_740_843_000_000_000),
    ("2025-03-01t12:00:00z", 1_740_830_400_000_000),
    ("2025-03-01 12:00:00Z", 1_740_830_400_000_000),
    ("2025-03-01T12:00:00.5Z", 1_740_830_400_500_000),
    ("2025-03-01T12:00:00.1234567899Z", 1_740_830_400_123_456),
    ("2016-12-31T23:59:60Z", 1_483_228_800_000_000),
    ("9999-12-31T23:59:59Z", 253_402_300_799_000_000),
  ])
  func `a date and time with an offset is one instant`(text: String, microseconds: Int64) throws {
    #expect(try #require(Timestamp(rfc3339: text)).microseconds == microseconds)
    #expect(try #require(Timestamp(rfc3339: Array(text.utf8))).microseconds == microseconds)
  }

  @Test(arguments: [
    "", "2025-03-01", "2025-03-01T12:00:00", "2025-03-01T12:00Z", "2025-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
    "2025-13-01T00:00:00Z", "2025-00-01T00:00:00Z", "2025-04-31T00:00:00Z", "2025-01-00T00:00:00Z",
    "2025-01-01T24:00:00Z", "2025-01-01T00:60:00Z", "2025-01-01T00:00:61Z", "2025-01-01T00:00:00.Z",
    "2025-01-01T00:00:00+24:00", "2025-01-01T00:00:00+0100", "2025-01-01T00:00:00+01:60", "2025-01-01T00:00:00Z ",
    " 2025-01-01T00:00:00Z", "+2025-01-01T00:00:00Z", "２025-01-01T00:00:00Z", "1740830400000", "2025-1-1T00:00:00Z",
  ])
  func `anything else is no instant`(text: String) { #expect(Timestamp(rfc3339: text) == nil) }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59.999999Z"), (1_500_000, "1970-01-01T00:00:01.500Z"),
    (1_000_001, "1970-01-01T00:00:01.000001Z"),
  ])
  func `the text has no digit that says nothing`(microseconds: Int64, text: String) {
    #expect(Timestamp(microseconds: microseconds).rfc3339 == text)
  }

  @Test func `every instant of the years 1 to 9999 is read as it was written`() throws {
    let seed: UInt64 = 20_250_301
    var random = Dice(seed: seed)
    for _ in 0..<20_000 {
      let instant = Timestamp(microseconds: .random(in: -62_135_596_800_000_000...253_402_300_799_999_999, using: &random))
      #expect(Timestamp(rfc3339: instant.rfc3339) == instant, "seed \(seed), \(instant.microseconds)")
    }
  }

  @Test func `every day of 800 years is the day after the one before`() {
    for days in -150_000...150_000 {
      let date = CivilDate(daysSince1970: days)
      guard date.daysSince1970 == days, date.day <= CivilDate.daysIn(month: date.month, year: date.year)
      else {
        Issue.record("\(date) is not day \(days)")
        return
      }
    }
  }

  @Test func `numbers beyond the range end at it`() {
    #expect(Timestamp(milliseconds: .max).microseconds == .max)
    #expect(Timestamp(milliseconds: .min).microseconds == .min)
    #expect(Timestamp(milliseconds: 1_740_830_400_123).rfc3339 == "2025-03-01T12:00:00.123Z")
    #expect(Timestamp(microseconds: .max).advanced(bySeconds: 1).microseconds == .max)
    #expect(Timestamp(microseconds: .min).advanced(bySeconds: -1).microseconds == .min)
    #expect(!Timestamp(microseconds: .min).rfc3339.isEmpty)
    #expect(!Timestamp(microseconds: .max).rfc3339.isEmpty)
  }
}
