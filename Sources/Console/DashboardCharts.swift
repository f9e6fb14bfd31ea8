internal import Domain
internal import JobCore
internal import Wording

/// The dashboard's plots. Words are text, bars are SVG, and both link to the cases that they count.
enum DashboardCharts {
  /// Classes with a separate bar. The number of the others is stated below.
  static let barsMax = 15
  /// Decided cases from which the share of a rule's confirmed cases is stated.
  static let judgedMin = 10
  private static let height: Int128 = 120

  /// Bars of one colour, one per day.
  struct Series {
    var label: Phrase
    /// Class of the colour, such as `k2`.
    var tone: String
    var values: [Int128]
    /// Returns the address of the cases of a day, from its date.
    var address: (String) -> String
  }

  /// Draws `waiting_names.sql`: pending cases by class and rule, with the overdue part of each.
  static func classes(_ table: ReportTable, in words: Catalogue) throws -> String {
    let rows = table.records.prefix(barsMax)
    let top = try rows.map { try $0.int("case_count") }.max() ?? 0
    guard top > 0 else { return "" }
    let bars = try rows.map { row in
      let (name, count, late) = try (row.text("about"), row.int("case_count"), row.int("late"))
      let place = "/queue?name=\(PercentEncoding.of(name))"
      let overdue = late == 0 ? "" : " <small>\(link("\(place)&late=yes", words("chart.overdue", ["count": "\(late)"])))</small>"
      return item(
        link(place, label(name, words)), bar(0, count, of: top, "k2") + bar(0, late, of: top, "k5"),
        link(place, words("chart.pending", ["count": "\(count)"])) + overdue)
    }
    let rest = table.records.count - rows.count
    return list(bars) + (rest > 0 ? "<p class=\"legend\">\(Markup.escaped(words("chart.class_rest", ["count": "\(rest)"])))</p>" : "")
  }

  /// Draws `precision.sql`: the confirmed share of each rule's cases, with its interval of confidence.
  static func precision(_ table: ReportTable, in words: Catalogue) throws -> String {
    let bars = try table.records.map { row in
      let (rule, hits, all) = try (row.text("rule"), row.int("confirmed"), row.int("decided"))
      let title = link("/rules/\(PercentEncoding.of(rule))", label(rule, words))
      guard all >= judgedMin else {
        let text = words("chart.precision_few", ["hits": "\(hits)", "count": "\(all)"])
        return item(title, "", link("/decided?name=\(PercentEncoding.of(rule))", text))
      }
      let (low, high) = WilsonInterval.percent(hits: hits, of: all)
      let share = Int(100 * hits / max(1, all))
      let text = words(
        "chart.precision",
        ["share": "\(share)", "low": "\(low)", "high": "\(high)", "hits": "\(hits)", "count": "\(all)"])
      return item(
        title,
        bar(Int128(low), Int128(high - low), of: 100, "k3") + bar(Int128(max(0, share - 1)), 1, of: 100, "k1"),
        link("/decided?name=\(PercentEncoding.of(rule))", text))
    }
    return bars.isEmpty ? "" : list(bars)
  }

  static func days(_ days: [String], _ series: [Series], title: Phrase, in words: Catalogue) -> String {
    let top = series.flatMap(\.values).max() ?? 0
    guard top > 0, days.count > 1 else { return "" }
    let room = 100 / Double(days.count)
    let width = room * 0.9 / Double(series.count)
    let shown = days.dropLast() + [words("chart.unfinished", ["day": days[days.count - 1]])]
    var svg = ""
    for (place, one) in series.enumerated() {
      for (index, (day, value)) in zip(days, one.values).enumerated() where value > 0 {
        let high = max(2, height * value / top)
        let label = Markup.escaped(words("chart.day", ["day": shown[index], "name": words(one.label), "count": "\(value)"]))
        let x = Double(index) * room + Double(place) * width
        let address = Markup.escaped(one.address(day))
        svg +=
          "<a href=\"\(address)\" aria-label=\"\(label)\"><title>\(label)</title><rect class=\"\(one.tone)\" "
          + "x=\"\(tenths(x))%\" y=\"\(height - high)\" width=\"\(tenths(width))%\" height=\"\(high)\"/></a>"
      }
    }
    let legend = series.map { one in
      "<span><svg aria-hidden=\"true\"><rect class=\"\(one.tone)\" width=\"12\" height=\"12\"/></svg> "
        + "\(Markup.escaped(words(one.label)))</span>"
    }
    return "<p class=\"legend\">\(legend.joined())</p><div class=\"scaled\"><p class=\"scale\"><span>\(top)</span><span>0</span></p>"
      + "<svg class=\"days\" role=\"group\" aria-label=\"\(Markup.escaped(words(title)))\">\(svg)</svg>"
      + "<p class=\"ends\"><span>\(days[0])</span><span>\(Markup.escaped(shown[shown.count - 1]))</span></p></div>"
  }

  /// Returns the title of a class, or that of a rule, marked as a rule.
  private static func label(_ name: String, _ words: Catalogue) -> String {
    let title = Headline.title(of: name)
    return words(Headline.isRule(name) ? Phrase("chart.rule", ["rule": .plain(name), "title": title]) : title)
  }

  private static func list(_ items: [String]) -> String { "<ol class=\"bars\">\(items.joined())</ol>" }

  private static func item(_ label: String, _ bars: String, _ text: String) -> String {
    "<li><span>\(label)</span><svg aria-hidden=\"true\">\(bars)</svg><b>\(text)</b></li>"
  }

  private static func link(_ address: String, _ text: String) -> String {
    "<a href=\"\(Markup.escaped(address))\">\(Markup.escaped(text))</a>"
  }

  private static func bar(_ start: Int128, _ length: Int128, of top: Int128, _ tone: String) -> String {
    let share = { (value: Int128) in tenths(100 * Double(value) / Double(top)) }
    return "<rect class=\"\(tone)\" x=\"\(share(start))%\" width=\"\(share(length))%\" height=\"14\"/>"
  }

  private static func tenths(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }
}
