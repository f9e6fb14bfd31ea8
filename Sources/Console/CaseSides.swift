internal import Domain
internal import JobCore
internal import Wording

/// The order and the charge of a case's leading break or signal, with their counterparts.
struct CaseSides {
  var order: ReportRecord?
  var otherOrder: ReportRecord?
  var charge: ReportRecord?
  var otherCharge: ReportRecord?

  var shown: [ReportRecord] { [order, otherOrder, charge, otherCharge].compactMap(\.self) }

  /// The rows are those of `counterparts.sql` and `sides.sql`; the lead is the case's leading break or signal.
  init(lead: ReportRecord, counterparts: ReportTable, rows: ReportTable) throws {
    let sides = try Dictionary(rows.records.map { try ("\($0.text("kind")) \($0.text("id"))", $0) }) { first, _ in first }
    func opposite(_ kind: String, of ids: [String], besides own: String) throws -> String {
      for id in ids where !id.isEmpty {
        for row in counterparts.records where try row.text("kind") == kind && row.text("of_id") == id && row.text("id") != own {
          return try row.text("id")
        }
      }
      return ""
    }
    var (orderID, chargeID) = try (lead.text("order_id"), lead.text("charge_id"))
    if chargeID.isEmpty { chargeID = try opposite("charge", of: [orderID], besides: "") }
    if orderID.isEmpty { orderID = try opposite("order", of: [chargeID], besides: "") }
    let holderID = try opposite("order", of: [orderID, chargeID], besides: orderID)
    order = sides["order \(orderID)"]
    otherOrder = sides["order \(holderID)"]
    charge = sides["charge \(chargeID)"]
    otherCharge = try sides["charge \(opposite("charge", of: [orderID], besides: chargeID))"]
  }

  func headline(_ lead: ReportRecord, subject: Phrase, candidateCount: Int, reader: Reader) throws -> HeadlineFacts {
    var facts = try HeadlineFacts(name: lead.text("name"), subject: subject)
    facts.amount = try lead.text("at_stake")
    facts.order = try order.map { try Self.facts($0, reader) }
    facts.otherOrder = try otherOrder.map { try Self.facts($0, reader) }
    facts.charge = try charge.map { try Self.facts($0, reader) }
    facts.otherCharge = try otherCharge.map { try Self.facts($0, reader) }
    facts.candidateCount = candidateCount
    return facts
  }

  private static func facts(_ side: ReportRecord, _ reader: Reader) throws -> HeadlineFacts.Side {
    var facts = try HeadlineFacts.Side(id: side.text("id"))
    facts.user = try side.text("user_id")
    facts.product = try side.text("product_id")
    facts.quantity = try side.text("quantity")
    facts.price = try side.text("price")
    facts.status = try side.text("status")
    facts.began = try Timestamp(rfc3339: side.text("began_at")).map { $0.microseconds / 1_000_000 }
    facts.isDelivered = try side.text("status") == "delivered" || !side.text("delivered_at").isEmpty
    facts.device = try side.text("device_id")
    facts.end = try Timestamp(rfc3339: side.text("ends_at")).map(reader.exact) ?? ""
    return facts
  }

  /// A compared column, and whether a difference in it is marked.
  private static let fields: [(column: String, isCompared: Bool)] = [
    ("user_id", true), ("product_id", true), ("quantity", true), ("price", true), ("status", false), ("began_at", false),
    ("paid_at", false), ("delivered_at", false), ("refunded_at", false), ("ends_at", false), ("device_id", true),
    ("bundle_id", true), ("environment", true), ("storefront", true), ("transaction_id", false), ("app_account_token", true),
  ]

  private static let labels: [String: Phrase] = ["began_at": "sides.began", "paid_at": "sides.paid"]
  /// Columns that Apple states for no charge, or only through a token.
  private static let ours: Set = ["user_id", "device_id"]

  func model(isLinked: Bool) throws -> [String: Any]? {
    let sides = shown
    guard !sides.isEmpty else { return nil }
    let heads = try sides.map { side -> [String: Any] in
      let id = try side.text("id")
      return try [
        "kind": Phrase.name("kind", side.text("kind")), "role": Self.role(of: side, in: self),
        "ids": [ShownID(text: id, target: isLinked ? "/search?q=\(PercentEncoding.of(id))" : nil)],
      ]
    }
    let rows = try Self.fields.compactMap { column, isCompared -> [String: Any]? in
      let texts = try sides.map { try $0.text(column) }
      let known = Set(texts.filter { !$0.isEmpty })
      guard !known.isEmpty else { return nil }
      let differs = isCompared && known.count > 1
      return [
        "label": Self.labels[column] ?? Phrase.name("column", column), "differs": differs,
        "cells": try zip(sides, texts).map { side, text -> [String: Any] in
          if text.isEmpty, Self.ours.contains(column), try side.text("kind") == "charge" {
            return ["text": "sides.unstated" as Phrase, "differs": false]
          }
          var cell: [String: Any] = ["text": Section.shown(text, column == "status" ? "status" : ""), "differs": differs && !text.isEmpty]
          if let moment = Moment(text, isExact: true) { cell["moment"] = moment }
          if ShownID.isLong(text) { cell["ids"] = [ShownID(text: text)] }
          return cell
        },
      ]
    }
    let title: Phrase = sides.count > 1 ? "sides.title" : "section.known"
    return ["title": title, "are_compared": sides.count > 1, "heads": heads, "rows": rows]
  }

  private static func role(of side: ReportRecord, in sides: CaseSides) throws -> Phrase {
    let id = try side.text("id")
    if try side.text("kind") == "order" {
      return try sides.otherOrder?.text("id") == id ? "sides.holder" : sides.otherOrder == nil ? "sides.ours" : "sides.claimant"
    }
    guard let other = sides.otherCharge else { return "sides.apples" }
    return try other.text("id") == id ? "sides.first_charge" : "sides.second_charge"
  }
}

extension CaseController {
  /// Returns the orders and charges of a case with their counterparts: the order that has a claimed charge, the charge of an order.
  func withCounterparts(_ ids: CaseIDs) async throws -> (ids: CaseIDs, counterparts: ReportTable) {
    guard !(ids.orders + ids.charges).isEmpty else { return (ids, ReportTable()) }
    var whole = ids
    var found = try await table(ConsoleSQL.counterparts, about: ids)
    let first = try whole.add(found)
    // A claimed charge of a counterpart leads to the order that it pays.
    if !first.orders.isEmpty || !first.charges.isEmpty {
      let second = try await table(ConsoleSQL.counterparts, about: first)
      _ = try whole.add(second)
      found.rows += second.rows
    }
    return (whole, found)
  }

  /// Returns the finding for the headline and the comparison: the first of the most severe, preferably one with an order and a charge.
  static func leadingItem(_ items: ReportTable) throws -> ReportRecord? {
    guard let first = items.records.first else { return nil }
    return try items.records.first { item in
      let isAsSevere = try ["status", "severity"].allSatisfy { try item.text($0) == first.text($0) }
      return try isAsSevere && !item.text("order_id").isEmpty && !item.text("charge_id").isEmpty
    } ?? first
  }

  static func details(_ items: ReportTable) throws -> [[String: Any]] {
    var names: Set<String> = []
    return try items.records.filter { try !$0.text("detail").isEmpty && names.insert($0.text("name")).inserted }.map { row in
      try ["name": row.text("name"), "words": items.phrase("detail", row.text("detail"))]
    }
  }

  /// Returns the distinct verdicts of evidence, each with its reason.
  static func verdicts(_ evidence: ReportTable) throws -> [[String: Any]] {
    let texts = try evidence.records.map { try [$0.text("verdict"), $0.text("reason")] }
    return Set(texts).sorted { $0.lexicographicallyPrecedes($1) }.map { text in
      let verdict: [String: Any] = ["verdict": Section.shown(text[0], "verdict")]
      return text[1].isEmpty ? verdict : verdict.merging(["reason": ["words": evidence.phrase("reason", text[1])]]) { $1 }
    }
  }
}

extension CaseController.CaseIDs {
  init(facts: ReportTable) throws {
    for fact in facts.records {
      if try fact.text("kind") == "order" { orders.append(try fact.text("id")) } else { charges.append(try fact.text("id")) }
    }
  }

  /// Adds the ids of counterparts, up to the limit of a card, and returns the new ones.
  mutating func add(_ counterparts: ReportTable) throws -> Self {
    var new = Self()
    for row in counterparts.records {
      guard orders.count + charges.count < ConsoleLimits.cardIDsMax else { break }
      let (id, list) = try (row.text("id"), row.text("kind") == "order" ? \Self.orders : \Self.charges)
      guard !self[keyPath: list].contains(id) else { continue }
      self[keyPath: list].append(id)
      new[keyPath: list].append(id)
    }
    return new
  }
}
