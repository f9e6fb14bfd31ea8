internal import Domain

/// The sender of an item and the time of receipt.
struct Upload: Sendable {
  var source: EvidenceSource
  var receivedAt: Timestamp
  var userID = ""
  var deviceID = ""
  var orderID = ""
}
