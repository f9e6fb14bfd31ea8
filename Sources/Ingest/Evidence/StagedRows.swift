internal import AppStore
internal import Domain
internal import JobCore
internal import Postgres

/// Items that are compared with the known ones in staging tables.
extension EvidenceRows {
  func stage(_ tx: inout DatabaseTransaction) throws {
    try stageEvidence(&tx)
    try copyTransactions(into: "staged_transaction", &tx)
    try copyRenewals(into: "staged_renewal_info", &tx)
    try copyNotifications(into: "staged_notification", &tx)
    try stageUnrecognized(&tx)
  }

  private func stageEvidence(_ tx: inout DatabaseTransaction) throws {
    var item: Int64 = 0
    try copy(
      """
      staged_evidence (\(StagedEvidence.columns), item, is_top, parent_sha256, top_sha256, former_sha256, body_sha256,
        is_from_apple, is_reevaluation, user_id, device_id, order_id)
      """, evidence, &tx
    ) { staged, writer in
      item += 1
      try staged.write(
        to: &writer, item, staged.isTop, staged.content.parentSHA256.map(HashValue.init), HashValue(staged.topSHA256),
        staged.formerSHA256.map(HashValue.init), staged.content.bodySHA256.map(HashValue.init), staged.isFromApple,
        staged.isReevaluation, staged.upload.userID, staged.upload.deviceID, staged.upload.orderID
      )
    }
  }

  private func stageUnrecognized(_ tx: inout DatabaseTransaction) throws {
    let items = evidence.filter { ($0.content.verdict == .genuine || $0.content.lacksOrigin) && !$0.content.unrecognized.isEmpty }
    try copy("staged_unrecognized (sha256, field, value)", items, &tx) { staged, writer in
      for value in staged.content.unrecognized {
        try writer.row(HashValue(staged.content.sha256), value.field, value.value)
      }
    }
  }
}
