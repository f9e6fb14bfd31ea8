/// The members of a control request.
struct Arguments: Sendable {
  private let body: JSONValue

  init(_ body: JSONValue) { self.body = body }

  /// Returns the body's environment; Production by default.
  func environment() throws -> StoreEnvironment { try choice("environment") ?? .production }

  /// Returns one of the choices; nil when the member is missing.
  func choice<Choice: RawRepresentable & CaseIterable>(_ name: String) throws -> Choice?
  where Choice.RawValue == String {
    guard let word = optional(name) else { return nil }
    guard let choice = Choice(rawValue: word) else {
      let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw StoreError("cannot do it: \"\(name)\" is \"\(word)\", which is none of \(words)")
    }
    return choice
  }

  func optional(_ name: String) -> String? { body[name]?.text }

  func texts(_ name: String) -> [String] { (body[name]?.array ?? []).compactMap(\.text) }

  /// Maximum of a number, so that sums and products fit in 64 bits.
  static let numberMax: Int64 = 1_000_000_000

  /// Returns a whole number of 0 or more; nil when it is missing.
  func optionalNumber(_ name: String, maximum: Int64 = numberMax) throws -> Int64? {
    guard let value = body[name], value != .null else { return nil }
    guard let number = value.integer, (0...maximum).contains(number) else {
      throw StoreError("cannot do it: \"\(name)\" is no whole number of 0 to \(maximum)")
    }
    return number
  }

  func text(_ name: String) throws -> String {
    guard let text = optional(name) else { throw StoreError("cannot do it: text \"\(name)\" is missing") }
    return text
  }

  func number(_ name: String) throws -> Int64 {
    guard let number = try optionalNumber(name) else { throw StoreError("cannot do it: number \"\(name)\" is missing") }
    return number
  }

  func flag(_ name: String) throws -> Bool {
    guard let flag = body[name]?.bool else { throw StoreError("cannot do it: flag \"\(name)\" is missing") }
    return flag
  }
}

/// Reads a fault: `{"fault":"status","status":503,"endpoint":"history","after":2,"count":1}`.
enum FaultReader {
  static func fault(_ arguments: Arguments) throws -> Fault {
    let endpoint: Endpoint? = try arguments.choice("endpoint")
    let environment: StoreEnvironment? = try arguments.choice("environment")
    return Fault(
      try kind(arguments), endpoint: endpoint, environment: environment,
      after: Int(try arguments.optionalNumber("after") ?? 0),
      count: Int(try arguments.optionalNumber("count") ?? 1))
  }

  private static func kind(_ arguments: Arguments) throws -> Fault.Kind {
    func number(_ name: String, _ usual: Int) throws -> Int { Int(try arguments.optionalNumber(name) ?? Int64(usual)) }
    let name = try arguments.text("fault")
    switch name {
    case "rateLimited": return .rateLimited(milliseconds: try number("milliseconds", 1000))
    case "status": return .status(min(599, max(200, try number("status", 503))))
    case "unauthenticated": return .unauthenticated
    case "cutConnection": return .cutConnection(after: try number("after_bytes", 100))
    case "unrecognizedValues": return .unrecognizedValues
    case _: throw StoreError("cannot script fault \"\(name)\": there is no such fault")
    }
  }
}
