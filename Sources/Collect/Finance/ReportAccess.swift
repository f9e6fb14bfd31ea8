public import AppStoreServer
internal import HTTP
public import JobCore

/// Clients of App Store Connect for the vendor numbers that have keys.
public struct ReportAccess: Sendable {
  /// One vendor number with its client.
  struct Account: Sendable {
    var settings: FinanceSettings.Account
    var client: ConnectReportClient
  }

  let accounts: [Account]

  /// Number of connections: reports are requested one after the other.
  private static let connections = 1

  /// Reads the keys that the settings name. All processes on the database share one budget of requests.
  ///
  /// - Parameters:
  ///   - addresses: of Apple's services. App Store Connect has the changed base of the server API, unless it has a separate one.
  ///   - firstPause: pause before the first repetition of a failed request.
  /// - Throws: `JobError` naming the vendor number and the file, never a key.
  public init(
    context: JobContext, addresses: APIAddresses, firstPause: Duration = APILimits.firstPauseDefault,
    clock: ServerClock = .system
  ) throws {
    let http = HTTPClient(connections: Self.connections)
    let limiter = RateLimiter(clock: clock, shared: DatabaseBudget(context: context).shared)
    var limits = ConnectReportClient.limitsDefault
    limits.firstPause = firstPause
    accounts = try context.settings.finance.accounts.map { account in
      let key = try StoreAccess.key(account.keyFile, of: "vendor number \(account.vendor)", kind: "team")
      return Account(
        settings: account,
        client: ConnectReportClient(
          APICredentials(issuerID: account.issuerID, keyID: account.keyID, privateKey: key), http: http,
          limiter: limiter, addresses: addresses, limits: limits, clock: clock))
    }
  }
}
