public import Domain

/// A text signed by Apple, unchanged and unverified. It is never printed.
public struct SignedText: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The compact JWS, for the evidence store.
  public let text: String

  public var description: String { "signed text of \(text.utf8.count) bytes" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// An answer of Apple's: the decoded content and the original bytes.
public struct APIAnswer<Content: Sendable>: Sendable, CustomStringConvertible, CustomReflectable {
  public let content: Content
  public let endpoint: APIEndpoint
  public let environment: APIEnvironment
  public let status: Int
  /// The body, byte for byte.
  public let body: [UInt8]
  public let receivedAt: Timestamp
  /// Number of requests sent.
  public let attempts: Int

  public var description: String { "answer of \(endpoint.rawValue) (\(environment.rawValue)), \(body.count) bytes" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// No content: the HTTP status is the whole answer.
public struct NoContent: Sendable {}
