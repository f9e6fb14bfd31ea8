internal import Domain

/// Reports of App Store Connect: sales by day, finance by fiscal period.
///
/// - Source: App Store Connect API, "Download Sales and Trends Reports", "Download Finance Reports".
enum ReportEndpoints {
  static func report(_ call: Call, _ store: inout ReportStore, now: Moment) -> StoreResponse {
    let isFiscal = call.route.endpoint == .financeReports
    func filter(_ name: String) -> String? {
      // Parameter names are not percent-decoded.
      call.request.value("filter%5B\(name)%5D") ?? call.request.value("filter[\(name)]")
    }
    let required = ["reportDate", "reportType", "vendorNumber"] + (isFiscal ? ["regionCode"] : ["frequency", "reportSubType"])
    for name in required where filter(name) == nil {
      return refused(400, "PARAMETER_ERROR.REQUIRED", "A required parameter is missing: filter[\(name)]")
    }
    let date = filter("reportDate") ?? ""
    if !isFiscal, date.utf8.count == 10, CivilDate(date) == nil {
      return refused(400, "PARAMETER_ERROR.INVALID", "The report date you have specified is invalid.")
    }
    let parts = date.split(separator: "-")
    let period = isFiscal ? "\(parts.first ?? "")-P\(parts.dropFirst().first ?? "")" : date
    let key = ReportStore.Key(filter("reportType") ?? "", vendor: filter("vendorNumber") ?? "", period: period)
    store.count(key)
    let refusal = store.refusal(key, today: CivilDate(Timestamp(milliseconds: now.milliseconds)))
    // An obsolete version is refused until the newer one is requested.
    if refusal == .version, filter("version") == "1_9" { return packed(store.reports[key] ?? "") }
    return refusal.map { refused($0, isFiscal: isFiscal) } ?? packed(store.reports[key] ?? "")
  }

  private static func packed(_ text: String) -> StoreResponse {
    StoreResponse(status: 200, headers: [("Content-Type", "application/a-gzip")], body: Gzip.pack(Array(text.utf8)))
  }

  /// Returns Apple's message as observed. Of a fiscal period, no sales and an unsettled period have the same message.
  private static func refused(_ refusal: ReportStore.Refusal, isFiscal: Bool) -> StoreResponse {
    switch refusal {
    case .noSales: refused(404, "NOT_FOUND", "There were no sales for the date specified.")
    case .notReady where isFiscal: refused(404, "NOT_FOUND", "There were no sales for the date specified.")
    case .notReady:
      refused(404, "NOT_FOUND", "Report is not available yet. Daily reports for the Americas are available by 5 am Pacific Time.")
    case .forbidden: refused(403, "FORBIDDEN_ERROR", "The API key in use does not allow this request.")
    case .wrongVendor: refused(400, "PARAMETER_ERROR.INVALID", "Invalid vendor number specified.")
    case .outsideRetention: refused(410, "GONE", "Report is no longer available.")
    case .unrecognized: refused(409, "STATE_ERROR", "The moon is in the wrong house.")
    case .version:
      refused(
        400, "PARAMETER_ERROR.INVALID",
        "The version parameter you have specified is invalid. The latest version for this report is 1_9.")
    }
  }

  private static func refused(_ status: Int, _ code: String, _ detail: String) -> StoreResponse {
    let error = JSONValue.members(
      ("status", .text(String(status))), ("code", .text(code)), ("title", .text(code.lowercased())), ("detail", .text(detail)))
    return .json(status, .members(("errors", .array([error]))))
  }
}
