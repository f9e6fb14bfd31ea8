internal import Hummingbird
internal import Web

/// Refuses requests with an unsupported method and names the supported ones.
struct MethodGate: RouterMiddleware {
  typealias Context = PeerContext

  private let methods: [[Substring]: [HTTPRequest.Method]]
  private let refusal: @Sendable (_ request: Request, _ path: String, _ allowed: String?) -> Response

  init(
    pages: [String], forms: [String], refusal: @escaping @Sendable (_ request: Request, _ path: String, _ allowed: String?) -> Response
  ) {
    let pairs = pages.map { ($0, HTTPRequest.Method.get) } + forms.map { ($0, .post) }
    methods = pairs.reduce(into: [:]) { $0[$1.0.split(separator: "/"), default: []].append($1.1) }
    self.refusal = refusal
  }

  @concurrent func handle(
    _ request: Request, context: PeerContext, next: @concurrent (Request, PeerContext) async throws -> Response
  ) async throws -> Response {
    let parts = request.uri.path.split(separator: "/")
    // The pattern with the most literal parts wins, because the router does not report its own choice.
    let fitting = methods.filter { Self.fits($0.key, parts) }
    let best = fitting.max { one, other in one.key.count { $0.first != ":" } < other.key.count { $0.first != ":" } }
    guard let best else { return refusal(request, ConsoleServer.isAPI(request.uri.path) ? "/api/*" : "/*", nil) }
    guard !best.value.contains(request.method) else { return try await next(request, context) }
    let path = best.key.map { "/\($0)" }.joined()
    return refusal(request, path, best.value.map(\.rawValue).sorted().joined(separator: ", "))
  }

  private static func fits(_ pattern: [Substring], _ parts: [Substring]) -> Bool {
    pattern.count == parts.count && zip(pattern, parts).allSatisfy { $0.first == ":" || $0 == $1 }
  }
}
