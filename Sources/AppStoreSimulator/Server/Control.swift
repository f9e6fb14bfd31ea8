internal import Cryptography

/// Control requests for scripts: `POST /control/NAME` with JSON, and two GETs.
///
/// Every answer is JSON; a refusal is 400 with `error`. All bodies may have `environment`, `Production` or `Sandbox`. `transaction` is an
/// original transaction id in commands on subscriptions.
///
/// - `GET clock`, `root`;
/// - `clock` {to | days | seconds}, `deliveries` {results}, `key` {id, issuer, pem}, `limit` {endpoint, calls};
/// - `fault` {fault, endpoint, after, count, …};
/// - `customer` {customer, storefront}, `populate` {purchases, customers, spacing}, `receipt` {customer};
/// - `purchase` {customer, product, quantity, appAccountToken, order}, `request-refund` {transaction}, `refund` {transaction};
/// - `set-renewing` {transaction, on}, `set-billing` {transaction, fails}, `recover` {transaction}, `change-plan` {transaction, product}.
struct Control: Sendable {
  let simulator: AppStoreSimulator

  /// Maximum number of purchases in one `populate` command.
  private static let populateMax = 1_000_000
  private static let done = JSONValue.members(("done", true))

  func respond(to request: StoreRequest) async -> StoreResponse {
    let name = String(request.path.dropFirst("/control/".count))
    let body = request.body.isEmpty ? JSONValue.object([]) : JSONValue.parse(request.body)
    guard let body else { return refusal("cannot read the body of \"\(name)\": it is no JSON") }
    do {
      if request.method == "GET" { return .json(200, try read(name)) }
      return .json(200, try await execute(name, Arguments(body)))
    } catch {
      return refusal("\(error)")
    }
  }

  private func refusal(_ text: String) -> StoreResponse { .json(400, .members(("error", .text(text)))) }

  private func read(_ name: String) throws -> JSONValue {
    switch name {
    case "clock": return clock()
    case "root": return .members(("der", .text(Base64.encodeStandard(simulator.rootDER))))
    case _: throw StoreError("cannot read \"\(name)\": there is clock and root")
    }
  }

  private func clock() -> JSONValue {
    let now = simulator.now
    return .members(("now", .text(now.text)), ("milliseconds", .moment(now)))
  }

  /// Executes a command on the simulator as a whole, or on one of its stores.
  private func execute(_ name: String, _ arguments: Arguments) async throws -> JSONValue {
    let environment = try arguments.environment()
    switch name {
    case "clock":
      await simulator.advance(to: try target(arguments))
      return clock()
    case "fault": simulator.script(try FaultReader.fault(arguments))
    case "key":
      guard let key = AppKey(id: arguments.optional("id"), issuer: try arguments.text("issuer"), pem: try arguments.text("pem")) else {
        throw StoreError("cannot take the key: its PEM holds no P-256 public key")
      }
      simulator.add(key)
    case "deliveries": simulator.scriptDeliveries(arguments.texts("results"), environment)
    case "limit":
      guard let endpoint: Endpoint = try arguments.choice("endpoint") else {
        throw StoreError("cannot limit an endpoint: \"endpoint\" is missing")
      }
      simulator.limit(endpoint, to: try arguments.optionalNumber("calls").map { Int($0) })
    case "receipt": return .members(("receipt", .text(simulator.receipt(of: try arguments.text("customer"), environment))))
    case _:
      let answer = try simulator.change(environment) { try change(name, arguments, &$0) }
      // The command may have moved the clock of one store: move the other too, and deliver due notifications.
      await simulator.advance(to: simulator.now)
      return answer
    }
    return Self.done
  }

  /// Maximum of the clock: 2200-01-01.
  private static let clockMax: Int64 = 7_258_118_400_000

  private func target(_ arguments: Arguments) throws -> Moment {
    let now = simulator.now
    var target: Moment?
    if let text = arguments.optional("to") {
      target = Moment(text)
    } else if let days = try arguments.optionalNumber("days") {
      target = now + .days(Int(days))
    } else if let seconds = try arguments.optionalNumber("seconds") {
      target = now + .seconds(Int(seconds))
    }
    guard let target, (0...Self.clockMax).contains(target.milliseconds) else {
      throw StoreError("cannot advance the clock: give \"to\", \"days\" or \"seconds\", up to the year 2200")
    }
    return target
  }

  private func change(_ name: String, _ arguments: Arguments, _ store: inout StoreState) throws -> JSONValue {
    let id = arguments.optional("transaction") ?? ""
    switch name {
    case "customer":
      let made = try store.addCustomer(arguments.optional("customer"), storefront: arguments.optional("storefront") ?? "USA")
      return .members(("customer", .text(made)))
    case "purchase":
      let terms = StoreState.Terms(
        quantity: Int(try arguments.optionalNumber("quantity") ?? 1), appAccountToken: arguments.optional("appAccountToken"),
        order: arguments.optional("order"))
      return answer(try store.buy(try arguments.text("product"), for: try arguments.text("customer"), terms), store)
    case "populate":
      let count = Int(try arguments.number("purchases"))
      guard (0...Self.populateMax).contains(count) else {
        throw StoreError("cannot populate the store: \(count) purchases are out of range")
      }
      try store.populate(
        purchases: count, customers: Int(try arguments.optionalNumber("customers", maximum: 100_000) ?? 100),
        spacing: .milliseconds(Int(try arguments.optionalNumber("spacing", maximum: 86_400_000) ?? 1000)))
    case "request-refund": try store.requestRefund(of: id)
    case "refund": try store.refund(id)
    case "set-renewing": try store.setRenewing(id, try arguments.flag("on"))
    case "set-billing": try store.setBilling(id, fails: try arguments.flag("fails"))
    case "recover": try store.recover(id)
    case "change-plan": try store.changePlan(id, to: try arguments.text("product"))
    case _: throw StoreError("cannot do \"\(name)\": there is no such command")
    }
    return Self.done
  }

  private func answer(_ id: String, _ store: StoreState) -> JSONValue {
    let transaction = store.transactions[id]
    return .members(
      ("transactionId", .text(id)),
      ("originalTransactionId", transaction.map { .text($0.originalID) }),
      ("orderId", transaction.map { .text($0.orderID) }),
      ("expiresDate", transaction?.expiresAt.map { .moment($0) }))
  }
}
