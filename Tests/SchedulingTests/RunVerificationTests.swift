import Cryptography
import FoundationEssentials
import SystemCalls

private struct Folder {
  let path = "\(Temporary.directory)/payrecon-verify-\(UUID().uuidString)"

  init(_ files: [String: String], asOf: String = "2026-05-10T00:00:00Z") throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    CleanUp.afterTest { [path] in try? FileManager.default.removeItem(atPath: path) }
    var entries: [String] = []
    for (name, text) in files.sorted(by: { $0.key < $1.key }) {
      try write(name, text)
      let bytes = Array(text.utf8)
      entries.append("{\"name\":\"\(name)\",\"bytes\":\(bytes.count),\"sha256\":\"\(SHA256.hex(bytes))\"}")
    }
    let head = "\"report\":\"daily\",\"as_of\":\"\(asOf)\",\"run_id\":\"nightly-1\",\"settings_sha256\":\"00\",\"code_version\":\"1\""
    try write("manifest.json", "{\(head),\"verdict\":\"clean\",\"files\":[\(entries.joined(separator: ","))]}")
  }

  func write(_ name: String, _ text: String) throws { try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)")) }
}

private let breaks = "break_id,class,age_days,detail\nb1,TX_NO_ORDER,1,\"one, \"\"two\"\"\"\nb2,DUP_CHARGE,4,x\n"

@Suite(.cleansUp) struct RunVerificationTests {
  @Test func everyChangedByteIsNamed() async throws {
    let folder = try Folder(["breaks.csv": breaks, "daily.csv": "day\n2026-05-10\n"])
    #expect(try await RunVerification(context: nil).verify(directory: folder.path).findings.isEmpty)
    let bytes = Array(breaks.utf8)
    for index in stride(from: 0, to: bytes.count, by: 7) {
      var changed = bytes
      changed[index] ^= 1
      try folder.write("breaks.csv", String(decoding: changed, as: UTF8.self))
      let findings = try await RunVerification(context: nil).verify(directory: folder.path).findings
      #expect(findings.map(\.file) == ["breaks.csv"])
    }
  }

  @Test func missingAndAddedFilesAreNamed() async throws {
    let folder = try Folder(["breaks.csv": breaks, "daily.csv": "day\n"])
    try FileManager.default.removeItem(atPath: "\(folder.path)/daily.csv")
    try folder.write("extra.csv", "x")
    let findings = try await RunVerification(context: nil).verify(directory: folder.path).findings
    #expect(findings.map(\.file) == ["daily.csv", "extra.csv"])
  }

  @Test(arguments: ["", "{", "{}", "{\"files\":[{\"name\":\"../x\",\"bytes\":1,\"sha256\":\"0\"}]}"])
  func invalidManifestIsRefused(text: String) async throws {
    let folder = try Folder([:])
    try folder.write("manifest.json", text)
    await #expect(throws: JobError.self) { try await RunVerification(context: nil).verify(directory: folder.path) }
  }
}

private func differences(_ a: [String: String], _ b: [String: String], asOf: String) throws -> [RunDifference.Row] {
  try RunDifference.compareFolders(Folder(a).path, Folder(b, asOf: asOf).path).rows
}

@Suite(.cleansUp) struct RunDifferenceTests {
  @Test func rowsAreComparedByKey() throws {
    let later = "break_id,class,age_days,detail\nb1,TX_NO_ORDER,2,\"one, \"\"two\"\"\"\nb3,ORDER_NO_TX,0,y\n"
    let rows = try differences(["breaks.csv": breaks], ["breaks.csv": later], asOf: "2026-05-11T00:00:00Z")
    #expect(rows.map(\.key) == ["b1", "b2", "b3"])
    #expect(rows.map(\.change) == ["changed", "only in A", "only in B"])
    #expect(rows.map(\.isAgeOnly) == [true, false, false])
    #expect(rows.allSatisfy { $0.cause == "clock" })
    #expect(rows.first?.detail == "age_days 1 -> 2")
  }

  /// Figures of a day or month closed at the earlier clock change only through late facts.
  @Test(arguments: [
    ("days.csv", "bundle_id,day,tx_count\nr,2026-05-01,3\n", "3", "4", "late facts"),
    ("days.csv", "bundle_id,day,tx_count\nr,2026-05-09,3\n", "3", "4", "clock"),
    ("refund_months.csv", "scope,period,currency,by_refund_count\ncalendar,2026-04,CNY,3\n", ",3", ",4", "late facts"),
    ("refund_months.csv", "scope,period,currency,by_refund_count\ncalendar,2026-05,CNY,3\n", ",3", ",4", "clock"),
    ("roll_forward.csv", "scope,period,restates_period,currency,booked\ncalendar,2026-04,,CNY,3\n", ",3", ",4", "late facts"),
    ("roll_forward.csv", "scope,period,restates_period,currency,booked\nfiscal,2026-P07,,CNY,3\n", ",3", ",4", "clock"),
    ("tieout_bridge.csv", "fiscal_period,section,currency,line_no,amount\n2026-P07,customer,CNY,11,3\n", ",3", ",4", "clock"),
    ("restatement.csv", "period,slice,metric,delta\n2026-P07,CNY,unexplained,3\n", ",3", ",4", "clock"),
  ])
  func lateFactsExplainAChange(_ name: String, _ text: String, _ before: String, _ after: String, _ cause: String) throws {
    let later = text.replacing("\(before)\n", with: "\(after)\n")
    let rows = try differences([name: text], [name: later], asOf: "2026-06-12T00:00:00Z")
    #expect(rows.map(\.cause) == [cause], "\(rows)")
  }

  @Test func unexplainedChangeIsNamed() throws {
    let a = try Folder(["breaks.csv": breaks])
    let b = try Folder(["breaks.csv": breaks])
    #expect(try RunDifference.compareFolders(a.path, b.path).isEqual)
    try b.write("breaks.csv", breaks.replacing("DUP_CHARGE", with: "DUP_CHARGF"))
    let outcome = try RunDifference.compareFolders(a.path, b.path)
    #expect(outcome.rows.map(\.key) == ["b2"])
    #expect(outcome.rows.first?.cause.contains("changed by hand") == true)
    #expect(outcome.notes.contains { $0.contains("is not as its run wrote it") })
  }
}
