internal import Cryptography
internal import Domain
internal import HTTPTypes
internal import JobCore
internal import Matching
internal import Postgres
internal import Wording

extension CaseController {
  /// Returns the decoded fields of an evidence item. The raw bytes have a separate link.
  func evidence(_ hash: String, of caseID: String?) async throws -> Page {
    let (fields, chain, count) = try await fields(of: hash, caseID)
    var page = Page(
      title: Phrase("evidence.title", ["hash": .plain(ShownID.short(hash))]), visit: visit,
      subtitle: Phrase("evidence.subtitle", ["hash": .plain(hash), "count": .plain("\(count)")], counting: count))
    var fieldTable = ReportTable(columns: ["part", "name", "value"], rows: fields.map { [$0.part, $0.name, dated($0)] })
    fieldTable.isTruncated = fields.count == ConsoleLimits.evidenceFieldsMax
    let verdict = try await table(ConsoleSQL.evidenceHead, ["sha256": .text(hash)])
    let signers = ReportTable(
      columns: ["certificate", "issuer", "valid_from", "valid_to"],
      rows: chain.map { certificate in
        let ends = [certificate.notBefore, certificate.notAfter].map { Timestamp(microseconds: $0 * 1_000_000).rfc3339 }
        return [certificate.subjectName, certificate.issuerName] + ends
      })
    page.sections = [
      Section("evidence.verdict", verdict, isLinked: visit.seesAll, isCompact: true, isFacts: true),
      Section("evidence.chain", signers, note: "evidence.chain_note", empty: "evidence.chain_none"),
      Section("evidence.says", fieldTable, note: "evidence.says_note", empty: "evidence.says_none"),
    ]
    let place = caseID.map { "/cases/\($0)/evidence/\(hash)" } ?? "/evidence/\(hash)"
    if visit.canWork { page.fields["raw"] = "\(place)/raw" }
    page.back = caseID.map { "/cases/\($0)" } ?? (visit.seesAll ? "/search?q=\(hash)" : "/queue")
    return page
  }

  /// Digits of an instant in milliseconds since 1970, from 2001 to 2286.
  private static let instantDigits = 13

  /// Returns the value of a field. An instant in milliseconds is followed by its date and time.
  ///
  /// - Source: Apple's signed payloads name instants `…Date`, its receipts `…_date_ms`.
  private func dated(_ field: EvidenceText.Field) -> String {
    guard field.name.hasSuffix("Date") || field.name.hasSuffix("_date_ms"), field.value.utf8.count == Self.instantDigits,
      let milliseconds = Int64(field.value)
    else { return field.value }
    return "\(field.value) (\(visit.reader.exact(Timestamp(microseconds: milliseconds * 1000))))"
  }

  func fields(of hash: String, _ caseID: String?) async throws -> (fields: [EvidenceText.Field], chain: [Certificate], count: Int) {
    let bytes = try await bytes(of: hash, caseID)
    try await viewed(hash, [.text("part", "decoded")])
    return (EvidenceText.fields(of: bytes), EvidenceText.chain(of: bytes), bytes.count)
  }

  /// Returns the bytes with a hash. A read-only account is refused, because the bytes could be submitted again.
  func rawEvidence(_ hash: String, of caseID: String?) async throws -> [UInt8] {
    guard visit.canWork else { throw ConsoleFault.notAllowed }
    let bytes = try await bytes(of: hash, caseID, isHashed: true)
    try await viewed(hash, [.text("part", "raw")])
    return bytes
  }

  private func bytes(of hash: String, _ caseID: String?, isHashed: Bool = false) async throws -> [UInt8] {
    guard Self.isID(hash, digits: 64) else { throw ConsoleFault.notThere }
    if let caseID {
      let items = try await items(of: try await head(of: caseID))
      let known = try await table(ConsoleSQL.evidenceOf, about: withCounterparts(Self.ids(of: items)).ids)
      guard try known.records.contains(where: { try $0.text("sha256") == hash }) else { throw ConsoleFault.notThere }
    } else {
      try checkSeesAll()
    }
    let bytes: [UInt8]
    let explain = ExplainJob(context: context)
    do {
      bytes = try await isHashed ? explain.hashedText(hash).bytes : explain.evidenceBytes(hash)
    } catch is JobError { throw ConsoleFault.notThere }
    guard bytes.count <= ConsoleLimits.evidenceBytesMax else {
      throw ConsoleFault(status: .contentTooLarge, message: Phrase("fault.evidence_size", ["hash": .plain(hash)]))
    }
    return bytes
  }
}
