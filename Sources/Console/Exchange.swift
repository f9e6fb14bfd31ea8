internal import Cryptography
internal import Domain
internal import HTTPTypes
internal import Hummingbird
internal import JSON
internal import Web
internal import Wording

struct Exchange: Sendable {
  static let sessionCookie = "payrecon_session"
  static let loginCookie = "payrecon_login"
  static let doneCookie = "payrecon_done"
  static let wantedCookie = "payrecon_wanted"

  /// Pattern of the requested path.
  let path: String
  let isPost: Bool
  let query: Form
  let form: Form
  /// Session token from the browser or the program; empty for none.
  let token: String
  let loginToken: String
  /// Outcome of the previous action, from its cookie; empty for none.
  let done: String
  /// Requested path with its query.
  let place: String
  /// Page to open after the log-in; the queue by default.
  let wanted: String
  /// Supported language that the browser prefers; English for programs.
  let language: Language
  /// Address of the client, as far as known.
  let address: String
  /// Account that the proxy names; empty for none or several; nil if the request did not come from the proxy.
  let named: String?
  /// Value of `Sec-Fetch-Site`; empty if missing. The form token alone then protects the request.
  private let origin: String
  private let names: [String: String]

  /// - Throws: `ConsoleFault` for a request that is too large or wrongly encoded.
  init(_ request: Request, _ peer: PeerContext, _ path: String, _ settings: ConsoleSettings) async throws {
    self.path = path
    isPost = request.method == .post
    guard let query = Form(request.uri.query ?? "") else { throw ConsoleFault.invalid("fault.address") }
    self.query = query
    let isAPI = ConsoleServer.isAPI(path)
    names = ["id", "act", "hash", "name"].reduce(into: [:]) { names, name in
      names[name] = peer.parameters.get(name).flatMap { Form.decoded($0) }
    }
    // The API ignores cookies, so a page of another site cannot act through a logged-in browser.
    token = isAPI ? Self.bearer(request) : Self.session(of: request)
    loginToken = request.cookies[Self.loginCookie]?.value ?? ""
    done = request.cookies[Self.doneCookie]?.value ?? ""
    place = request.uri.path + (request.uri.query.map { "?\($0)" } ?? "")
    language = isAPI ? .english : Self.language(of: request)
    wanted = Self.wanted(request.cookies[Self.wantedCookie]?.value ?? "")
    address = Self.address(request, peer, settings)
    named = Self.proxyAccount(request, peer, settings)
    origin = HTTPField.Name("Sec-Fetch-Site").flatMap { request.headers[$0] } ?? ""
    form =
      path == ConsoleServer.uploadPath
      ? try await Self.upload(request) : isPost ? try await Self.form(request, isJSON: isAPI) : Form()
  }

  static func session(of request: Request) -> String { request.cookies[sessionCookie]?.value ?? "" }

  /// Returns the browser's preferred language; English if none is supported.
  static func language(of request: Request) -> Language {
    Language(accepted: request.headers[values: .acceptLanguage].joined(separator: ",")) ?? .english
  }

  /// Returns the page in a cookie if it belongs to this console; otherwise the queue.
  private static func wanted(_ text: String) -> String {
    guard let place = Form.decoded(text), isWanted(place) else { return "/queue" }
    return place
  }

  /// Whether the text is a path on this host that is safe in a header line.
  private static func isWanted(_ place: String) -> Bool {
    let second = place.dropFirst().first
    return place.hasPrefix("/") && second != "/" && second != "\\" && place.utf8.count <= ConsoleLimits.wantedCharactersMax
      && place.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
  }

  /// Whether the request follows a link from another site, so that the browser sent no cookie.
  var isFromElsewhere: Bool { origin == "cross-site" || origin == "same-site" }

  /// Whether the log-in may redirect to the requested page.
  var isWanted: Bool { !isPost && Self.isWanted(place) }

  /// Returns the bearer token of a program without its prefix; empty for none.
  static func bearer(_ request: Request) -> String {
    let words = (request.headers[.authorization] ?? "").split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bearer", words[1].hasPrefix(SessionToken.prefix) else { return "" }
    return String(words[1].dropFirst(SessionToken.prefix.count))
  }

  /// - Throws: `ConsoleFault` if the form does not come from a page of this session.
  func checkForm(_ csrf: String) throws {
    guard origin.isEmpty || origin == "same-origin" else { throw ConsoleFault(status: .forbidden, message: "fault.other_site") }
    guard isEqualInConstantTime(form["csrf"], csrf) else { throw ConsoleFault(status: .forbidden, message: "fault.old_form") }
  }

  subscript(_ name: String) -> String { names[name] ?? "" }

  /// Path for the audit chain. Ids and action names are kept; other parameters are replaced by their pattern.
  var subject: String {
    path.split(separator: "/").map { part in
      guard part.first == ":" else { return String(part) }
      let value = self[String(part.dropFirst())]
      let isShown = CaseController.isID(value) || CaseController.isID(value, digits: 64) || CaseController.CaseAct(rawValue: value) != nil
      return isShown ? value : String(part)
    }.reduce("") { "\($0)/\($1)" }
  }

  /// Returns the client's address. Behind a trusted proxy, it is the last entry of `X-Forwarded-For`.
  private static func address(_ request: Request, _ peer: PeerContext, _ settings: ConsoleSettings) -> String {
    guard peer.isByProxySocket || settings.proxies.contains(peer.address), let name = HTTPField.Name("X-Forwarded-For"),
      let last = request.headers[values: name].last?.split(separator: ",").last
    else { return peer.address }
    let seen = last.filter { $0 != " " }
    let isAddress = !seen.isEmpty && seen.utf8.count <= 45 && seen.allSatisfy { $0.isHexDigit || $0 == "." || $0 == ":" }
    return isAddress ? seen : peer.address
  }

  /// Returns the account that the proxy names. Over TCP, such a header is ignored.
  private static func proxyAccount(_ request: Request, _ peer: PeerContext, _ settings: ConsoleSettings) -> String? {
    guard peer.isByProxySocket else { return nil }
    let values = settings.identity.map { request.headers[values: $0.field] } ?? []
    return values.count == 1 ? values[0] : ""
  }

  private static func body(_ request: Request, bytesMax: Int) async throws -> [UInt8] {
    var body: [UInt8] = []
    do {
      for try await part in request.body {
        guard body.count + part.readableBytes <= bytesMax else {
          throw ConsoleFault(status: .contentTooLarge, message: "fault.form_size")
        }
        body += part.readableBytesView
      }
    } catch let fault as ConsoleFault {
      throw fault
    } catch {
      // The client was too slow or has disconnected.
      throw ConsoleFault(status: .requestTimeout, message: "fault.form_cut")
    }
    return body
  }

  private static func upload(_ request: Request) async throws -> Form {
    let body = try await body(request, bytesMax: ConsoleLimits.uploadBytesMax)
    guard let form = Form(multipart: body, type: request.headers[.contentType] ?? "") else {
      throw ConsoleFault.invalid("fault.form")
    }
    return form
  }

  private static func form(_ request: Request, isJSON: Bool) async throws -> Form {
    let body = try await body(request, bytesMax: ConsoleLimits.formBytesMax)
    if isJSON { return try object(body) }
    guard let text = String(validating: body, as: UTF8.self), let form = Form(text) else { throw ConsoleFault.invalid("fault.form") }
    return form
  }

  /// Reads the JSON object of strings that a program sends. An empty body is an empty form.
  private static func object(_ body: [UInt8]) throws -> Form {
    guard !body.isEmpty else { return Form() }
    guard let object = try? JSONObject(parsing: body[...]), let form = Form(object) else {
      throw ConsoleFault.invalid(Phrase("fault.body", ["names": .plain(Form.names.joined(separator: ", "))]))
    }
    return form
  }
}
