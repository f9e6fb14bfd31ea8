internal import HTTPTypes
internal import JSON
internal import JobCore
internal import Wording

extension CaseController {
  /// Returns the documentation of the API: every operation of the OpenAPI file with its parameters, answers and an example.
  func apiPage() throws -> Page {
    var page = Page(title: "api.title", visit: visit, subtitle: "api.subtitle")
    page.fields["api"] = try APIReference.model()
    return page
  }
}

/// The OpenAPI file, as text and as a page. The page is made from the file, so the two cannot differ.
struct APIReference {
  /// The file with every reference to a parameter or an answer replaced by its target; references to schemas stay. nil if the embedded
  /// file is no JSON.
  static let file: JSONObject? = {
    guard let file = try? JSONObject(parsing: PackageResources.openapi_json[...]) else { return nil }
    return expanded(.object(file), file["components"]?.object).object
  }()

  private static func expanded(_ value: JSONValue, _ components: JSONObject?) -> JSONValue {
    if let list = value.array { return .array(JSONArray(list.map { expanded($0, components) })) }
    guard let object = value.object else { return value }
    let path = object["$ref"]?.text?.split(separator: "/").map(String.init) ?? []
    if path.count == 4, path[2] != "schemas", let target = components?[path[2]]?.object?[path[3]] { return target }
    return .object(JSONObject(members: object.members.map { ($0.name, expanded($0.value, components)) }))
  }

  private let schemas: JSONObject?

  private static let depthMax = 5

  /// - Throws: `ConsoleFault` if the embedded file is no JSON.
  static func model() throws -> [String: Any] {
    guard let file, let paths = file["paths"]?.members else {
      throw ConsoleFault(status: .internalServerError, message: "fault.page", cause: "the OpenAPI file is no JSON object")
    }
    let reference = APIReference(schemas: file["components"]?.object?["schemas"]?.object)
    let operations = paths.flatMap { path, methods in
      methods.members.map { method, operation in reference.operation(method, path, operation.object) }
    }
    return ["description": file["info"]?.object?["description"]?.text ?? "", "operations": operations]
  }

  private func operation(_ method: String, _ path: String, _ operation: JSONObject?) -> [String: Any] {
    let parameters = (operation?["parameters"]?.list ?? []).compactMap(\.object)
    let body = operation?["requestBody"]?.object.flatMap(schema)
    let answers = (operation?["responses"]?.members ?? []).map { status, answer in
      ["status": status, "description": answer.object?["description"]?.text ?? ""]
    }
    let good = operation?["responses"]?.members.first { $0.name.hasPrefix("2") }?.value.object.flatMap(schema)
    var model: [String: Any] = [
      "id": operation?["operationId"]?.text ?? path, "method": method.uppercased(), "path": path,
      "summary": operation?["summary"]?.text ?? "", "answers": answers, "request": request(method, path, parameters, body),
    ]
    let fields = parameters.map { field($0["name"]?.text ?? "", $0["schema"], of: $0, isRequired: $0["required"]?.flag == true) }
    if !fields.isEmpty { model["parameters"] = ["rows": fields] }
    if let body, let members = resolved(body)?["properties"]?.members {
      let required = required(body)
      model["body"] = ["rows": members.map { field($0.name, $0.value, of: $0.value.object, isRequired: required.contains($0.name)) }]
    }
    if let good { model["answer"] = Self.indented(example(good)) }
    return model
  }

  /// Returns the schema of a request or an answer; nil if it is no JSON.
  private func schema(_ part: JSONObject) -> JSONValue? { part["content"]?.object?["application/json"]?.object?["schema"] }

  private func required(_ schema: JSONValue) -> [String] { (resolved(schema)?["required"]?.list ?? []).compactMap(\.text) }

  private func field(_ name: String, _ schema: JSONValue?, of part: JSONObject?, isRequired: Bool) -> [String: Any] {
    let place = part?["in"]?.text ?? ""
    var model: [String: Any] = [
      "name": name, "type": type(schema), "description": part?["description"]?.text ?? "", "is_required": isRequired,
    ]
    if !place.isEmpty { model["place"] = place }
    return model
  }

  /// Describes the allowed values: `string, at most 200 characters`, `integer 0…36500` or the list of values.
  private func type(_ schema: JSONValue?) -> String {
    guard let schema = schema.flatMap(resolved) else { return "" }
    if let values = schema["enum"]?.list { return values.compactMap(\.text).joined(separator: " | ") }
    let names = schema["type"].map { $0.text.map { [$0] } ?? $0.list.compactMap(\.text) } ?? []
    let span = [schema["minimum"]?.digits, schema["maximum"]?.digits].compactMap(\.self).joined(separator: "…")
    let parts = [
      names.joined(separator: " | "), span, schema["maxLength"]?.digits.map { "≤ \($0)" } ?? "", schema["format"]?.text ?? "",
    ]
    return parts.filter { !$0.isEmpty }.joined(separator: " ")
  }

  private func resolved(_ schema: JSONValue) -> JSONObject? {
    guard let object = schema.object else { return nil }
    guard let name = object["$ref"]?.text?.split(separator: "/").last else { return object }
    return schemas?[String(name)]?.object
  }

  // MARK: Examples

  private func request(_ method: String, _ path: String, _ parameters: [JSONObject], _ body: JSONValue?) -> String {
    let address = parameters.filter { $0["in"]?.text == "path" }.reduce(path) { path, parameter in
      let name = parameter["name"]?.text ?? ""
      return path.replacing("{\(name)}", with: parameter["schema"].map(example)?.text ?? name)
    }
    var lines = ["curl -H \"Authorization: Bearer $TOKEN\""]
    if method != "get" { lines.append("-X \(method.uppercased())") }
    if let body, let members = resolved(body)?["properties"]?.members {
      let required = required(body)
      let own = members.filter { required.contains($0.name) }
      let shown = (own.isEmpty ? Array(members.prefix(1)) : own).map { (name: $0.name, value: example($0.value)) }
      let text = String(decoding: JSONText.bytes(JSONObject(members: shown)), as: UTF8.self)
      lines.append("-H 'Content-Type: application/json' -d '\(text)'")
    }
    return (lines + ["\"$PAYRECON_CONSOLE\(address)\""]).joined(separator: " \\\n  ")
  }

  private func example(_ schema: JSONValue) -> JSONValue { example(schema, depth: 0) }

  private func example(_ schema: JSONValue, depth: Int) -> JSONValue {
    guard depth < Self.depthMax, let schema = resolved(schema) else { return .null }
    if let first = schema["enum"]?.list.first { return first }
    switch schema["type"]?.text ?? schema["type"]?.list.first?.text {
    case "object":
      return .object(JSONObject(members: (schema["properties"]?.members ?? []).map { ($0.name, example($0.value, depth: depth + 1)) }))
    case "array": return .array(JSONArray(schema["items"].map { [example($0, depth: depth + 1)] } ?? []))
    case "integer", "number": return .number(schema["minimum"]?.digits ?? "1")
    case "boolean": return .bool(true)
    default:
      if schema["format"]?.text == "date-time" { return .string("2026-11-02T09:30:00Z") }
      let length = schema["pattern"]?.text?.firstMatch(of: /^\^\[0-9a-f\]\{(\d+)\}\$$/).flatMap { Int($0.output.1) }
      return .string(length.map { String(repeating: "0", count: $0) } ?? "…")
    }
  }

  private static func indented(_ value: JSONValue, _ indent: String = "") -> String {
    let inner = indent + "  "
    switch value {
    case .null: return "null"
    case .bool(let flag): return flag ? "true" : "false"
    case .number(let digits): return digits
    case .string(let text): return ReportText.quoted(text)
    case .array(let list):
      let lines = list.map { inner + indented($0, inner) }
      return lines.isEmpty ? "[]" : "[\n\(lines.joined(separator: ",\n"))\n\(indent)]"
    case .object(let object):
      let lines = object.members.map { "\(inner)\(ReportText.quoted($0.name)): \(indented($0.value, inner))" }
      return lines.isEmpty ? "{}" : "{\n\(lines.joined(separator: ",\n"))\n\(indent)}"
    }
  }
}

extension JSONValue {
  /// The value as one type; nil or empty for any other.
  fileprivate var object: JSONObject? { if case .object(let object) = self { object } else { nil } }
  fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
  fileprivate var digits: String? { if case .number(let digits) = self { digits } else { nil } }
  fileprivate var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }
  fileprivate var array: JSONArray? { if case .array(let list) = self { list } else { nil } }
  fileprivate var list: [JSONValue] { array.map { Array($0) } ?? [] }
  fileprivate var members: [JSONObject.Member] { object.map { Array($0.members) } ?? [] }
}
