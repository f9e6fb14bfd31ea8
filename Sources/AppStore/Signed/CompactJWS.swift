internal import Cryptography
internal import Glibc
internal import JSON
internal import Wording

/// The three segments of a compact JWS.
///
/// - Source: RFC 7515, 3.1 and 7.1.
struct CompactJWS {
  var header: ArraySlice<UInt8>
  var payload: ArraySlice<UInt8>
  var signature: ArraySlice<UInt8>
  private let text: ArraySlice<UInt8>

  /// Splits the text at its dots. Returns nil when there are not exactly two.
  init?(_ text: ArraySlice<UInt8>) {
    guard let first = Self.dot(in: text), let second = Self.dot(in: text[(first + 1)...]),
      Self.dot(in: text[(second + 1)...]) == nil, first > text.startIndex
    else { return nil }
    header = text[..<first]
    payload = text[(first + 1)..<second]
    signature = text[(second + 1)...]
    self.text = text
  }

  /// Returns the SHA-256 of the signed part (header and payload) and of the whole text; each byte is hashed once.
  ///
  /// - Parameter hashedHeader: the hash of the header, when it is known.
  func digests(after hashedHeader: SHA256Prefix?) -> (signed: [UInt8], textHex: String) {
    var hash = (hashedHeader ?? SHA256Prefix(header)).continued()
    hash.update(text[header.endIndex..<payload.endIndex])
    let signed = hash.copy().digest()
    hash.update(text[payload.endIndex...])
    return (signed, hash.hex())
  }
}

extension CompactJWS {
  /// Returns the index of the first dot. `memchr` compares many bytes at once.
  static func dot(in text: ArraySlice<UInt8>) -> Int? {
    unsafe text.withUnsafeBytes { buffer in
      guard let base = buffer.baseAddress, let found = unsafe memchr(base, Int32(UInt8(ascii: ".")), buffer.count) else {
        return nil
      }
      return unsafe text.startIndex + (UnsafeRawPointer(found) - base)
    }
  }
}

/// The reason why a signed item is rejected.
enum SignedFault: Error {
  case malformed(field: String, reason: Phrase)
  case forged(field: String, reason: Phrase)

  /// The field of a signature that cannot be read or does not hold.
  static let signature = "signature"
}

/// The header of Apple's JWS with its shape verified.
struct SignedHeader {
  var leaf: Certificate
  var intermediate: Certificate

  /// Length of Apple's chain: leaf, intermediate, root.
  private static let chainLength = 3

  init(_ segment: ArraySlice<UInt8>) throws(SignedFault) {
    guard let text = Base64.decodeURL(segment) else { throw .malformed(field: "header", reason: "signed.header_text") }
    let object: JSONObject
    do {
      object = try JSONObject(parsing: text[...])
    } catch {
      throw .malformed(field: "header", reason: Phrase("signed.header_json", ["why": error.phrase]))
    }
    if object.has("crit") { throw .malformed(field: "crit", reason: "signed.header_extensions") }
    let chain = try Self.certificates(object)
    guard object.string("alg") == "ES256" else { throw .forged(field: "alg", reason: "signed.algorithm") }
    guard let chain else { throw .forged(field: "x5c", reason: Phrase("signed.chain_length", ["count": .plain(Self.chainLength)])) }
    leaf = chain.leaf
    intermediate = chain.intermediate
  }

  /// Returns the first two certificates of `x5c`; nil when the header has fewer than three. More than three are an error.
  ///
  /// The third is not read, as in Apple's own libraries, because trust depends on the configured roots.
  private static func certificates(_ object: JSONObject) throws(SignedFault) -> (leaf: Certificate, intermediate: Certificate)? {
    guard let value = object["x5c"] else { return nil }
    guard case .array(let list) = value else { throw .malformed(field: "x5c", reason: "signed.chain_no_list") }
    var texts: [ArraySlice<UInt8>] = []
    for text in list.texts {
      guard let text else { throw .malformed(field: "x5c", reason: "signed.chain_no_text") }
      texts.append(text)
      guard texts.count <= chainLength else {
        throw .forged(field: "x5c", reason: Phrase("signed.chain_more", ["count": .plain(chainLength)]))
      }
    }
    var chain: [Certificate] = []
    for text in texts.prefix(2) {
      guard let der = Base64.decodeStandard(text), let certificate = Certificate(der: der) else {
        throw .malformed(field: "x5c", reason: Phrase("signed.certificate_unreadable", ["number": .plain(chain.count + 1)]))
      }
      chain.append(certificate)
    }
    return texts.count == chainLength ? (chain[0], chain[1]) : nil
  }
}
