package import Domain
internal import HTTP
internal import JSON

/// Classifies an unsuccessful response.
struct FaultClassifier {
  /// Clock error in seconds above which a refused token is reported as a clock error.
  static let skewSecondsMax: Int64 = 60
  /// Pause after 429 when Apple states none.
  static let pauseSecondsDefault: Int64 = 60
  /// Minimum pause after 429, even when Apple names a past instant.
  static let pauseSecondsMin: Int64 = 1
  /// Maximum pause that is accepted from Apple; quotas are hourly.
  static let pauseSecondsMax: Int64 = 7200

  let call: APICall
  let now: Timestamp

  func fault(_ response: HTTPResponse) -> APIFault {
    let number = Self.errorCode(response.body)
    let cause: APIFault.Cause =
      switch number {
      case nil: .status
      case let number?: APIErrorCode(rawValue: number).map { .code($0) } ?? .unrecognizedCode(number)
      }
    return APIFault(call, cause, retry: retry(response, cause), status: response.status)
  }

  func fault(_ error: HTTPError) -> APIFault {
    switch error {
    case .cancelled: APIFault(call, .cancelled, retry: .retry)
    // A repeated answer would be as large.
    case .refusedURL, .refusedHeader, .tooLarge: APIFault(call, .transport(error), retry: .final)
    case .transport, .timedOut, .tooManyWaiting: APIFault(call, .transport(error), retry: .retry)
    }
  }

  private func retry(_ response: HTTPResponse, _ cause: APIFault.Cause) -> RetryClass {
    // The status decides first: a token is refused with plain text, so the text must not hide that.
    if response.status == 401 { return .configurationAlarm(alarm(response)) }
    if response.status == 429 || cause == .code(.rateLimitExceeded) {
      return .retryAt(pauseEnd(response.headers["retry-after"]))
    }
    if case .code(let code) = cause {
      if code == .transactionIDNotFound || code == .originalTransactionIDNotFound { return .otherEnvironment }
      if code.isTemporary { return .retry }
    }
    return response.status >= 500 || response.status == 408 ? .retry : .final
  }

  private func alarm(_ response: HTTPResponse) -> ConfigurationAlarm {
    guard let theirs = response.headers["date"].flatMap(HTTPDate.instant) else { return .keyRefused }
    let (difference, hasOverflow) = now.microseconds.subtractingReportingOverflow(theirs.microseconds)
    let seconds = hasOverflow ? 0 : difference / 1_000_000
    return abs(seconds) > Self.skewSecondsMax ? .clockSkew(seconds: seconds) : .keyRefused
  }

  /// Returns the end of a 429 pause. The header is an instant in milliseconds, neither seconds nor a duration.
  ///
  /// - Source: App Store Server API, "Identifying rate limits".
  private func pauseEnd(_ header: String?) -> Timestamp {
    let longest = now.advanced(bySeconds: Self.pauseSecondsMax)
    // Smaller numbers would be before 2001, so they are not milliseconds since 1970.
    guard let header, let milliseconds = Int64(header), milliseconds > 1_000_000_000_000 else {
      // App Store Connect sends no header, or seconds as RFC 9110 defines.
      if call.endpoint == .reports, let span = header.flatMap(Int64.init), (1...Self.pauseSecondsMax).contains(span) {
        return now.advanced(bySeconds: span)
      }
      return now.advanced(bySeconds: Self.pauseSecondsDefault)
    }
    let shortest = now.advanced(bySeconds: Self.pauseSecondsMin)
    return min(longest, max(shortest, Timestamp(milliseconds: milliseconds)))
  }

  /// Returns the error code of a body; nil when the body is no such object.
  static func errorCode(_ body: [UInt8]) -> Int64? {
    (try? JSONObject(parsing: body[...]))?.integer("errorCode")
  }
}

/// Parses dates of HTTP header fields.
package enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`. Returns nil for anything else.
  ///
  /// - Source: RFC 9110, section 5.6.7 (IMF-fixdate).
  package static func instant(_ text: String) -> Timestamp? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", let month = months.firstIndex(of: String(words[2])) else { return nil }
    return Timestamp(rfc3339: "\(words[3])-\(month < 9 ? "0" : "")\(month + 1)-\(words[1])T\(words[4])Z")
  }
}
