public import Domain
public import JSON

/// A text signed by Apple, unchanged and unverified. It is never printed.
public struct SignedText: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The compact JWS, for the evidence store.
  public let text: String

  public var description: String { "signed text of \(text.utf8.count) bytes" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A part of an answer that payrecon does not use or cannot read.
public struct UnreadValue: Sendable, CustomStringConvertible, CustomReflectable {
  /// Path such as `data[0].lastTransactions[1].status`.
  public let path: String
  /// The original value; nil when it is missing.
  public let value: JSONValue?

  /// Shows a description instead of long texts, which may be signed or name a customer.
  public var description: String {
    let shown =
      switch value {
      case nil: "missing"
      case .null?: "null"
      case .bool(let flag)?: flag ? "true" : "false"
      case .number(let digits)?: String(digits.prefix(Self.shownCharactersMax))
      case .string(let text)?:
        text.utf8.count > Self.shownCharactersMax ? "text of \(text.utf8.count) bytes" : "\"\(text)\""
      case .array?: "list"
      case .object?: "object"
      }
    return "\(path): \(shown)"
  }

  public var customMirror: Mirror { Mirror(self, children: []) }

  /// Shorter than a UUID, so that no UUID is shown.
  private static let shownCharactersMax = 32
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
  /// Members and words that Apple added later, and values of an undocumented shape.
  public let unread: [UnreadValue]
  /// Number of requests sent.
  public let attempts: Int

  public var description: String { "answer of \(endpoint.rawValue) (\(environment.rawValue)), \(body.count) bytes" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// No content: the HTTP status is the whole answer.
public struct NoContent: Sendable {}
