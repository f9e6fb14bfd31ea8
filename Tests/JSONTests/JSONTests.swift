import Dice
import JSON
import Testing

/// Valid JSON, and reading it from its flat form.
struct JSONTests {
  private static func read(_ text: String) throws -> JSONObject {
    try JSONObject(parsing: Array("## \(text)".utf8)[3...])
  }

  @Test(arguments: [
    ("{}", ""), ("\u{FEFF} {\"a\" : 1}\n", "a"), ("{\"a\":{\"b\":[1,{\"c\":2}]},\"d\":null}", "a,d"),
    ("{\"a\\u0062\":true,\"\\ud83d\\ude00\":false}", "ab,😀"), ("{\"\":\"\"}", ""),
    ("{\"a\":-0.5e+10,\"b\":0,\"c\":[],\"d\":[[[]]],\"e\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"}", "a,b,c,d,e"),
  ])
  func `an object gives its members in their order`(text: String, names: String) throws {
    let object = try Self.read(text)
    #expect(object.members.map(\.name).joined(separator: ",") == names)
    for member in object.members { #expect(object.has(member.name)) }
    #expect(!object.has("nowhere"))
  }

  @Test func `values come out as they are written`() throws {
    let text = #"{"n":12345678901234567890.10,"t":"a\u00e9\n","l":[1,"x\/y",{"k":[]},null,true],"o":{"i":{}}}"#
    let object = try Self.read(text)
    guard case .number("12345678901234567890.10")? = object["n"], case .array(let list)? = object["l"] else {
      Issue.record("a value was read as another kind")
      return
    }
    #expect(object.string("t") == "aé\n")
    #expect(object.utf8("t").map(Array.init) == Array("aé\n".utf8))
    #expect(object.utf8("n") == nil)
    #expect(list.texts.map { $0.map { String(decoding: $0, as: UTF8.self) } } == [nil, "x/y", nil, nil, nil])
    #expect(list.map { "\($0)".prefix(4) }.count == 5)
    #expect(object.object("o").map { String(decoding: $0.text, as: UTF8.self) } == "{\"i\":{}}")
    #expect(object.text(of: "t").map { String(decoding: $0, as: UTF8.self) } == #""a\u00e9\n""#)
    #expect(String(decoding: object.text, as: UTF8.self) == text)
  }

  @Test func `names of members give the places of values`() throws {
    let text = #"{"a":"é\n","b":[1,{"a":-2e3,"c":""},[true]],"c":null,"d":{"b":"\\","\u0061":false},"e":[],"a2":"x"}"#
    let object = try Self.read(text)
    func values(_ names: Set<String>) -> [String] {
      object.valueRanges { names.contains($0) }.map { String(decoding: Array(text.utf8)[$0], as: UTF8.self) }
    }
    #expect(values(["a"]) == [#"é\n"#, "-2e3", "false"])
    #expect(values(["b", "c", "e"]) == ["1", "", "true", "null", #"\\"#])
    #expect(values(["d"]) == [])
  }

  @Test(arguments: [
    "", "[]", "1", "{", "}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{\"a\":1}x", "{\"a\":01}", "{\"a\":1.}",
    "{\"a\":.5}", "{\"a\":1e}", "{\"a\":-}", "{\"a\":tru}", "{\"a\":nul}", "{\"a\":'b'}", "{a:1}", "{\"a\":\"\u{1}\"}",
    "{\"a\":\"\\x\"}", "{\"a\":\"\\u12\"}", "{\"a\":\"\\ud800\"}", "{\"a\":\"\\ud800\\u0041\"}", "{\"a\":\"\\udc00\"}",
    "{\"a\":\"b}", "{\"a\":\"\\", "{\"a\":[1,]}", "{\"a\":[1 2]}", "{\"a\":1 \"b\":2}", "{\"a\":[}]",
    "{\"a\":\"\u{1F}\"}", "{\u{1F}\"a\":1}", "{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}", "{\"x\":{\"a\":1,\"a\":1}}",
  ])
  func `anything else is refused`(text: String) { #expect(throws: JSONFault.self) { try Self.read(text) } }

  @Test(arguments: [2, 32, 33, 34, 500])
  func `a repeated name is found among few and among many`(count: Int) throws {
    let names = (0..<count).map { "\"name\($0)\":\($0)" }
    #expect(try Self.read("{\(names.joined(separator: ","))}").members.reduce(0) { sum, _ in sum + 1 } == count)
    for again in ["name0", "name\(count - 1)", "nam\\u0065\(count / 2)"] {
      let fault = #expect(throws: JSONFault.self) { try Self.read("{\(names.joined(separator: ",")),\"\(again)\":0}") }
      #expect(fault?.key == "json.repeated")
    }
  }

  @Test func `bytes that are not UTF-8 are refused with their place`() throws {
    let bytes = Array("{\"a\":\"".utf8) + [0xFF] + Array("\"}".utf8)
    let fault = #expect(throws: JSONFault.self) { try JSONObject(parsing: bytes[...]) }
    #expect(fault?.offset == 6)
  }

  @Test(arguments: [0, 1])
  func `the limits of depth and of values are exact`(excess: Int) throws {
    let depth = JSONLimits.depthMax - 1 + excess
    let deep = "{\"a\":" + String(repeating: "[", count: depth - 1) + "1" + String(repeating: "]", count: depth - 1) + "}"
    let many =
      Array("{\"a\":[0".utf8) + repeatElement(Array(",0".utf8), count: JSONLimits.valuesMax - 3 + excess).joined()
      + Array("]}".utf8)
    if excess == 0 {
      #expect(throws: Never.self) { try Self.read(deep) }
      #expect(throws: Never.self) { try JSONObject(parsing: many[...]) }
    } else {
      #expect(throws: JSONFault.self) { try Self.read(deep) }
      let fault = #expect(throws: JSONFault.self) { try JSONObject(parsing: many[...]) }
      #expect(fault?.key == "json.values")
    }
  }

  @Test(
    arguments: [
      ("{}", JSONOutline.State.complete), (" [1,\n{\"a\":\"]}\\\"\"}] \n", .complete), ("\"text\"", .complete),
      ("{", .open), ("[", .open), ("{\"a\":", .open), ("{\"a\":\"x", .open), ("[1,", .open), ("{\"a\":1.5", .open),
      ("{\"a\":tr", .open), ("", .open), ("{\"a\"", .open), ("[{}", .open),
      ("[eyJ", .broken), ("[MII", .broken), ("{{", .broken), ("{\"a\":1,{", .broken), ("{\"a\":\"x\n", .broken),
      ("{}{", .broken), ("[}", .broken), ("[{}{", .broken), ("{\"a\" 1", .broken), ("[1,]", .broken), ("{,", .broken),
    ] as [(String, JSONOutline.State)])
  func `the state of an outline depends on the text, not on its pieces`(text: String, state: JSONOutline.State) {
    let bytes = Array(text.utf8)
    var whole = JSONOutline()
    let found = whole.follow(bytes.span)
    #expect(found == state)
    var pieces = JSONOutline()
    for byte in bytes {
      let piece = [byte]
      pieces.follow(piece.span)
    }
    #expect(pieces.state == state)
  }

  /// The outline calls every text complete that the strict reader accepts. Nothing traps.
  @Test func `noise is read by both in the same way or refused`() {
    var dice = Dice(seed: 20_261_122)
    func random(_ bound: Int) -> Int { dice.below(bound) }
    let parts = ["{", "}", "[", "]", ",", ":", "\"a\"", "\"b\"", "1", "-", "null", "true", " ", "\\", "\"", "\u{FF}"]
    for _ in 0..<20_000 {
      let text = "{" + (0..<random(12)).map { _ in parts[random(parts.count)] }.joined()
      guard (try? Self.read(text)) != nil else { continue }
      let bytes = Array(text.utf8)
      let isComplete = JSONOutline.isComplete(bytes.span)
      #expect(isComplete, "\(text)")
    }
  }
}
