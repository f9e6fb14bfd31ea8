internal import Cryptography
internal import Postgres

package enum AuditAct: String, Sendable {
  case runEnded = "run_ended"
  case reportWritten = "report_written"
  case evidenceSealed = "evidence_sealed"
  case evidenceJudged = "evidence_judged"
  case listAdded = "list_added"
  case listRemoved = "list_removed"
  case caseTaken = "case_taken"
  case caseReleased = "case_released"
  case caseProposed = "case_proposed"
  case caseEffective = "case_effective"
  case caseRejected = "case_rejected"
  case caseWithdrawn = "case_withdrawn"
  case caseUndoProposed = "case_undo_proposed"
  case caseUndone = "case_undone"
  case caseUndoRejected = "case_undo_rejected"
  case caseUndoWithdrawn = "case_undo_withdrawn"
  case consumptionAnswered = "consumption_answered"
  case consumptionEnded = "consumption_ended"
  case parkedRetried = "parked_retried"
  case parkedDiscarded = "parked_discarded"
  case personErased = "person_erased"
  case rowsRemoved = "rows_removed"
  case accountAdded = "account_added"
  case accountRemoved = "account_removed"
  case accountDisabled = "account_disabled"
  case accountChanged = "account_changed"
  case accountUnlocked = "account_unlocked"
  case passwordSet = "password_set"
  case proxyKeyMade = "proxy_key_made"
  case proxyKeyEnded = "proxy_key_ended"
  case sessionOpened = "session_opened"
  case sessionRefused = "session_refused"
  case sessionEnded = "session_ended"
  case recordViewed = "record_viewed"
  case actRefused = "act_refused"
  case noteAdded = "note_added"
  case caseSnoozed = "case_snoozed"
  case caseWoken = "case_woken"
  case caseAssigned = "case_assigned"
  case caseFollowed = "case_followed"
  case caseUnfollowed = "case_unfollowed"
  case tokenMade = "token_made"
  case tokenEnded = "token_ended"
  case attachmentAdded = "attachment_added"
  case viewSaved = "view_saved"
  case viewRemoved = "view_removed"
  case preferencesSaved = "preferences_saved"
  case ruleTrialAsked = "rule_trial_asked"
  case ruleTried = "rule_tried"
  case ruleProposed = "rule_proposed"
  case ruleApproved = "rule_approved"
  case ruleRejected = "rule_rejected"
  case ruleWithdrawn = "rule_withdrawn"
  case appleAsked = "apple_asked"
  case periodCloseProposed = "period_close_proposed"
  case periodClosed = "period_closed"
  case periodReopeningProposed = "period_reopening_proposed"
  case periodReopened = "period_reopened"
  case periodRejected = "period_rejected"
  case periodWithdrawn = "period_withdrawn"
}

package struct AuditEntry: Sendable {
  var actor: String
  var act: AuditAct
  /// Id of the object of the act, never the name of a customer.
  var subject: String
  var details: [Detail] = []

  package init(actor: String, act: AuditAct, subject: String, details: [Detail] = []) {
    self.actor = actor
    self.act = act
    self.subject = subject
    self.details = details
  }

  package enum Detail: Sendable {
    case text(String, String)
    case number(String, Int64)
    case texts(String, [String])

    /// Returns the SHA-256 of a written reason. The reason may name a person who must be erased later, and the chain never changes.
    package static func reason(_ text: String) -> Detail { .text("reason_sha256", SHA256.hex(Array(text.utf8))) }

    var json: String {
      switch self {
      case .text(let name, let value): "\(ReportText.quoted(name)):\(ReportText.quoted(value))"
      case .number(let name, let value): "\(ReportText.quoted(name)):\(value)"
      case .texts(let name, let values):
        "\(ReportText.quoted(name)):[\(values.map(ReportText.quoted).joined(separator: ","))]"
      }
    }
  }

  var detailsJSON: String { "{\(details.map(\.json).joined(separator: ","))}" }
}

extension DatabaseTransaction {
  /// Appends an entry to the audit chain, in the transaction of the act.
  ///
  /// It must be the last call of a transaction, because other writers of the chain are blocked until its end.
  package mutating func audit(_ entry: AuditEntry, in context: JobContext) throws {
    let parameters: [String: Value] = [
      "at": context.asOfValue, "actor": .text(entry.actor), "act": .text(entry.act.rawValue),
      "subject": .text(entry.subject), "details": .text(entry.detailsJSON),
    ]
    _ = try run(context.sql(AuditSQL.append), parameters)
  }
}
