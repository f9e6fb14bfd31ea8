internal import AppStore
internal import Cryptography
internal import Domain
internal import JobCore
internal import Postgres
internal import Wording

/// The sender of an item and the time of receipt.
struct Upload: Sendable {
  var source: EvidenceSource
  var receivedAt: Timestamp
  var userID = ""
  var deviceID = ""
  var orderID = ""
}

/// One verified item with its upload; a class, because it is moved between lists.
final class StagedEvidence: Sendable {
  let isTop: Bool
  let content: EvidenceItem
  let packed: PackedText
  let upload: Upload
  let chargeID: String?
  /// Empty for a renewal info: its bundle id is that of the enclosing item, which depends on the upload.
  let bundleID: String
  /// nil for an unsigned row, which is repeated by every text that lists it.
  let signedAt: Timestamp?
  /// SHA-256 of the top-level item that contains this one, or of this item.
  let topSHA256: String
  let isFromApple: Bool
  let isReevaluation: Bool
  /// Another hash under which the same bytes may be stored; nil for none.
  let formerSHA256: String?
  /// Whether the items nested in it follow in the list.
  let isFirst: Bool
  /// Hash of the columns of its row in `evidence`, except the bytes, as `evidence_row_hash` computes it when the audit chain is verified.
  let rowHash: [UInt8]

  init(
    _ content: EvidenceItem, upload: Upload, isTop: Bool, topSHA256: String, isFromApple: Bool, isReevaluation: Bool,
    formerSHA256: String?, isFirst: Bool
  ) {
    self.isTop = isTop
    self.content = content
    packed = content.packed()
    self.upload = upload
    self.topSHA256 = topSHA256
    self.isFromApple = isFromApple
    self.isReevaluation = isReevaluation
    self.formerSHA256 = formerSHA256
    self.isFirst = isFirst
    chargeID = content.verdict == .genuine ? content.transaction?.chargeID : nil
    bundleID = content.kind == .renewalInfo ? "" : content.bundleID
    signedAt = content.listedIn == nil ? content.signedAt : nil
    var row = RecordBytes(columns: 13)
    row.text(content.sha256)
    row.text(content.kind?.rawValue ?? "")
    row.text(content.verdict.rawValue)
    row.text((content.reason ?? Self.noReason).json)
    row.text(bundleID)
    row.text(content.environment)
    row.text(upload.source.rawValue)
    row.text(packed.headerKey)
    row.text(chargeID)
    row.text(content.transaction?.transactionID)
    row.text(content.transaction?.originalTransactionID)
    row.timestamptz(microseconds: signedAt?.microseconds)
    row.timestamptz(microseconds: upload.receivedAt.microseconds)
    rowHash = SHA256.digest(row.bytes)
  }

  /// Reason of a genuine item.
  private static let noReason = Phrase.plain("")

  var hasSender: Bool { !upload.userID.isEmpty || !upload.deviceID.isEmpty || !upload.orderID.isEmpty }

  /// Columns that `evidence` and `staged_evidence` have in common, in the order of `write`.
  static let columns = """
    sha256, kind, verdict, reason, bundle_id, environment, source, header_key, charge_id, transaction_id,
    original_transaction_id, body, unpacked_length, row_hash, signed_at, received_at
    """

  /// Writes a row: the values of `columns`, then more.
  func write<each More: CopyValue>(to writer: inout CopyWriter, _ more: repeat each More) throws {
    try writer.row(
      HashValue(content.sha256), content.kind?.rawValue ?? "", content.verdict.rawValue, content.reason ?? Self.noReason, bundleID,
      content.environment, upload.source.rawValue, packed.headerKey, chargeID, content.transaction?.transactionID,
      content.transaction?.originalTransactionID, packed.body[...], packed.unpackedLength.map { Int32(clamping: $0) },
      rowHash[...], signedAt, upload.receivedAt, repeat each more
    )
  }
}
