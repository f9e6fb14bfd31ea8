internal import Domain
internal import Ladder
internal import Wording

/// Texts for the findings of rungs about an order, a charge, or both.
struct FindingText {
  let facts: ComponentFacts
  let trace: Trace
  /// Numbers of the order and the charge in the component; nil for the side that the findings do not concern.
  var orderNumber: Int?
  var chargeNumber: Int?
  var evidence = CarriedEvidence()

  /// The findings in the order of the rungs.
  var findings: [RungFinding] {
    switch (orderNumber, chargeNumber) {
    case (let order?, let charge?): trace.findings(order: order, charge: charge)
    case (let order?, nil): trace.findings(order: order)
    case (nil, let charge?): trace.findings(charge: charge)
    case (nil, nil): []
    }
  }

  func text(_ finding: Finding, on rung: Rung) -> Phrase {
    switch finding {
    case .name(let finding): text(finding, on: rung)
    case .token(let finding): text(finding)
    case .period(let finding): text(finding)
    case .candidate(let finding): text(finding)
    }
  }

  private func text(_ finding: NameFinding, on rung: Rung) -> Phrase {
    switch finding {
    case .named(let naming, let barrier): but(shown(naming), barrier)
    case .listed(let barrier):
      Phrase("explain.lists_beside", ["what": listing, "why": barrier.map(words) ?? "explain.other_nearer"])
    case .noTransaction: "explain.no_names"
    case .otherTransaction: Phrase("explain.transaction_other", ["id": transaction])
    case .unknownTransaction: Phrase("explain.transaction_unstated", ["id": transaction])
    case .createdForLaterPeriod: Phrase("explain.names_first", ["id": transaction])
    case .noPurchase: "explain.no_line_names"
    case .otherLineItem: Phrase("explain.line_item_other", ["id": lineItem])
    case .otherOriginal: Phrase("explain.original_other", ["id": original])
    case .unknownLineItem: Phrase("explain.line_item_unstated", ["id": lineItem])
    case .unknownOriginal: Phrase("explain.original_unstated", ["id": original])
    case .subscription: "explain.names_subscription"
    case .noEvidence: noEvidence
    case .refusedClaim where rung == .transactionID: Phrase("explain.transaction_not_its", ["id": transaction])
    case .refusedClaim: "explain.named_not_its"
    case .unmatchedClaim:
      switch rung {
      case .transactionID: Phrase("explain.unmatched_transaction", ["id": transaction])
      case .evidence: "explain.unmatched_evidence"
      default: "explain.unmatched_named"
      }
    case .claimed(let order, let naming): claimed(order, naming)
    case .namedSubscription(let order): about(order, "explain.named_subscription_by")
    case .listedBeside(let order): about(order, "explain.listed_beside")
    case .benignDuplicate(let order):
      switch rung {
      case .transactionID: about(order, "explain.benign_transaction")
      case .lineItem: about(order, "explain.benign_line")
      default: about(order, "explain.benign_evidence")
      }
    case .notNamed:
      switch rung {
      case .transactionID: "explain.nobody_names"
      case .lineItem: "explain.nobody_names_line"
      default: "explain.no_hash_order"
      }
    }
  }

  private func text(_ finding: TokenFinding) -> Phrase {
    switch finding {
    case .noToken: "explain.no_token_either"
    case .noTokenOfCharge: "explain.charge_no_token"
    case .otherToken: Phrase("explain.token_other", ["whose": whose])
    case .otherTokens: "explain.tokens_other"
    case .sharedTokens: "explain.token_shared"
    case .sharedToken(let count): Phrase("explain.token_holders", ["count": .plain("\(count)")])
    case .noChargeWithToken: Phrase("explain.token_nowhere", ["whose": whose])
    case .leads(let outranked, let barrier):
      Phrase("explain.token_is", ["whose": whose, "rest": outranking(outranked, but(agreement, barrier))])
    case .better(let orders): Phrase("explain.standing_before", ["list": names(orders)])
    case .equals(let orders): Phrase("explain.several_carry", ["list": names(orders)])
    case .excludedByOwner(let orders): Phrase("explain.strangers_carry", ["list": names(orders)])
    case .nearestCharge(let charge, let barrier):
      Phrase("explain.near_token", ["id": id(ofCharge: charge), "whose": whose, "why": with(charge: charge).tokenWords(barrier)])
    case .orders(let owner, let orders):
      Phrase(
        orders.count > 1 ? "explain.token_several" : "explain.token_passed",
        ["token": tokenOwner(owner), "list": few(orders.map(id(ofOrder:)))])
    case .nearestOrder(let owner, let order, let barrier): with(order: order).tokenWords(barrier, of: owner)
    case .noOrder(let owner, let hasOrder):
      Phrase(hasOrder ? "explain.token_no_order" : "explain.token_owner_none", ["token": tokenOwner(owner)])
    case .barred(let barrier): words(barrier)
    }
  }

  private func text(_ finding: PeriodFinding) -> Phrase {
    switch finding {
    case .firstPeriod: "explain.not_renewal"
    case .unknownOwner: "explain.nobody_owns"
    case .booked(let barrier):
      but(Phrase(charge.isRenewal ? "explain.renewal_in_time" : "explain.purchase_in_time", bookingTime(of: order.user)), barrier)
    case .otherTime: Phrase("explain.not_in_time", bookingTime())
    case .nearestPeriod(let charge, let barrier): with(charge: charge).laterPeriodWords(barrier)
    case .noPeriod: Phrase("explain.no_renewal_due", ["id": user])
    case .nearestOrder(let order, let barrier):
      Phrase("explain.in_period_but", ["id": id(ofOrder: order), "why": with(order: order).periodWords(barrier)])
    case .noOrder(let owner): Phrase("explain.no_order_in_period", bookingTime(of: owner))
    case .barred(let barrier): words(barrier)
    }
  }

  private func text(_ finding: CandidateFinding) -> Phrase {
    switch finding {
    case .single: "explain.fit_alone"
    case .assigned(true, true): "explain.fit_by_both"
    case .assigned(true, false): "explain.fit_by_standing"
    case .assigned: Phrase("explain.fit_by_time", ["id": user])
    case .contested(.passedBy): Phrase("explain.but", ["what": "explain.all_fit", "why": "explain.so_does_more"])
    case .contested(let barrier): but("explain.all_fit", barrier)
    case .otherUsers(.passedBy): Phrase("explain.nothing_leads", ["id": user])
    case .otherUsers(let barrier), .barred(let barrier): words(barrier)
    case .noCharge(let hasUnmatched, let barrier):
      unguessed(Phrase(hasUnmatched ? "explain.no_other_charge" : "explain.no_open_charge", ["id": user]), barrier)
    case .nothingLeads(let isUploaded):
      withoutOwner(isUploaded ? "explain.no_upload_user" : "explain.nobody_uploaded")
    case .paysAgain(let order, let users):
      Phrase("explain.pays_again", ["id": id(ofOrder: order), "users": uploaders(users) ?? "explain.that_user"])
    case .noOrder(let owner, let users, let hasUnmatched):
      Phrase(hasUnmatched ? "explain.no_other_order" : "explain.no_open_order", ["users": owner.map(named) ?? finders(users)])
    }
  }

  /// Returns the reason for a tie without its rung, M7.
  func text(_ contest: ContestFinding) -> Phrase {
    switch contest {
    case .users(let count): return Phrase("explain.contest_users", ["count": .plain("\(count)")])
    case .distance(let orders, let charges, let isAfterCarts):
      let isEven = orders == charges
      func counted(_ count: Int, _ one: String, _ many: String) -> Phrase { Phrase(count == 1 ? one : many, ["count": .plain("\(count)")]) }
      let tie = Phrase(
        "explain.contest",
        [
          "orders": counted(orders, "explain.one_order", "explain.count_orders"),
          "charges": isEven ? "explain.as_many_charges" : counted(charges, "explain.one_charge", "explain.count_charges"),
          "what": isEven ? "explain.which_to_which" : "explain.who_is_left",
        ])
      return isAfterCarts ? Phrase("explain.contest_standing", ["rest": tie]) : tie
    }
  }

  // MARK: Barriers

  private func words(_ barrier: Barrier) -> Phrase {
    switch barrier {
    case .difference(.app): Phrase("explain.purchase_app", ["app": value(.app, charge.productKey)])
    case .difference(.environment): Phrase("explain.purchase_environment", ["environment": value(.environment, charge.productKey)])
    case .difference(.product): Phrase("explain.purchase_product", ["product": value(.product, charge.productKey)])
    case .familyShared: "explain.never_family"
    case .quantity: Phrase("explain.quantities", ["one": .plain("\(order.quantity)"), "other": .plain("\(charge.quantity)")])
    case .tokenOfOtherOrder: Phrase("explain.own_token", ["id": orderOfToken])
    case .outsideWindow: Phrase(delay < 0 ? "explain.purchase_before" : "explain.purchase_after", ["span": span])
    case .tokenOwner(let user): about(user: user, chargeNumber == nil ? "explain.order_token_belongs" : "explain.token_belongs")
    case .chainOwner(let user): about(user: user, "explain.subscription_belongs")
    case .createdAfterPurchase: Phrase("explain.created_after", ["span": span])
    case .createdLongBeforeRenewal: Phrase("explain.created_before", ["span": span])
    case .cancelled: "explain.order_cancelled"
    case .periodDifference(.subscription): "explain.other_subscription"
    case .periodDifference(.lineItem): Phrase("explain.line_other_period", ["id": lineItem])
    case .periodDifference(.transaction): Phrase("explain.transaction_other_period", ["id": transaction])
    case .periodDifference(.evidence): "explain.evidence_other_period"
    case .periodDifference(.access): Phrase("explain.booked_at_end", ["at": order.accessUntil.map(instant) ?? .plain("")])
    case .periodDifference(.creation): "explain.booked_for_other"
    case .createdForLaterPeriod: "explain.later_period"
    case .lateVerification: Phrase("explain.it_days_before", ["days": .plain("\(abs(delay) / 86_400_000_000)")])
    case .unmatched: "explain.unmatched_pair"
    case .orderHas(let charge, let rung): Phrase("explain.order_has", ["id": id(ofCharge: charge), "rung": .plain(rung.code)])
    case .chargeHas(let order, _):
      Phrase("explain.held_of_user", ["id": id(ofOrder: order), "user": .plain(facts.user(facts.component.orders[order].user))])
    case .duplicate: "explain.other_holds"
    case .refused: "explain.refused_claimed"
    case .rivals(let orders): Phrase("explain.token_other_orders", ["list": few(orders.map(id(ofOrder:)))])
    case .passedBy: "explain.passed_by"
    }
  }

  /// Returns the text of an M2 barrier to a charge with the order's token.
  private func tokenWords(_ barrier: Barrier) -> Phrase {
    switch barrier {
    case .chainOwner(let user): about(user: user, "explain.it_of_subscription")
    case .createdAfterPurchase: Phrase("explain.it_before", ["span": span])
    case .createdLongBeforeRenewal: Phrase("explain.it_renewal_after", ["span": span])
    case .periodDifference: "explain.it_other_period"
    case .unmatched: "explain.unmatched_it"
    case .chargeHas(let order, let rung): Phrase("explain.order_has_it", ["id": id(ofOrder: order), "rung": .plain(rung.code)])
    case .refused: "explain.refused_named"
    default: words(barrier)
    }
  }

  /// Returns the text of an M4 barrier to a later period of the order's user.
  private func laterPeriodWords(_ barrier: Barrier) -> Phrase {
    let period = id(ofCharge: chargeNumber ?? 0)
    return switch barrier {
    case .periodDifference: Phrase("explain.other_period", ["id": period])
    case .unmatched: Phrase("explain.unmatched_period", ["id": period])
    case .chargeHas(let order, let rung):
      Phrase("explain.period_taken", ["order": id(ofOrder: order), "id": period, "rung": .plain(rung.code)])
    case .passedBy: Phrase("explain.period_passed", ["id": period])
    default: words(barrier)
    }
  }

  /// Returns the text of an M2 barrier to an order that the charge's token means.
  private func tokenWords(_ barrier: Barrier, of owner: ID?) -> Phrase {
    func text(_ key: String, _ more: [String: Phrase] = [:]) -> Phrase {
      Phrase(key, ["token": tokenOwner(owner), "id": id(ofOrder: orderNumber ?? 0)].merging(more) { $1 })
    }
    return switch barrier {
    case .difference(let difference):
      text("explain.token_difference", ["field": .code("\(difference)"), "value": value(difference, order.productKey)])
    case .chainOwner(let user): text("explain.token_other_owner", ["user": .plain(facts.user(user))])
    case .createdAfterPurchase: text("explain.token_after")
    case .createdLongBeforeRenewal: text("explain.token_too_early")
    case .periodDifference: text("explain.token_other_period")
    case .unmatched: text("explain.token_unmatched")
    case .orderHas(let charge, let rung): text("explain.token_has_other", ["charge": id(ofCharge: charge), "rung": .plain(rung.code)])
    case .duplicate: text("explain.token_duplicate")
    case .refused: text("explain.token_refused")
    default: words(barrier)
    }
  }

  /// Returns the text of an M4 barrier to an order that its user created for the period.
  private func periodWords(_ barrier: Barrier) -> Phrase {
    switch barrier {
    case .cancelled: "explain.is_cancelled"
    case .periodDifference: "explain.names_other_period"
    case .unmatched: "explain.not_its_decided"
    case .orderHas(let charge, let rung): Phrase("explain.has_charge", ["id": id(ofCharge: charge), "rung": .plain(rung.code)])
    case .duplicate: "explain.claims_held"
    default: words(barrier)
    }
  }

  // MARK: Claims

  private func but(_ text: Phrase, _ barrier: Barrier?) -> Phrase {
    barrier.map { Phrase("explain.but", ["what": text, "why": words($0)]) } ?? text
  }

  private func shown(_ naming: Naming) -> Phrase {
    switch naming {
    case .transaction: Phrase("explain.names_transaction", ["id": transaction])
    case .lineItem: Phrase("explain.names_line_item", ["id": lineItem])
    case .original: Phrase("explain.names_original", ["id": original])
    case .hash: shownHash.map { Phrase("explain.carries_evidence", ["id": .plain($0)]) } ?? "explain.evidence_for_order"
    case .upload: "explain.evidence_for_order"
    }
  }

  private func claimed(_ order: Int, _ naming: Naming) -> Phrase {
    switch naming {
    case .transaction: about(order, "explain.claims_transaction")
    case .lineItem: about(order, "explain.claims_line_item")
    case .original: about(order, "explain.claims_original")
    case .hash: about(order, "explain.claims_hash")
    case .upload: about(order, "explain.claims_upload")
    }
  }

  /// Hash of the order's evidence that decodes to the charge; nil if it was uploaded for the order.
  private var shownHash: String? {
    facts.component.evidence.first { $0.order == orderNumber && $0.charge == chargeNumber }?.evidence.map { facts.hash($0) }
  }

  private var listing: Phrase {
    shownHash.map { Phrase("explain.evidence", ["id": .plain($0)]) } ?? "explain.upload_for_order"
  }

  private var noEvidence: Phrase {
    let isOfPair = chargeNumber != nil
    guard let hash = evidence.hash else {
      return !evidence.isUploaded ? "explain.no_hash" : isOfPair ? "explain.upload_other" : "explain.upload_not_its"
    }
    return switch evidence.verdict {
    case nil: Phrase("explain.evidence_unknown", ["id": .plain(hash)])
    case _ where isOfPair: Phrase("explain.evidence_other", ["id": .plain(hash)])
    case "genuine": Phrase("explain.evidence_not_its", ["id": .plain(hash)])
    case let verdict?: Phrase("explain.evidence_verdict", ["id": .plain(hash), "verdict": .code(verdict)])
    }
  }

  // MARK: Parts

  private var order: Order { facts.component.orders[orderNumber ?? 0] }
  private var charge: Charge { facts.component.charges[chargeNumber ?? 0] }
  private var user: Phrase { .plain(facts.user(order.user)) }
  private var transaction: Phrase { .plain(facts.transaction(order.transaction)) }
  private var original: Phrase { .plain(facts.transaction(order.original)) }
  private var lineItem: Phrase { .plain(order.lineItem.map { facts.lineItems[Int($0)] } ?? "") }
  private var whose: Phrase { order.token == nil ? "explain.token_of_user" : "explain.token_of_order" }
  private var delay: Microseconds { charge.purchasedAt - order.createdAt }
  private var span: Phrase { spanPhrase(delay) }
  private var agreement: Phrase { Phrase(delay < 0 ? "explain.agree_after" : "explain.agree_before", ["span": span]) }

  private func id(ofOrder order: Int) -> Phrase { .plain(facts.orderIDs[order]) }
  private func id(ofCharge charge: Int) -> Phrase { .plain(facts.chargeIDs[charge]) }
  private func named(_ user: ID) -> Phrase { about(user: user, "explain.user") }
  private func about(_ order: Int, _ key: String) -> Phrase { Phrase(key, ["id": id(ofOrder: order)]) }
  private func about(user: ID, _ key: String) -> Phrase { Phrase(key, ["id": .plain(facts.user(user))]) }

  private var orderOfToken: Phrase {
    facts.component.orders.firstIndex { $0.token == charge.token }.map(id(ofOrder:)) ?? .plain("")
  }

  /// The span of time in which the order of the renewal is booked, and the user whose subscription it is, as values of a text.
  private func bookingTime(of user: ID? = nil) -> [String: Phrase] {
    let time = trace.bookingTime(ofCharge: chargeNumber ?? 0)
    return [
      "from": instant(time.lowerBound), "to": time.upperBound == .max ? "explain.next_renewal" : instant(time.upperBound),
      "id": .plain(user.map { facts.user($0) } ?? ""),
    ]
  }

  private func instant(_ at: Microseconds) -> Phrase { .plain(Timestamp(microseconds: at).rfc3339) }

  private func value(_ difference: Difference, _ key: ProductKey) -> Phrase {
    switch difference {
    case .app: .plain(facts.apps[Int(key.app)])
    case .environment: .plain(facts.environments[Int(key.environment.id)])
    case .product: .plain(facts.products[Int(key.product)])
    }
  }

  private func with(order: Int? = nil, charge: Int? = nil) -> FindingText {
    var copy = self
    (copy.orderNumber, copy.chargeNumber) = (order ?? orderNumber, charge ?? chargeNumber)
    return copy
  }

  private func tokenOwner(_ owner: ID?) -> Phrase { owner.map { about(user: $0, "explain.token_belongs") } ?? "explain.token_no_one" }

  private func withoutOwner(_ rest: Phrase) -> Phrase {
    charge.token == nil ? rest : Phrase("explain.token_no_one_and", ["rest": rest])
  }

  private func outranking(_ outranked: [Int]?, _ rest: Phrase) -> Phrase {
    guard let outranked else { return rest }
    if outranked.isEmpty { return Phrase("explain.no_other_carries", ["rest": rest]) }
    return Phrase(
      "explain.but",
      [
        "what": Phrase(outranked.count > 1 ? "explain.carry_too" : "explain.carries_too", ["list": names(outranked)]),
        "why": Phrase("explain.standing_first", ["rest": rest]),
      ])
  }

  /// Adds why no charge of the product was guessed.
  private func unguessed(_ text: Phrase, _ barrier: Barrier?) -> Phrase {
    barrier == .familyShared ? Phrase("explain.and_never_family", ["what": text]) : text
  }

  private func uploaders(_ users: [ID]) -> Phrase? {
    users.isEmpty ? nil : .list(users.sorted { facts.user($0) < facts.user($1) }.map(named))
  }

  private func finders(_ users: [ID]) -> Phrase {
    uploaders(users).map { Phrase("explain.or_device", ["users": $0]) } ?? "explain.user_on_device"
  }

  private func names(_ orders: [Int]) -> Phrase {
    few(
      orders.map { number in
        let order = facts.component.orders[number]
        if order.isPaidOrDelivered { return id(ofOrder: number) }
        return about(number, order.status == .cancelled ? "explain.cancelled_order" : "explain.cart")
      })
  }

  /// Returns the first three names and the number of the others: `A, B, C and 4 more`.
  private func few(_ names: [Phrase]) -> Phrase {
    let first = Phrase.list(Array(names.prefix(3)))
    return names.count > 3 ? Phrase("explain.and_more", ["list": first, "count": .plain("\(names.count - 3)")]) : first
  }
}
