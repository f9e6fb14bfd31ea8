import FoundationEssentials
import Glibc

/// Colours and sizes of the pages: one stylesheet names them, and every text can be read.
///
/// Source: WCAG 2.2, success criterion 1.4.3 and the definition of relative luminance.
@Suite struct ColourTests {
  private static let reports = "Sources/Reports/Templates"
  private static let contrastMin = 4.5
  private static let texts = ["ink", "soft", "accent", "good", "warn", "alarm"]
  private static let grounds = ["paper", "panel", "goodbg", "warnbg", "alarmbg"]

  /// Returns the colours of each look by role. Dark and print change some colours of light.
  private static func looks() throws -> [(look: String, colours: [String: String])] {
    let tokens = try Repository.text("\(reports)/tokens.css")
    let dark = try #require(tokens.firstRange(of: "@media screen and (prefers-color-scheme:dark)"))
    let print = try #require(tokens.firstRange(of: "@media print"))
    func colours(_ part: Substring) -> [String: String] {
      Dictionary(part.matches(of: /--([a-z]+[0-9]?):#([0-9a-f]{3,6})/).map { (String($0.output.1), String($0.output.2)) }) { $1 }
    }
    let light = colours(tokens[..<dark.lowerBound])
    return [
      ("light", light), ("dark", light.merging(colours(tokens[dark.lowerBound..<print.lowerBound])) { $1 }),
      ("print", light.merging(colours(tokens[print.lowerBound...])) { $1 }),
    ]
  }

  /// Returns the relative luminance of a colour of three or six hexadecimal digits.
  private static func luminance(_ colour: String) throws -> Double {
    let digits = colour.count == 3 ? colour.map { "\($0)\($0)" }.joined() : colour
    let number: Int = try #require(Int(digits, radix: 16))
    let parts = [16, 8, 0].map { (shift: Int) -> Double in
      let share = Double((number >> shift) & 255) / 255
      return share <= 0.04045 ? share / 12.92 : Glibc.pow((share + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }

  private static func contrast(_ first: String, _ second: String) throws -> Double {
    let both = try [luminance(first), luminance(second)].sorted()
    return (both[1] + 0.05) / (both[0] + 0.05)
  }

  @Test func contrastFollowsTheDefinition() throws {
    #expect(try Self.contrast("000", "ffffff") == 21)
    #expect(try abs(Self.contrast("767676", "fff") - 4.54) < 0.005)
    #expect(try Self.contrast("777", "fff") < Self.contrastMin)
  }

  @Test func everyTextCanBeRead() throws {
    for (look, colours) in try Self.looks() {
      // The main button writes with the paper's colour.
      for (text, ground) in Self.texts.flatMap({ text in Self.grounds.map { (text, $0) } }) + [("paper", "accent")] {
        let contrast = try Self.contrast(#require(colours[text]), #require(colours[ground]))
        #expect(contrast >= Self.contrastMin, "\(text) on \(ground), \(look): \(contrast)")
      }
    }
  }

  /// A text or background with another role would escape the test above.
  @Test func stylesheetsUseTheNames() throws {
    let known = Set(Self.texts + Self.grounds + ["line", "c1", "c2", "c3", "c4", "c5", "c6"])
    for path in ["\(Self.reports)/style.css", "\(Self.reports)/languages.css", "Sources/Console/Templates/console.css"] {
      let sheet = try Repository.text(path)
      #expect(sheet.firstMatch(of: /#[0-9a-f]{3,8}\b|rgba?\(|hsla?\(|font-size:[0-9.]|font:[0-9]/) == nil, "\(path)")
      for match in sheet.matches(of: /(?:^|[^-])color:var\(--([a-z0-9]+)\)/) {
        #expect(Self.texts.contains(String(match.output.1)) || match.output.1 == "paper", "\(path): \(match.output.0)")
      }
      for match in sheet.matches(of: /background:var\(--([a-z0-9]+)\)/) {
        #expect(known.contains(String(match.output.1)), "\(path): \(match.output.0)")
      }
    }
  }

  @Test func `the page has a row for every token, and names no other`() throws {
    let page = try Repository.text("Sources/payrecon/payrecon.docc/Reference/DesignTokens.md")
    var named = Set(page.matches(of: /`--([a-z0-9-]+)`/).map { String($0.output.1) })
    for (family, last) in [("space-", 5), ("c", 6)] { named.formUnion((1...last).map { "\(family)\($0)" }) }
    let tokens = Set(try Repository.text("\(Self.reports)/tokens.css").matches(of: /--([a-z0-9-]+):/).map { String($0.output.1) })
    #expect(named == tokens)
  }
}
