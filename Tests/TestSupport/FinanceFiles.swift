/// Apple's sales and finance reports with chosen lines.
public enum FinanceFiles {
  /// A line of FINANCE_DETAIL with its price in thousandths of the currency and the proceeds of one unit as text.
  public struct Line: Changeable, Sendable {
    public var day: String
    public var settled: String
    public var sku = "coins60"
    public var country = "CN"
    public var units: Int
    public var share: String
    public var price = "6.00"
    public var currency = "CNY"
    public var region = "CN"
    public var type = "IA1"

    public init(
      _ day: String, settled: String, units: Int = 1, share: String = "4.20", _ change: (inout Line) -> Void = { _ in }
    ) {
      (self.day, self.settled, self.units, self.share) = (day, settled, units, share)
      change(&self)
    }

    var text: String {
      [
        FinanceFiles.slashed(day), FinanceFiles.slashed(settled), "150", sku, "Coins", "Acme Ltd", type, country, "\(units)", share,
        extended, currency, price, currency, units < 0 ? "R" : "S", "", "", region,
      ].joined(separator: "\t")
    }

    /// Returns the same sale as a FINANCIAL line of the whole period, with the unused columns empty.
    func financial(from: String, to: String) -> String {
      [
        FinanceFiles.slashed(from), FinanceFiles.slashed(to), "", "", sku, "\(units)", share, extended, currency, units < 0 ? "R" : "S",
        "150", "Acme Ltd", "Coins", "", "", type, "", country, "", "", price, currency,
      ].joined(separator: "\t")
    }

    /// The proceeds of all units, with as many decimals as `share`.
    private var extended: String {
      let parts = share.split(separator: ".")
      let digits = parts.count > 1 ? parts[1].count : 0
      let scale = (0..<digits).reduce(1) { product, _ in product * 10 }
      let smallestUnits = (Int(parts[0]) ?? 0) * scale + (digits > 0 ? Int(parts[1]) ?? 0 : 0)
      let total = abs(smallestUnits * units)
      let whole = "\(units < 0 ? "-" : "")\(total / scale)"
      let rest = String("\(total % scale + scale)".dropFirst())
      return digits > 0 ? "\(whole).\(rest)" : whole
    }
  }

  /// Returns a day as Apple writes it, `MM/DD/YYYY`.
  private static func slashed(_ day: String) -> String {
    let parts = day.split(separator: "-")
    return "\(parts[1])/\(parts[2])/\(parts[0])"
  }

  private static let header = [
    "Transaction Date", "Settlement Date", "Apple Identifier", "SKU", "Title", "Developer Name", "Product Type Identifier",
    "Country of Sale", "Quantity", "Partner Share", "Extended Partner Share", "Partner Share Currency", "Customer Price",
    "Customer Currency", "Sale or Return", "Promo Code", "Order Type", "Region",
  ].joined(separator: "\t")

  /// Returns a FINANCE_DETAIL file of a period with these first and last days. Without lines, it ends with an empty summary.
  public static func detail(_ lines: [Line], from: String, to: String) -> String {
    let days = ["Start Date\t\(slashed(from))", "End Date\t\(slashed(to))"]
    let rows = lines.isEmpty ? ["Country Of Sale\tPartner Share Currency\tQuantity\tExtended Partner Share"] : lines.map(\.text)
    return (["Vendor Name\tAcme Ltd"] + days + ["", header] + rows).joined(separator: "\n") + "\n"
  }

  /// Returns a FINANCIAL file in Apple's format of 2014.
  public static func financial(_ lines: [Line], from: String, to: String) -> String {
    let header = [
      "Start Date", "End Date", "UPC", "ISRC/ISBN", "Vendor Identifier", "Quantity", "Partner Share", "Extended Partner Share",
      "Partner Share Currency", "Sales or Return", "Apple Identifier", "Artist/Show/Developer/Author", "Title",
      "Label/Studio/Network/Developer/Publisher", "Grid", "Product Type Identifier", "ISAN/Other Identifier", "Country Of Sale",
      "Pre-order Flag", "Promo Code", "Customer Price", "Customer Currency",
    ].joined(separator: "\t")
    return ([header] + lines.map { $0.financial(from: from, to: to) } + ["Total_Rows\t\(lines.count)"]).map { $0 + "\r\n" }.joined()
  }

  /// Returns a SALES file of a day, or of several days: product, type, units and Apple's number of each line.
  public static func sales(_ day: String, until last: String? = nil, _ lines: [(String, String, Int, String)]) -> String {
    let header = [
      "Provider", "SKU", "Developer", "Title", "Product Type Identifier", "Units", "Developer Proceeds", "Begin Date", "End Date",
      "Customer Currency", "Country Code", "Currency of Proceeds", "Apple Identifier", "Customer Price",
    ]
    let days = [slashed(day), slashed(last ?? day)]
    let rows = lines.map { ["APPLE", $0.0, "Acme Ltd", "Goods", $0.1, "\($0.2)", "4.20"] + days + ["CNY", "CN", "CNY", $0.3, "6.00"] }
    return ([header] + rows).map { $0.joined(separator: "\t") + "\n" }.joined()
  }

  /// Returns the SALES file of a day with this many units of one product.
  public static func sales(_ day: String, units: Int = 1) -> String { sales(day, [("coins60", "IA1", units, "1500")]) }

  /// Returns FINANCE_DETAIL of fiscal 2026-P08, 2026-05-03 to 2026-05-30.
  public static func may(_ lines: [Line]) -> String { detail(lines, from: "2026-05-03", to: "2026-05-30") }
  /// Returns FINANCE_DETAIL of fiscal 2026-P09, 2026-05-31 to 2026-06-27.
  public static func june(_ lines: [Line]) -> String { detail(lines, from: "2026-05-31", to: "2026-06-27") }
  /// Returns FINANCE_DETAIL of fiscal 2026-P10, 2026-06-28 to 2026-08-01.
  public static func july(_ lines: [Line]) -> String { detail(lines, from: "2026-06-28", to: "2026-08-01") }
}
