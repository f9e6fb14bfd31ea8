internal import Cryptography
internal import Domain
internal import HTTPTypes
internal import Hummingbird
internal import JSON
internal import NIOCore
internal import Web
internal import Wording

/// One request, read and checked for its form.
struct Exchange: Sendable {
  static let sessionCookie = "payrecon_session"
  static let loginCookie = "payrecon_login"
  static let doneCookie = "payrecon_done"
  static let wantedCookie = "payrecon_wanted"

  /// Pattern of the address that was asked for.
  let path: String
  let isPost: Bool
  let query: Form
  let form: Form
  /// What the browser shows for its session; empty for nothing.
  let token: String
  let loginToken: String
  /// What was just done, for the page after it; empty for nothing.
  let done: String
  /// What was asked for, with its query, as an address of this console.
  let place: String
  /// Page to go on to after the log-in; the queue for none.
  let wanted: String
  /// Of those that the browser asks for; English for programs.
  let language: Language
  /// Address of the browser, as far as it is known.
  let address: String
  /// Account that the proxy names; empty for none or several, nil for a request that is not the proxy's.
  let named: String?
  /// Where the browser says that it comes from; empty for one that does not say, which is held to the form's own token.
  private let origin: String
  private let names: [String: String]

  /// - Throws: `ConsoleFault` for what is too large or not well encoded.
  init(_ request: Request, _ peer: PeerContext, _ path: String, _ settings: ConsoleSettings) async throws {
    self.path = path
    isPost = request.method == .post
    guard let query = Form(request.uri.query ?? "") else {
      throw ConsoleFault(status: .badRequest, message: "fault.address")
    }
    self.query = query
    let isAPI = ConsoleServer.isAPI(path)
    names = ["id", "act", "hash", "name"].reduce(into: [:]) { names, name in
      names[name] = peer.parameters.get(name).flatMap { Form.decoded($0) }
    }
    // Cookies count for nothing there, so that no page of another site can act by a browser that is logged in.
    token = isAPI ? Self.bearer(request) : Self.session(of: request)
    loginToken = request.cookies[Self.loginCookie]?.value ?? ""
    done = request.cookies[Self.doneCookie]?.value ?? ""
    place = request.uri.path + (request.uri.query.map { "?\($0)" } ?? "")
    language = isAPI ? .english : Self.language(of: request)
    wanted = Self.wanted(request.cookies[Self.wantedCookie]?.value ?? "")
    address = Self.address(request, peer, settings)
    named = Self.named(request, peer, settings)
    origin = HTTPField.Name("Sec-Fetch-Site").flatMap { request.headers[$0] } ?? ""
    form =
      path == ConsoleServer.uploadPath
      ? try await Self.upload(request) : isPost ? try await Self.form(request, isJSON: isAPI) : Form()
  }

  /// What a browser shows for its session; empty for nothing.
  static func session(of request: Request) -> String { request.cookies[sessionCookie]?.value ?? "" }

  /// The language of pages for a browser whose account is not known or chose none.
  static func language(of request: Request) -> Language {
    Language(accepted: request.headers[values: .acceptLanguage].joined(separator: ",")) ?? .english
  }

  /// A page of this console, whatever a cookie says.
  private static func wanted(_ text: String) -> String {
    guard let place = Form.decoded(text), isWanted(place) else { return "/queue" }
    return place
  }

  /// Whether it is an address here: neither another host nor more than a line of a header.
  private static func isWanted(_ place: String) -> Bool {
    let second = place.dropFirst().first
    return place.hasPrefix("/") && second != "/" && second != "\\" && place.utf8.count <= ConsoleLimits.wantedCharactersMax
      && place.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
  }

  /// Whether a page of another site led here, so that the browser sent no cookie along.
  var isFromElsewhere: Bool { origin == "cross-site" || origin == "same-site" }

  /// Whether what was asked for can be gone on to after a log-in.
  var isWanted: Bool { !isPost && Self.isWanted(place) }

  /// The token that a program shows, without what it begins with; empty for none.
  static func bearer(_ request: Request) -> String {
    let words = (request.headers[.authorization] ?? "").split(separator: " ")
    guard words.count == 2, words[0].lowercased() == "bearer", words[1].hasPrefix(SessionToken.prefix) else { return "" }
    return String(words[1].dropFirst(SessionToken.prefix.count))
  }

  /// - Throws: `ConsoleFault` for a form that was not filled in on a page of the session.
  func checkForm(_ csrf: String) throws {
    guard origin.isEmpty || origin == "same-origin" else { throw ConsoleFault(status: .forbidden, message: "fault.other_site") }
    guard isEqualInConstantTime(form["csrf"], csrf) else {
      throw ConsoleFault(
        status: .forbidden, message: "fault.old_form")
    }
  }

  /// A part of the address; empty where there is none.
  subscript(_ name: String) -> String { names[name] ?? "" }

  /// What the audit chain calls it: ids of cases and hashes stand for themselves, all else for its pattern.
  var subject: String {
    path.split(separator: "/").map { part in
      guard part.first == ":" else { return String(part) }
      let value = self[String(part.dropFirst())]
      let isTold = Desk.isID(value) || Desk.isID(value, digits: 64) || Desk.CaseAct(rawValue: value) != nil
      return isTold ? value : String(part)
    }.reduce("") { "\($0)/\($1)" }
  }

  /// The address at the other end; behind a proxy that is named, the one that it saw, whatever else is forwarded.
  private static func address(_ request: Request, _ peer: PeerContext, _ settings: ConsoleSettings) -> String {
    guard peer.isByProxySocket || settings.proxies.contains(peer.address), let name = HTTPField.Name("X-Forwarded-For"),
      let last = request.headers[values: name].last?.split(separator: ",").last
    else { return peer.address }
    let seen = last.filter { $0 != " " }
    let isAddress = !seen.isEmpty && seen.utf8.count <= 45 && seen.allSatisfy { $0.isHexDigit || $0 == "." || $0 == ":" }
    return isAddress ? seen : peer.address
  }

  /// Over TCP nobody is believed who names an account.
  private static func named(_ request: Request, _ peer: PeerContext, _ settings: ConsoleSettings) -> String? {
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
      // Too slow, or gone: nobody is there any more to be answered.
      throw ConsoleFault(status: .requestTimeout, message: "fault.form_cut")
    }
    return body
  }

  /// A form with a file.
  private static func upload(_ request: Request) async throws -> Form {
    let body = try await body(request, bytesMax: ConsoleLimits.uploadBytesMax)
    guard let form = Form(multipart: body, type: request.headers[.contentType] ?? "") else {
      throw ConsoleFault(status: .badRequest, message: "fault.form")
    }
    return form
  }

  private static func form(_ request: Request, isJSON: Bool) async throws -> Form {
    let body = try await body(request, bytesMax: ConsoleLimits.formBytesMax)
    if isJSON { return try object(body) }
    guard let text = String(validating: body, as: UTF8.self), let form = Form(text) else {
      throw ConsoleFault(status: .badRequest, message: "fault.form")
    }
    return form
  }

  /// What a program sends: an object of texts, or nothing.
  private static func object(_ body: [UInt8]) throws -> Form {
    guard !body.isEmpty else { return Form() }
    guard let object = try? JSONObject(parsing: body[...]), let form = Form(object) else {
      throw ConsoleFault(
        status: .badRequest,
        message: Phrase("fault.body", ["names": .plain(Form.names.joined(separator: ", "))]))
    }
    return form
  }
}
