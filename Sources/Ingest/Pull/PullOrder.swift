internal import Domain
internal import Intake
internal import JobCore

/// The columns of a source by which its rows are ordered and read in chunks, as SQL expressions.
struct PullOrder: Sendable {
  /// The instant of a row's last change.
  let changedAt: String
  let key: String
  /// Whether the values are added to the rows, because the rows have them in another form.
  let isAdded: Bool

  /// Names of the added values.
  static let addedInstant = "payrecon.changed_at"
  static let addedKey = "payrecon.row_key"

  /// - Throws: `JobError` if the mapping derives the change instant from something that SQL cannot order.
  init(_ source: PullSource, mapping: InputMapping?) throws(JobError) {
    guard let mapping, !mapping.columns.isEmpty else {
      (changedAt, key, isAdded) = ("source.updated_at", "source.order_id::text collate \"C\"", false)
      return
    }
    isAdded = true
    key = "source.\(Self.quoted(try Self.column("order_id", mapping, source).name))::text collate \"C\""
    let (column, conversion) = try Self.column("updated_at", mapping, source)
    changedAt = try Self.instant("source.\(Self.quoted(column))", conversion, mapping, source)
  }

  private static func column(
    _ target: String, _ mapping: InputMapping, _ source: PullSource
  ) throws(JobError) -> (name: String, conversion: ColumnMapping.Conversion) {
    guard let column = mapping.columns.first(where: { $0.target == target }) else { return (target, .none) }
    guard case .column(let name) = column.source else { throw unordered(target, mapping, source) }
    return (name, column.conversion)
  }

  /// Returns the expression of an instant. A time without an offset is in the mapping's zone; null for a text of another form.
  private static func instant(
    _ column: String, _ conversion: ColumnMapping.Conversion, _ mapping: InputMapping, _ source: PullSource
  ) throws(JobError) -> String {
    guard case .instant(let format) = conversion else { return "\(column)::timestamptz" }
    if let unit = format.pattern?.unixUnit { return "to_timestamp(\(column)::numeric * \(unit) / 1000000)" }
    guard format.offsetColumn == nil, let zone = format.zoneName else {
      if format.pattern == nil { return "\(column)::timestamptz" }
      throw unordered("updated_at", mapping, source)
    }
    // A zone name has letters, digits and the characters / _ + - only.
    guard let pattern = format.pattern else { return "(\(column)::timestamp at time zone '\(zone)')" }
    guard let template = SQLTemplate(pattern) else { throw unordered("updated_at", mapping, source) }
    return "(\(template.localTime(of: column)) at time zone '\(zone)')"
  }

  /// Seconds before a watermark of local times from which rows are read again.
  private static let repeatedHourSeconds: Int64 = 4500

  /// Returns the number of seconds before a watermark from which rows are read again.
  ///
  /// A local time that a clock change repeats may be of the earlier hour, so the watermark may be an hour ahead.
  ///
  /// - Parameters:
  ///   - given: overlap of the source, in seconds.
  ///   - mapping: how its rows are read; nil if they have payrecon's columns.
  static func overlapSeconds(_ given: Int64, before watermark: Timestamp, mapping: InputMapping?) -> Int64 {
    guard case .instant(let format)? = mapping?.columns.first(where: { $0.target == "updated_at" })?.conversion,
      format.repeatsLocalTimes(within: repeatedHourSeconds, of: watermark)
    else { return given }
    return max(given, repeatedHourSeconds)
  }

  private static func unordered(_ target: String, _ mapping: InputMapping, _ source: PullSource) -> JobError {
    JobError(
      "could not read \(source.title) by its changes: "
        + "setting \"\(mapping.key).columns.\(target)\" is no column that SQL can order",
      hint: "Set watermark: none to read all of it each time.")
  }

  static func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }
}
