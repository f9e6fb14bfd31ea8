internal import JobCore

extension DoctorJob {
  /// Failed attempts from which a pending event is reported.
  private static let triesSeen: Int128 = 5
  /// Seconds without a delivery from which pending events are reported.
  private static let silenceSeconds: Int128 = 86_400

  /// - Parameter sent: the last delivery; nil for none.
  static func webhooks(_ names: [String], sent: ReportRecord?, states: [ReportRecord]) throws -> DoctorFinding {
    let check = "webhooks"
    guard !names.isEmpty else { return .fine(check, "none is named") }
    let cure = "payrecon webhooks send, by a job of its own (jobs/webhooks.yaml) or each night"
    guard let sent else { return .fault(check, "nothing was sent yet", cure: cure) }
    if try sent.int("seconds") > silenceSeconds, try sent.int("waiting_count") > 0 {
      let text = try "nothing was sent since \(sent.text("sent_at")), and \(sent.text("waiting_count")) acts came since"
      return .fault(check, text, cure: cure)
    }
    let stuck = try states.filter { row in
      try names.contains(row.text("webhook"))
        && (["given_up", "gone"].contains(row.text("state")) || row.text("state") == "waiting" && row.int("failed_tries") >= triesSeen)
    }
    guard stuck.isEmpty else {
      let lines = try stuck.map { row in
        let state =
          switch try row.text("state") {
          case "given_up": "were given up"
          case "gone": "and all others wait until its settings change"
          default: try "wait after \(row.text("failed_tries")) tries that failed"
          }
        return try "\(row.text("webhook")): \(row.text("event_count")) events \(state), the oldest since \(row.text("oldest_at")), "
          + "last \(row.text("last_answer"))"
      }
      return .fault(
        check, lines.joined(separator: "; "), cure: "see that the receiver accepts them, then payrecon webhooks retry and send")
    }
    return .fine(check, "\(names.count) named, nothing is stuck")
  }
}
