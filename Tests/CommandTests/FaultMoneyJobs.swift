import FoundationEssentials

extension FaultJob {
  private static let moneyClock = "2026-11-02T00:00:00Z"

  /// Returns the jobs from Apple's money files to the money report, over three small periods.
  static func ofMoney(_ world: String) throws -> [FaultJob] {
    let clock = ["--as-of", moneyClock]
    let reports = try FileManager.default.contentsOfDirectory(atPath: "\(world)/finance").sorted()
      .filter { $0.hasSuffix("_Z1.txt") || $0.hasSuffix("_CN.txt") || $0.hasPrefix("financial_report") }.map { "\(world)/finance/\($0)" }
    let credits = """
      select bank_line_id, file_sha256, line, occurrence, bank_date, amount, currency, reference, account
      from payrecon.bank_lines order by 1
      """
    let parts = """
      select fiscal_period, as_of, source, files from payrecon.tieouts order by 1, 2;
      select * from payrecon.tieout_parts order by cell_id, cause, counter_cell_id;
      select * from payrecon.tieout_payments order by region, currency;
      select * from payrecon.tieout_bridge order by section, currency, line_no;
      select * from payrecon.tieout_offset_days order by storefront, sku, currency, price, day
      """
    return [
      job(
        "ingest finance", ["ingest", "finance"] + reports + clock, ["finance-lines", "payments", "parked"], isBase: true, asOf: moneyClock),
      job("ingest bank", ["ingest", "bank", "\(world)/bank/credits.csv"] + clock, query: credits, isBase: true, asOf: moneyClock),
      job(
        "tieout", ["tieout", "--period", "2026-P10"] + clock, ["cells", "proceeds", "breaks"], query: parts, isBase: true, asOf: moneyClock),
      job("report tieout", ["report", "tieout", "--out", "report"] + clock, folder: "report", asOf: moneyClock),
    ]
  }
}
