internal import Cryptography
internal import Domain
internal import Intake
internal import JobCore
internal import JSON

/// The COPY statement that reads part of a source as lines of JSON, and the parser of its lines.
struct PullCopy: Sendable {
  enum Part {
    case all
    /// Rows changed after the watermark, ordered by instant and key.
    case changed(limit: Int)
    /// Rows without a valid `updated_at`; no watermark covers them.
    case undated

    /// Whether the rows are selected by their instants.
    var isOrdered: Bool { if case .all = self { false } else { true } }
  }

  let source: PullSource
  private let order: PullOrder?
  /// The mapping as text; empty if the rows have payrecon's columns.
  private let mappingText: String

  /// - Parameter mapping: how the rows are read; nil if they have payrecon's columns.
  /// - Throws: `JobError` if the rows cannot be ordered by their changes.
  init(source: PullSource, mapping: InputMapping? = nil) throws(JobError) {
    self.source = source
    order = source.hasWatermark ? try PullOrder(source, mapping: mapping) : nil
    mappingText = mapping?.canonicalText ?? ""
  }

  private var columns: String {
    guard let order, order.isAdded else { return "*" }
    // As text, because numbers of JSON and instants of a local zone have other forms.
    return "*, to_json(\(order.changedAt))#>>'{}' as \(PullOrder.quoted(PullOrder.addedInstant)), "
      + "\(order.key) as \(PullOrder.quoted(PullOrder.addedKey))"
  }

  /// Condition for rows with a usable instant: RFC 3339 can format it, except the last day of the year 9999. "infinity" is excluded.
  private func isDated(_ changedAt: String) -> String {
    "(\(changedAt) >= timestamptz '0001-01-01T00:00:00Z' and \(changedAt) < timestamptz '9999-12-31T00:00:00Z')"
  }

  /// The query without a trailing semicolon.
  private var query: String { String(source.query.reversed().drop { $0.isWhitespace || $0 == ";" }.reversed()) }

  /// Hash of the query and of the mapping by which its rows are read.
  var sha256: String { SHA256.hex(Array("\(statement(.undated))\n\(mappingText)".utf8)) }

  func statement(_ part: Part) -> String {
    let columns = part.isOrdered ? columns : "*"
    return "copy (select row_to_json(part) from (select \(columns) from (\n\(query)\n) as source \(tail(part))) as part) to stdout"
  }

  /// A statement that writes the names of the query's columns as one line of CSV.
  var headerStatement: String { "copy (select * from (\n\(query)\n) as source limit 0) to stdout (format csv, header)" }

  private func tail(_ part: Part) -> String {
    guard let order else { return "" }
    switch part {
    case .all: return ""
    case .undated: return "where \(isDated(order.changedAt)) is not true"
    case .changed(let limit):
      return """
        where (\(order.changedAt), \(order.key)) > (
            current_setting('payrecon.pull_changed_at')::timestamptz, current_setting('payrecon.pull_row_key')
        )
            and \(isDated(order.changedAt))
        order by \(order.changedAt), \(order.key)
        limit \(limit)
        """
    }
  }

  /// Returns a line as the server wrote it. Of the characters that COPY escapes, JSON contains only the backslash.
  ///
  /// - Source: PostgreSQL documentation, COPY, "Text Format".
  static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
    let backslash = UInt8(ascii: "\\")
    guard bytes.contains(backslash) else { return bytes }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var isEscaped = false
    for byte in bytes {
      if byte == backslash, !isEscaped {
        isEscaped = true
        continue
      }
      result.append(byte)
      isEscaped = false
    }
    return result
  }

  /// Returns a line's position in the order of changes.
  ///
  /// - Throws: `JobError` when the line has no instant with an offset, or no key.
  func position(of line: [UInt8]) throws -> (changedAt: Timestamp, key: String) {
    let isAdded = order?.isAdded ?? false
    guard let object = try? JSONObject(parsing: line[...]),
      case .string(let text)? = object[isAdded ? PullOrder.addedInstant : "updated_at"],
      let changedAt = Timestamp(rfc3339: text)
    else {
      throw JobError(
        "could not read \(source.title): its updated_at is no instant with an offset",
        hint: "Let the query say which zone is meant: updated_at at time zone 'UTC' as updated_at.")
    }
    switch object[isAdded ? PullOrder.addedKey : "order_id"] {
    case .string(let key)?: return (changedAt, key)
    case .number(let key)?: return (changedAt, "\(key)")
    default:
      throw JobError(
        "could not read \(source.title): a row has no order_id",
        hint: "Let the query yield order_id; it keeps rows of one instant apart.")
    }
  }
}
