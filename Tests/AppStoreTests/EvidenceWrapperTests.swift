import AppStore
import Domain
import Testing

/// The line that says who sent a piece of evidence.
@Suite struct EvidenceWrapperTests {
  @Test func everyFieldIsRead() throws {
    let line = """
      {"evidence":"a.b.c","received_at":"2026-05-01T08:00:00+08:00","source":"client","user_id":"U1",\
      "device_id":"D1","order_id":"O1"}
      """
    guard case .wrapper(let wrapper) = EvidenceWrapper.parse(Array(line.utf8)) else {
      Issue.record("not read as a wrapper")
      return
    }
    #expect(wrapper.evidence == Array("a.b.c".utf8))
    #expect(wrapper.receivedAt?.rfc3339 == "2026-05-01T00:00:00Z")
    #expect(wrapper.source == .client)
    #expect(wrapper.userID == "U1")
    #expect(wrapper.deviceID == "D1")
    #expect(wrapper.orderID == "O1")
  }

  @Test(arguments: ["a.b.c", #"{"signedPayload":"a.b.c"}"#, "{", "", #"{"evidence":"a","evidence":"b"}"#])
  func otherLinesAreNone(_ line: String) {
    guard case .notAWrapper = EvidenceWrapper.parse(Array(line.utf8)) else {
      Issue.record("read as a wrapper")
      return
    }
  }

  @Test(arguments: [
    (#"{"evidence":{}}"#, "evidence"), (#"{"evidence":"a","received_at":"2026-05-01"}"#, "received_at"),
    (#"{"evidence":"a","source":"rumour"}"#, "source"), (#"{"evidence":"a","user_id":7}"#, "user_id"),
    (#"{"evidence":"a","device_id":"\u0000"}"#, "device_id"),
    (#"{"evidence":"a","order_id":""# + String(repeating: "x", count: 256) + #""}"#, "order_id"),
  ]) func refusalNamesTheField(_ test: (line: String, field: String)) {
    guard case .refused(let field, _) = EvidenceWrapper.parse(Array(test.line.utf8)) else {
      Issue.record("not refused")
      return
    }
    #expect(field == test.field)
  }
}
