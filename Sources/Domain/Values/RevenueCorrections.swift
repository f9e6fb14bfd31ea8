/// Why a fact changes the money of an earlier period.
public enum RevenueCause: String, Sendable, Hashable, CaseIterable {
  case lateFact = "late_fact"
  case refund
  case reversal
  /// A cell of the tie-out proved the proceeds, which were an estimate before.
  case trueUp = "true_up"
  /// The settings have other rates of tax or commission, or another revenue policy, than a close had.
  case policy

  /// Returns the cause of a difference between consecutive schedules of one charge.
  ///
  /// - Parameter before: nil if the charge was unknown.
  static func of(_ before: RevenueFacts.Version?, _ now: RevenueFacts.Version) -> RevenueCause {
    guard let old = before?.schedule else { return .lateFact }
    let new = now.schedule
    guard old.total == new.total else { return now.isProved ? .trueUp : .policy }
    guard old.refunds != new.refunds else { return .lateFact }
    return (new.refunds.last?.amount ?? 0) < (old.refunds.last?.amount ?? 0) ? .reversal : .refund
  }
}

extension RevenueLedger.Calendar {
  /// The change of an earlier period by a later fact.
  struct Correction {
    var period, restates: Int
    var cause: RevenueCause
    var before, now: RevenueFlow
  }

  /// Returns the corrections of earlier periods. Each version of a schedule differs from the one before it by the facts of one day.
  func corrections(of versions: [RevenueFacts.Version], through day: Int) -> [Correction] {
    versions.indices.flatMap { place -> [Correction] in
      let (now, period) = (versions[place].schedule, index(of: versions[place].knownOn))
      // The period counts by the last schedule that became known in it.
      let counts = versions.last { index(of: $0.knownOn) == period }?.schedule ?? now
      guard period > 0, first(period) <= day, counts.bookedOn <= day else { return [] }
      let before = place > 0 ? versions[place - 1] : nil
      let cause = RevenueCause.of(before, versions[place])
      return RevenueLedger.restated(from: before?.schedule, to: now, before: period, self).map {
        Correction(period: period, restates: $0.period, cause: cause, before: $0.before, now: $0.now)
      }
    }
  }
}
