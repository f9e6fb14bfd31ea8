public import JobCore
import Matching
public import Reports

/// Lists, reports and explanations at a clock, stored for a later comparison.
public struct Past: Sendable {
  /// Lists of facts and decisions. The run ledger is excluded because it also contains interrupted runs.
  public static let factLists: [ExportList] = [
    .orders, .charges, .transactions, .evidence, .parked, .matches, .breaks, .pending, .signals, .cases, .subscriptions, .renewalsToBook,
  ]

  private let clock: String
  private let lists: [ExportList]
  private let kinds: [ReportKind]
  private let ids: [String]
  /// Settings of reports and explanations; other settings show other apps. Lists depend on none.
  private let settings: JobSettings
  /// Each text by its name, such as `breaks`, `daily inputs.csv` and `explain PO-1`.
  public private(set) var texts: [String: String] = [:]

  /// - Parameter ids: orders, charges and transactions to explain.
  public init(
    _ scenario: Scenario, clock: String, lists: [ExportList] = Self.factLists, kinds: [ReportKind] = [.all], ids: [String] = []
  ) async throws {
    (self.clock, self.lists, self.kinds, self.ids, settings) = (clock, lists, kinds, ids, scenario.settings)
    texts = try await read(scenario, listing: scenario)
  }

  /// - Parameter listing: the scenario with the settings of lists.
  private func read(_ scenario: Scenario, listing: Scenario) async throws -> [String: String] {
    var texts: [String: String] = [:]
    for list in lists { texts[list.rawValue] = String(decoding: try await listing.export(list, asOf: clock), as: UTF8.self) }
    for kind in kinds {
      for (name, text) in try await scenario.report(kind, asOf: clock) { texts["\(kind) \(name)"] = text }
    }
    for id in ids {
      do {
        texts["explain \(id)"] = try await ExplainJob(context: scenario.context(asOf: clock)).explain(id)
      } catch let error as JobError where error.isNotFound {
        // An order ingested later is unknown at the clock.
        texts["explain \(id)"] = ""
      }
    }
    return texts
  }

  /// Returns the first differing line of each text that has changed.
  public func differences(_ scenario: Scenario) async throws -> [String] {
    var then = scenario
    then.settings = settings
    let now = try await read(then, listing: scenario)
    return Set(texts.keys).union(now.keys).sorted().compactMap { name in
      guard let before = texts[name], let after = now[name] else { return "past \(clock) \(name): only once" }
      return Self.firstDifference(before, after).map { "past \(clock) \(name): \($0)" }
    }
  }

  private static func firstDifference(_ before: String, _ after: String) -> String? {
    guard before != after else { return nil }
    let old = before.split(separator: "\n", omittingEmptySubsequences: false)
    let new = after.split(separator: "\n", omittingEmptySubsequences: false)
    for index in 0..<max(old.count, new.count) {
      let (left, right) = (index < old.count ? old[index] : "nothing", index < new.count ? new[index] : "nothing")
      if left != right { return "then \(left) | now \(right)" }
    }
    return "line ends"
  }
}
