import Domain
import JobCore
import Matching
import Reports
import TestSupport

/// What lists, reports and explanations said at a clock, to be held against what they say of it later.
struct Past {
  /// Lists of what is known and decided; the run ledger also tells of runs that were broken off.
  static let lists: [ExportList] = [
    .orders, .charges, .transactions, .evidence, .parked, .matches, .breaks, .pending, .signals, .cases, .subscriptions,
    .renewalsToBook,
  ]

  let clock: String
  private let ids: [String]
  /// What lists and reports were made with; other settings show other apps.
  private let settings: JobSettings
  private var texts: [String: String] = [:]

  /// - Parameter ids: orders to be explained.
  init(_ scenario: Scenario, clock: String, ids: [String]) async throws {
    self.clock = clock
    self.ids = ids
    settings = scenario.settings
    texts = try await Self.read(scenario, clock: clock, ids: ids)
  }

  private static func read(_ scenario: Scenario, clock: String, ids: [String]) async throws -> [String: String] {
    var texts: [String: String] = [:]
    for list in lists {
      texts[list.rawValue] = String(decoding: try await scenario.export(list, asOf: clock), as: UTF8.self)
    }
    for (name, text) in try await scenario.report(.all, asOf: clock) { texts["report \(name)"] = text }
    for id in ids {
      // An order that is told of only later is not known.
      texts["explain \(id)"] = (try? await ExplainJob(context: scenario.context(asOf: clock)).explain(id)) ?? ""
    }
    return texts
  }

  /// What is told otherwise now: the first line that differs of each text.
  func differences(_ scenario: Scenario) async throws -> [String] {
    var then = scenario
    then.settings = settings
    let now = try await Self.read(then, clock: clock, ids: ids)
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
