/// The wrapper line that names the sender of a piece of evidence.
@Suite struct EvidenceWrapperTests {
  @Test func everyFieldIsRead() throws {
    let line = """
      {"evidence":"a.b.c","received_at":"2026-05-01T08:00:00+08:00","source":"client","user_id":"U1",\
      "device_id":"D1","order_id":"O1"}
      """
    let wrapper = try Self.parse(line)
    #expect(wrapper.evidence == Array("a.b.c".utf8))
    #expect(wrapper.receivedAt?.rfc3339 == "2026-05-01T00:00:00Z")
    #expect(wrapper.source == .client)
    #expect(wrapper.userID == "U1")
    #expect(wrapper.deviceID == "D1")
    #expect(wrapper.orderID == "O1")
  }

  @Test(arguments: ["a.b.c", #"{"signedPayload":"a.b.c"}"#, "{", "", #"{"evidence":"a","evidence":"b"}"#])
  func otherLinesAreNotWrappers(_ line: String) {
    guard case .notAWrapper = EvidenceWrapper.parse(Array(line.utf8)) else {
      Issue.record("read as a wrapper")
      return
    }
  }

  private static func wrapper(_ members: String) throws -> EvidenceWrapper {
    try parse(#"{"evidence":"a.b.c","device_id":"D1",\#(members)}"#)
  }

  private static func parse(_ line: String) throws -> EvidenceWrapper {
    guard case .wrapper(let wrapper) = EvidenceWrapper.parse(Array(line.utf8)) else { throw NoWrapper(line: line) }
    return wrapper
  }

  private struct NoWrapper: Error { var line: String }

  /// Values as servers log them: ids as numbers, instants since 1970.
  @Test(arguments: [
    (#""user_id":12345,"order_id":777"#, "12345 777"), (#""user_id":9007199254740993,"order_id":"""#, "9007199254740993 "),
    (#""received_at":1777600800"#, "2026-05-01T02:00:00Z"), (#""received_at":1777600800.25"#, "2026-05-01T02:00:00.250Z"),
    (#""received_at":1777600800123"#, "2026-05-01T02:00:00.123Z"), (#""received_at":"1777600800123.7""#, "2026-05-01T02:00:00.123Z"),
    (#""received_at":"1777600800""#, "2026-05-01T02:00:00Z"), (#""received_at":"2026-05-01T10:00:00+0800""#, "2026-05-01T02:00:00Z"),
    (#""received_at":"2026-05-01 10:00:00.5+08:00""#, "2026-05-01T02:00:00.500Z"),
  ]) func numbersAreRead(_ members: String, _ read: String) throws {
    let wrapper = try Self.wrapper(members)
    #expect(wrapper.notes == [])
    #expect(wrapper.receivedAt.map(\.rfc3339) ?? "\(wrapper.userID ?? "") \(wrapper.orderID ?? "")" == read)
  }

  /// An unreadable member of the wrapper affects neither the evidence nor the other members.
  @Test(arguments: [
    (#""received_at":"2026-05-01""#, "received_at"), (#""received_at":"yesterday""#, "received_at"), (#""received_at":0"#, "received_at"),
    (#""received_at":-5"#, "received_at"), (#""received_at":"9999-01-01T00:00:00Z""#, "received_at"), (#""received_at":[]"#, "received_at"),
    (#""source":"rumour""#, "source"), (#""source":{}"#, "source"), (#""user_id":1.5"#, "user_id"), (#""user_id":true"#, "user_id"),
    (#""user_id":"\u0000""#, "user_id"), (#""order_id":""# + String(repeating: "x", count: 256) + #"""#, "order_id"),
  ]) func unreadableMembersAreOmitted(_ members: String, _ field: String) throws {
    let wrapper = try Self.wrapper(members)
    #expect(wrapper.notes.map(\.field) == [field])
    #expect(wrapper.evidence == Array("a.b.c".utf8))
    #expect(wrapper.deviceID == "D1")
    #expect(wrapper.receivedAt == nil && wrapper.source == nil && wrapper.userID == nil && wrapper.orderID == nil)
  }

  @Test func unwrappedBodyIsEvidence() throws {
    let wrapper = try Self.parse(#" {"evidence": {"signedPayload": "a.b.c"}}"#)
    #expect(wrapper.evidence == Array(#"{"signedPayload": "a.b.c"}"#.utf8))
  }

  @Test(arguments: [#"{"evidence":[]}"#, #"{"evidence":7}"#, #"{"evidence":null}"#]) func wrapperWithoutEvidenceIsRefused(_ line: String) {
    guard case .refused(let field, let reason) = EvidenceWrapper.parse(Array(line.utf8)) else {
      Issue.record("not refused")
      return
    }
    #expect(field == "evidence" && reason.english == "evidence is neither a text nor a JSON object")
  }
}
