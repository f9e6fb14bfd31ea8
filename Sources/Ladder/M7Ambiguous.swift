extension Evaluation {
  /// M7: returns the ranked candidates of open charges that have several, or that compete for one order. Paid orders rank before carts,
  /// then by time distance.
  func ambiguities() -> [Ambiguity] {
    let perCharge = Dictionary(grouping: openCandidates, by: \.pair.charge)
    return perCharge.keys.sorted().flatMap { charge -> [Ambiguity] in
      let ranked = (perCharge[charge] ?? []).sorted { rank($0) < rank($1) }
      return ranked.enumerated().map { position, candidate in
        Ambiguity(
          charge: charge, order: candidate.pair.order, rank: position + 1, tie: candidate.tie, delay: candidate.delay)
      }
    }
  }

  /// Candidates whose order and charge are both unmatched.
  var openCandidates: [Candidate] {
    candidates.filter { isOpen(order: $0.pair.order) && isOpen(charge: $0.pair.charge) }
  }

  private func rank(_ candidate: Candidate) -> (Int, Microseconds, Int) {
    (-order(candidate.pair.order).standing.rawValue, candidate.distance, candidate.pair.order)
  }
}
