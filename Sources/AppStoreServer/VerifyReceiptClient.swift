public import AppStore
internal import Cryptography
public import Domain
public import HTTP
internal import JSON

/// A usable verifyReceipt answer about one receipt.
public struct VerifyReceiptReply: Sendable {
  public var answer: VerifyReceiptAnswer
  /// The original bytes of the answer, stored as evidence.
  public var body: [UInt8]
  /// The App Store that the answer names for the purchases; nil when it names none, or Xcode.
  public var environment: AppStoreEnvironment?
  /// Number of requests sent to both stores together.
  public var attempts: Int
  /// Whether the first store said that the receipt is of production, which means that the addresses are wrong.
  public var isMisrouted: Bool
}

/// Queries verifyReceipt, for apps that still use StoreKit 1.
///
/// - Source: Apple, App Store Receipts, verifyReceipt; TN3122.
public final class VerifyReceiptClient: Sendable {
  /// Maximum number of requests for a receipt that a store cannot read; the problem may be temporary or permanent.
  public static let briefAttemptsMax = 2
  /// Maximum length of a receipt's text in bytes.
  public static let receiptBytesMax = 48 << 20
  /// The usual limits, extended for the answers of long-standing subscribers.
  public static var limitsDefault: APILimits {
    var limits = APILimits()
    limits.bodyBytesMax = 16 << 20
    return limits
  }

  private let http: HTTPClient
  private let addresses: APIAddresses
  private let sharedSecret: SharedSecret
  private let limits: APILimits
  private let clock: ServerClock
  private let backoff: Backoff

  /// - Parameter http: a client that refuses plain HTTP to other machines.
  public init(
    http: HTTPClient, addresses: APIAddresses = APIAddresses(), sharedSecret: SharedSecret,
    limits: APILimits = VerifyReceiptClient.limitsDefault, clock: ServerClock = .system
  ) {
    self.http = http
    self.addresses = addresses
    self.sharedSecret = sharedSecret
    self.limits = limits
    self.clock = clock
    backoff = Backoff(first: limits.firstPause)
  }

  /// Verifies one receipt: with production, then with the sandbox if production refers to it.
  ///
  /// - Parameter receipt: the stored receipt: base64 text, or the binary bytes.
  /// - Throws: `VerifyReceiptFault` after the attempts that its class allows.
  public func verify(_ receipt: [UInt8]) async throws(VerifyReceiptFault) -> VerifyReceiptReply {
    let text = ReceiptData.text(receipt)
    guard !text.isEmpty, text.utf8.count <= Self.receiptBytesMax else {
      throw VerifyReceiptFault(.production, .unreadable("it has no text, or too much of it"), retry: .rejected)
    }
    let body = requestBody(text)
    let deadline = clock.now().advanced(byMicroseconds: limits.totalDeadline.microseconds)
    var store = APIEnvironment.production
    var asked: Set<APIEnvironment> = []
    var attempts = 0
    var attemptsHere = 0
    var isMisrouted = false
    while true {
      do throws(VerifyReceiptFault) {
        asked.insert(store)
        attempts += 1
        attemptsHere += 1
        let response = try await post(body, to: store, deadline: deadline)
        guard let answer = VerifyReceiptAnswer(response.body) else {
          let reason =
            response.isPage ? HTTPResponse.pageReason : "its answer of \(response.body.count) bytes is no JSON object with a status"
          throw VerifyReceiptFault(store, .unreadable(reason), retry: .later)
        }
        if let other = try next(after: answer, from: store, asked: asked) {
          // Production was queried first, so only swapped addresses cause this status.
          isMisrouted = isMisrouted || answer.status == .productionReceipt
          store = other
          attemptsHere = 0
          continue
        }
        return VerifyReceiptReply(
          answer: answer, body: response.body,
          environment: answer.environment.flatMap(AppStoreEnvironment.init(rawValue:)),
          attempts: attempts, isMisrouted: isMisrouted)
      } catch {
        var fault = error
        fault.attempts = attempts
        try await wait(after: fault, attempts: attemptsHere, deadline: deadline)
      }
    }
  }

  private func requestBody(_ receipt: String) -> [UInt8] {
    JSONText.bytes(
      JSONObject(members: [
        ("receipt-data", .string(receipt)), ("password", .string(sharedSecret.secretText)),
        ("exclude-old-transactions", .bool(false)),
      ]))
  }

  private func post(_ body: [UInt8], to store: APIEnvironment, deadline: Timestamp) async throws(VerifyReceiptFault) -> HTTPResponse {
    let left = Duration.microseconds(deadline.microseconds - clock.now().microseconds)
    guard left > .zero else { throw VerifyReceiptFault(store, .deadline, retry: .later) }
    let request = HTTPRequest(
      .post, addresses.base(.verifyReceipt, store) + "/verifyReceipt",
      headers: [(name: "Content-Type", value: "application/json"), (name: "Accept", value: "application/json")],
      body: body, deadline: min(left, limits.requestDeadline), connectTimeout: min(left, limits.connectTimeout),
      bodyLimit: limits.bodyBytesMax)
    let response: HTTPResponse
    do { response = try await http.send(request) } catch {
      throw VerifyReceiptFault(store, transport: error as? HTTPError ?? .cancelled)
    }
    if (200..<300).contains(response.status) { return response }
    // An HTTP status says nothing about the receipt.
    let isTemporary = response.status >= 500 || response.status == 408 || response.status == 429
    throw VerifyReceiptFault(store, .http(response.status), retry: isTemporary ? .later : .review)
  }

  /// Returns the store to query next; nil when the answer can be used.
  private func next(
    after answer: VerifyReceiptAnswer, from store: APIEnvironment, asked: Set<APIEnvironment>
  ) throws(VerifyReceiptFault) -> APIEnvironment? {
    let other: APIEnvironment
    switch answer.status.action(isRetryable: answer.isRetryable) {
    case .use: return nil
    case .askSandbox, .askProduction:
      // A proxy has already queried the other store: the body names the environment of the purchases.
      if answer.environment != nil, answer.bundleID != nil || answer.hasRows { return nil }
      other = store.other
    case .fail(let retry): throw VerifyReceiptFault(store, .status(answer.status), retry: retry)
    }
    guard !asked.contains(other) else { throw VerifyReceiptFault(store, .sentBackAndForth, retry: .briefly) }
    return other
  }

  /// Waits until the store may be queried again. Throws the fault when it may not.
  private func wait(after fault: VerifyReceiptFault, attempts: Int, deadline: Timestamp) async throws(VerifyReceiptFault) {
    let attemptsMax =
      switch fault.retry {
      case .later: limits.attemptsMax
      case .briefly: min(Self.briefAttemptsMax, limits.attemptsMax)
      case .rejected, .review, .configurationAlarm: 0
      }
    guard attempts < attemptsMax, fault.cause != .sentBackAndForth, fault.cause != .deadline,
      fault.cause != .cancelled
    else { throw fault }
    let pause = backoff.pause(after: attempts)
    guard clock.now().advanced(byMicroseconds: pause) < deadline else { throw fault }
    do { try await clock.sleep(.microseconds(pause)) } catch {
      throw VerifyReceiptFault(fault.store, .cancelled, retry: .later)
    }
  }
}

/// Formats a receipt for a request to verifyReceipt.
enum ReceiptData {
  /// Returns base64 without spaces; base64 text is kept, and anything else is encoded.
  ///
  /// - Source: RFC 4648, section 4.
  static func text(_ receipt: [UInt8]) -> String {
    let plain = receipt.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    let isText = plain.allSatisfy { Base64.isLetter($0) || $0 == UInt8(ascii: "=") }
    return isText ? String(decoding: plain, as: UTF8.self) : Base64.encodeStandard(receipt)
  }
}
