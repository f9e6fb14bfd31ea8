internal import SimulatedSigning

/// Server notifications, version 2.
///
/// - Source: App Store Server Notifications, responseBodyV2DecodedPayload.
extension CaseBuilder {
  /// Sends a notification about a charge; some are repeated with the same identifier.
  mutating func notify(_ type: String, subtype: String? = nil, about charge: Charge, renewal: Renewal? = nil, at instant: Instant) {
    var payload = TextBuffer(capacity: 10000)
    let transaction = sign(charge, at: instant)
    payload.open()
    payload.member("notificationType", type)
    payload.member("subtype", subtype)
    payload.member("notificationUUID", random.uuid())
    payload.key("data")
    payload.open()
    if charge.environment == "Production" { payload.member("appAppleId", appleID(of: charge.bundle)) }
    payload.member("bundleId", charge.bundle)
    payload.member("bundleVersion", "412")
    payload.member("environment", charge.environment)
    payload.member("signedTransactionInfo", bytes: transaction)
    if let renewal {
      payload.member("signedRenewalInfo", bytes: signers.genuine.sign(charge.renewalPayload(renewal, signedAt: instant)))
      payload.member("status", renewal.isOver ? 2 : 1)
    }
    payload.endObject()
    payload.member("version", "2.0")
    payload.member("signedDate", instant)
    payload.close()
    let signed = signers.genuine.sign(payload.bytes)
    post(signed, at: instant)
    guard random.percent(3) else { return }
    // A retry: most have the same bytes, some are signed again at the same instant.
    post(random.percent(70) ? signed : signers.genuine.sign(payload.bytes + [0x20]), at: instant + Span.hour)
  }

  private func appleID(of bundle: String) -> Int64 {
    bundle == App.reader.bundle ? App.reader.appleID : App.kids.appleID
  }

  /// Writes the body alone, or in the wrapper of the receiving endpoint.
  private mutating func post(_ signed: [UInt8], at instant: Instant) {
    var line = TextBuffer(capacity: signed.count + 200)
    if random.percent(50) {
      line.open()
      line.member("signedPayload", bytes: signed)
      line.close()
    } else {
      line.add(#"{"evidence":"{\"signedPayload\":\""#)
      line.add(signed)
      line.add(#"\"}","received_at":""#)
      line.add(instant: instant + random.between(1, 90))
      line.add(#"","source":"notification"}"#)
    }
    line.newline()
    add(line: line.bytes)
  }

  /// Sends the notification of a purchase or renewal for the type of its product.
  mutating func announce(_ charge: Charge, delay: Int64 = 0) {
    let at = charge.purchasedAt + random.between(1, 40) + delay
    if charge.product.kind == .autoRenewable {
      let isRenewal = charge.reason == "RENEWAL"
      notify(
        isRenewal ? "DID_RENEW" : "SUBSCRIBED", subtype: isRenewal ? nil : "INITIAL_BUY", about: charge, renewal: Renewal(renews: true),
        at: at)
    } else {
      notify("ONE_TIME_CHARGE", about: charge, at: at)
    }
  }

  /// Turns renewal off; the subscription also expires if its expiry is before the as-of.
  mutating func stopRenewing(_ charge: Charge) {
    let decided = charge.purchasedAt + random.between(Span.hour, 5 * Span.day)
    notify(
      "DID_CHANGE_RENEWAL_STATUS", subtype: "AUTO_RENEW_DISABLED", about: charge,
      renewal: Renewal(renews: false), at: min(decided, Calendar.asOf - 3 * Span.hour))
    if let expiry = charge.expiresAt, expiry < Calendar.asOf - 3 * Span.hour {
      notify("EXPIRED", subtype: "VOLUNTARY", about: charge, renewal: Renewal(renews: false, isOver: true), at: expiry + 60)
    }
  }

  mutating func refund(_ charge: inout Charge, at instant: Instant, kind: Charge.Revocation.Kind = .full, percentage: Int64 = 100_000) {
    charge.revocation = Charge.Revocation(date: instant, kind: kind, percentage: percentage)
    notify("REFUND", about: charge, at: instant + random.between(5, 300))
  }

  /// Reverses a refund after a dispute.
  mutating func reverseRefund(_ charge: inout Charge, at instant: Instant) {
    charge.revocation = nil
    notify("REFUND_REVERSED", about: charge, at: instant)
  }
}
