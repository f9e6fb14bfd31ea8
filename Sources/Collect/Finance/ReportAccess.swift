public import AppStoreServer
internal import Cryptography
internal import HTTP
public import JobCore

/// Clients of App Store Connect for the vendor numbers that have keys.
public struct ReportAccess: Sendable {
  /// One vendor number, and who asks about it.
  struct Account: Sendable {
    var settings: FinanceSettings.Account
    var client: ConnectReportClient
  }

  let accounts: [Account]

  /// Reports are asked for one after the other.
  private static let lanes = 1

  /// Reads the keys that the settings name; requests keep to the budget that all processes on the database share.
  ///
  /// - Parameters:
  ///   - addresses: of the server API; where it was sent elsewhere, App Store Connect is at the same base.
  ///   - firstPause: wait before a failed request is repeated the first time.
  /// - Throws: `JobError` naming the vendor number and the file, never a key.
  public init(
    context: JobContext, addresses: APIAddresses, firstPause: Duration = APILimits.firstPauseDefault,
    clock: ServerClock = .system
  ) throws {
    let http = HTTPClient(lanes: Self.lanes)
    let limiter = RateLimiter(clock: clock, shared: DatabaseBudget(context: context).shared)
    var limits = ConnectReportClient.limitsDefault
    limits.firstPause = firstPause
    accounts = try context.settings.finance.accounts.map { account in
      let key = try StoreAccess.key(account.keyFile, of: "vendor number \(account.vendor)", kind: "team")
      return Account(
        settings: account,
        client: ConnectReportClient(
          ConnectCredentials(issuerID: account.issuerID, keyID: account.keyID, privateKey: key), http: http,
          limiter: limiter, address: ConnectReportClient.address(following: addresses), limits: limits, clock: clock))
    }
  }
}
