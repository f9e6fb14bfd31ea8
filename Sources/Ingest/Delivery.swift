internal import Domain

/// Who handed an item over, and when.
struct Delivery: Sendable {
  var source: EvidenceSource
  var receivedAt: Timestamp
  var userID = ""
  var deviceID = ""
  var orderID = ""
}
