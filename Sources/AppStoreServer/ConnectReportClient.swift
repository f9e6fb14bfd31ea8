public import HTTP

/// Downloads the reports of a team from App Store Connect.
///
/// - Source: App Store Connect API, "Download Sales and Trends Reports", "Download Finance Reports".
public final class ConnectReportClient: Sendable {
  /// The usual limits, extended for large reports: 64 MiB, five minutes.
  public static var limitsDefault: APILimits {
    var limits = APILimits()
    limits.bodyBytesMax = 64 << 20
    limits.requestDeadline = .seconds(300)
    limits.totalDeadline = .seconds(600)
    return limits
  }

  private let address: String
  private let channel: APIChannel
  private static let call = APICall(.reports, in: .production)

  /// - Parameter limiter: shared by all clients of a process.
  public init(
    _ credentials: APICredentials, http: HTTPClient, limiter: RateLimiter,
    addresses: APIAddresses = APIAddresses(), limits: APILimits = ConnectReportClient.limitsDefault, clock: ServerClock = .system
  ) {
    address = addresses.base(.connect, .production)
    // Apple counts all requests of a key together.
    channel = APIChannel(
      name: credentials.keyID, tokens: BearerTokenSource(credentials, bundleID: nil, clock: clock.now), http: http, limiter: limiter,
      limits: limits, clock: clock)
  }

  /// Requests one report, and repeats the request where that may help.
  ///
  /// - Returns: the report, or Apple's reason why there is none.
  /// - Throws: `APIFault` when the state of the report is unknown.
  public func download(_ query: ConnectQuery) async throws(APIFault) -> ConnectAnswer {
    var version = query.report.form?.version
    return try await channel.repeating(Self.call) { attempt, deadline throws(APIFault) in
      // Apple answers 406 to any other media type.
      let response = try await channel.send(
        Self.call, url: address + query.target(version: version), accept: "application/a-gzip", keepsCoding: true, deadline: deadline)
      if (200..<300).contains(response.status) { return try report(response) }
      let refusal = ConnectRefusal(response)
      if let outcome = refusal.outcome { return ConnectAnswer(outcome: outcome, words: refusal.words, body: []) }
      guard let latest = refusal.latestVersion, latest != version, attempt < channel.limits.attemptsMax else {
        throw fault(response, refusal)
      }
      version = latest
      return nil
    }
  }

  private func report(_ response: HTTPResponse) throws(APIFault) -> ConnectAnswer {
    guard !response.body.isEmpty, !response.isPage else {
      let reason = response.isPage ? HTTPResponse.pageReason : "it is empty"
      throw APIFault(Self.call, .malformedAnswer(reason), retry: .retry, status: response.status)
    }
    return ConnectAnswer(outcome: .report, words: "", body: response.body)
  }

  private func fault(_ response: HTTPResponse, _ refusal: ConnectRefusal) -> APIFault {
    var fault = channel.classifier(Self.call).fault(response)
    if fault.cause == .status, !refusal.words.isEmpty { fault.cause = .words(refusal.words) }
    return fault
  }
}
