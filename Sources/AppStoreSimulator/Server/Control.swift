internal import Cryptography
internal import SimulatedSigning

/// Control requests for scripts: `POST /control/NAME` with JSON, and some GETs.
///
/// Every answer is JSON; a refusal is 400 with `error`. All bodies may have `environment`, `Production` or `Sandbox`. `transaction` is an
/// original transaction id in commands on subscriptions.
///
/// - `GET clock`, `counters`, `root`, `state`;
/// - `clock` {to | days | seconds}, `deliver`, `deliveries` {results}, `delivery-fault` {fault};
/// - `fault` {fault, endpoint, after, count, …}, `clear-faults`;
/// - `limit` {endpoint, calls}, `reset-counters`;
/// - `key` {id, issuer, pem}, `rotate` {seed, variant};
/// - `customer` {customer, storefront, cadence}, `populate` {purchases, customers, spacing};
/// - `purchase` {customer, product, quantity, appAccountToken, order, offer}, `finish` {transaction};
/// - `set-renewing` {transaction, on}, `set-billing` {transaction, fails}, `recover` {transaction};
/// - `change-plan` {transaction, product, offer}, `redeem` {transaction, offer};
/// - `request-refund` {transaction, reason}, `decline-refund`, `refund` {transaction, percentage, reason}, `reverse-refund`;
/// - `share` {transaction, customer}, `revoke-share` {transaction};
/// - `raise-price` {product, price, needsConsent}, `consent` {transaction}, `withdraw` {product};
/// - `receipt` {customer | transaction};
/// - `report` {vendor, report, period, text | refusal}: a report of App Store Connect, or the reason why there is none.
struct Control: Sendable {
  let simulator: AppStoreSimulator

  /// Maximum number of purchases in one `populate` command.
  private static let populateMax = 1_000_000

  func respond(to request: StoreRequest) async -> StoreResponse {
    let name = String(request.path.dropFirst("/control/".count))
    let body = request.body.isEmpty ? JSONValue.object([]) : JSONValue.parse(request.body)
    guard let body else { return refusal("cannot read the body of \"\(name)\": it is no JSON") }
    do {
      if request.method == "GET" { return .json(200, try read(name)) }
      if let done = try await general(name, body) { return .json(200, done) }
      let done = try change(name, Arguments(body))
      // The command may have moved the clock of one store: move the other too, and deliver due notifications.
      await simulator.advance(to: simulator.now)
      return .json(200, done)
    } catch {
      return refusal("\(error)")
    }
  }

  private func refusal(_ text: String) -> StoreResponse { .json(400, .members(("error", .text(text)))) }

  // MARK: Reading

  private func read(_ name: String) throws -> JSONValue {
    switch name {
    case "clock": return clock()
    case "counters":
      return .object(
        simulator.counters.sorted { $0.key < $1.key }
          .map { JSONValue.Member(name: $0.key, value: .integer(Int64($0.value))) })
    case "root": return .members(("der", .text(Base64.encodeStandard(simulator.rootDER))))
    case "state": return state()
    case _: throw StoreError("cannot read \"\(name)\": there is clock, counters, root and state")
    }
  }

  private func clock() -> JSONValue {
    let now = simulator.now
    return .members(("now", .text(now.text)), ("milliseconds", .moment(now)))
  }

  private func state() -> JSONValue {
    .object(
      StoreEnvironment.allCases.map { environment in
        let counts = simulator.change(environment) { store in
          JSONValue.members(
            ("customers", .integer(Int64(store.customers.count))),
            ("transactions", .integer(Int64(store.transactions.count))),
            ("subscriptions", .integer(Int64(store.subscriptions.count))),
            ("notifications", .integer(Int64(store.notifications.count))))
        }
        return JSONValue.Member(name: environment.rawValue, value: counts)
      })
  }

  // MARK: The simulator

  /// Executes a command on the simulator as a whole. Returns nil for another name.
  private func general(_ name: String, _ body: JSONValue) async throws -> JSONValue? {
    switch name {
    case "clock":
      await simulator.advance(to: try target(body))
      return clock()
    case "deliver": await simulator.deliver()
    case "fault": simulator.script(try FaultReader.fault(body))
    case "delivery-fault":
      guard let fault: DeliveryFault = try Arguments(body).choice("fault") else {
        throw StoreError("cannot script a fault of deliveries: \"fault\" is missing")
      }
      simulator.script(fault)
    case "clear-faults": simulator.clearFaults()
    case "reset-counters": simulator.resetCounters()
    case "rotate":
      let arguments = Arguments(body)
      let variant: SimulatedAuthority.Variant? = try arguments.choice("variant")
      simulator.rotateCertificates(seed: UInt64(clamping: try arguments.number("seed")), variant: variant ?? .genuine)
    case "key":
      let arguments = Arguments(body)
      let issuer = try arguments.text("issuer")
      guard let key = AppKey(id: arguments.optional("id"), issuer: issuer, pem: try arguments.text("pem"))
      else {
        throw StoreError("cannot take the key: its PEM holds no P-256 public key")
      }
      simulator.add(key)
    case "deliveries":
      simulator.scriptDeliveries((body["results"]?.array ?? []).compactMap(\.text), try Arguments(body).environment())
    case "report": try report(Arguments(body))
    case "limit":
      guard let endpoint: Endpoint = try Arguments(body).choice("endpoint") else {
        throw StoreError("cannot limit an endpoint: \"endpoint\" is missing")
      }
      simulator.limit(endpoint, to: try Arguments(body).optionalNumber("calls").map { Int($0) })
    case _: return nil
    }
    return .members(("done", true))
  }

  private func report(_ arguments: Arguments) throws {
    let vendor = try arguments.text("vendor")
    let key = ReportStore.Key(try arguments.text("report"), vendor: vendor, period: try arguments.text("period"))
    let refusal: ReportStore.Refusal? = try arguments.choice("refusal")
    let text = arguments.optional("text")
    simulator.changeReports { shelf in
      shelf.vendors.insert(vendor)
      shelf.refusals[key] = refusal
      if let text { shelf.reports[key] = text }
    }
  }

  /// Maximum of the clock: 2200-01-01.
  private static let clockMax: Int64 = 7_258_118_400_000

  private func target(_ body: JSONValue) throws -> Moment {
    let arguments = Arguments(body)
    let now = simulator.now
    var target: Moment?
    if let text = arguments.optional("to") {
      target = Moment(text)
    } else if let milliseconds = try arguments.optionalNumber("to", maximum: Self.clockMax) {
      target = Moment(milliseconds: milliseconds)
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

  // MARK: The stores

  private func change(_ name: String, _ arguments: Arguments) throws -> JSONValue {
    let environment = try arguments.environment()
    if name == "receipt" {
      if let transaction = arguments.optional("transaction") {
        return .members(("receipt", .text(simulator.transactionReceipt(of: transaction, environment))))
      }
      return .members(("receipt", .text(simulator.receipt(of: try arguments.text("customer"), environment))))
    }
    return try simulator.change(environment) { store in
      if let made = try create(name, arguments, &store) { return made }
      try act(name, arguments, &store)
      return .members(("done", true))
    }
  }

  /// Executes a command that creates an object. Returns nil for another name.
  private func create(_ name: String, _ arguments: Arguments, _ store: inout StoreState) throws -> JSONValue?
  {
    switch name {
    case "customer":
      let cadence: Cadence? = try arguments.choice("cadence")
      let made = try store.addCustomer(
        arguments.optional("customer"), storefront: arguments.optional("storefront") ?? "USA",
        cadence: cadence)
      return .members(("customer", .text(made)), ("appTransactionId", store.appTransactionID(of: made).map { .text($0) }))
    case "purchase":
      let terms = StoreState.Terms(
        quantity: Int(try arguments.optionalNumber("quantity") ?? 1),
        appAccountToken: arguments.optional("appAccountToken"), order: arguments.optional("order"),
        offer: try arguments.offer())
      let id = try store.buy(try arguments.text("product"), for: try arguments.text("customer"), terms)
      return answer(id, store)
    case "share":
      let id = try store.share(try arguments.text("transaction"), with: try arguments.text("customer"))
      return answer(id, store)
    case "populate":
      let count = Int(try arguments.number("purchases"))
      guard (0...Self.populateMax).contains(count) else {
        throw StoreError("cannot populate the store: \(count) purchases are out of range")
      }
      try store.populate(
        purchases: count, customers: Int(try arguments.optionalNumber("customers", maximum: 100_000) ?? 100),
        spacing: .milliseconds(Int(try arguments.optionalNumber("spacing", maximum: 86_400_000) ?? 1000)))
      return .members(("transactions", .integer(Int64(store.transactions.count))))
    case _: return nil
    }
  }

  private func answer(_ id: String, _ store: StoreState) -> JSONValue {
    let transaction = store.transactions[id]
    return .members(
      ("transactionId", .text(id)),
      ("originalTransactionId", transaction.map { .text($0.originalID) }),
      ("orderId", transaction?.orderID.map { .text($0) }),
      ("expiresDate", transaction?.expiresAt.map { .moment($0) }))
  }

  private func act(_ name: String, _ arguments: Arguments, _ store: inout StoreState) throws {
    let id = arguments.optional("transaction") ?? ""
    switch name {
    case "set-renewing": try store.setRenewing(id, try arguments.flag("on"))
    case "set-billing": try store.setBilling(id, fails: try arguments.flag("fails"))
    case "recover": try store.recover(id)
    case "change-plan": try store.changePlan(id, to: try arguments.text("product"), offer: try arguments.offer())
    case "redeem":
      guard let offer = try arguments.offer() else { throw StoreError("cannot redeem: \"offer\" is missing") }
      try store.redeem(offer, on: id)
    case "request-refund":
      let reason: StoreState.RefundReason? = try arguments.choice("reason")
      try store.requestRefund(of: id, reason: reason ?? .unintendedPurchase)
    case "decline-refund": try store.declineRefund(of: id)
    case "refund":
      try store.refund(
        id, percentage: try arguments.optionalNumber("percentage") ?? StoreState.fullPercentage,
        reason: Int(try arguments.optionalNumber("reason") ?? 0))
    case "reverse-refund": try store.reverseRefund(of: id)
    case "revoke-share": try store.revokeShare(id)
    case "finish": try store.finish(id)
    case "raise-price":
      try store.raisePrice(
        of: try arguments.text("product"), to: try arguments.number("price"),
        needsConsent: try arguments.flag("needsConsent"))
    case "consent": try store.consentToPrice(id)
    case "withdraw": try store.withdraw(try arguments.text("product"))
    case _: throw StoreError("cannot do \"\(name)\": there is no such command")
    }
  }
}
