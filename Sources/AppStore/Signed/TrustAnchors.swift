public import Cryptography
internal import FoundationEssentials

/// The reason why trusted roots cannot be read.
public struct TrustAnchorError: Error, CustomStringConvertible {
  public let description: String
}

/// The root certificates that every signature chain must end in.
public struct TrustAnchors: Sendable {
  public let certificates: [Certificate]

  /// Maximum number of roots read from one folder.
  private static let rootsMax = 100
  private static let endings = [".cer", ".der", ".crt", ".pem"]

  public init(certificates: [Certificate]) { self.certificates = certificates }

  /// SHA-256 over the sorted hashes of the certificates.
  public var sha256: String {
    SHA256.hex(Array(Set(certificates.map { SHA256.hex($0.der) }).sorted().joined(separator: "\n").utf8))
  }

  /// Reads every certificate of a folder, DER or PEM, by file extension.
  ///
  /// - Throws: `TrustAnchorError` when the folder or a file cannot be read, or contains no certificate.
  public init(directory: String) throws {
    var found: [Certificate] = []
    for name in try Self.names(directory) {
      let path = "\(directory)/\(name)"
      guard let data = FileManager.default.contents(atPath: path) else {
        throw TrustAnchorError(description: "could not read trusted root \"\(path)\": check that this account may read it")
      }
      let bytes = [UInt8](data)
      let read = Certificate(der: bytes).map { [$0] } ?? Certificate.pem(bytes)
      guard !read.isEmpty else {
        throw TrustAnchorError(description: "could not read trusted root \"\(path)\": it holds no certificate")
      }
      found += read
    }
    guard !found.isEmpty, found.count <= Self.rootsMax else {
      throw TrustAnchorError(
        description: "could not use trusted roots in \"\(directory)\": found \(found.count) certificates, "
          + "need 1 to \(Self.rootsMax) (.cer, .der, .crt or .pem)")
    }
    certificates = found
  }

  private static func names(_ directory: String) throws -> [String] {
    do {
      let all = try FileManager.default.contentsOfDirectory(atPath: directory)
      return all.filter { name in endings.contains { name.lowercased().hasSuffix($0) } }.sorted()
    } catch {
      throw TrustAnchorError(
        description: "could not read the folder of trusted roots \"\(directory)\": check that it is there and may be read")
    }
  }

  /// Returns the roots of a folder, or Apple's own if no folder is named.
  public static func trusted(in directory: String?, else appleFolders: [String]) throws -> TrustAnchors {
    try directory.map { try TrustAnchors(directory: $0) } ?? apple(folders: appleFolders)
  }

  /// Returns Apple's published roots, which are shipped with the program.
  ///
  /// - Parameter folders: folders to search; the first that has them is used.
  /// - Source: https://www.apple.com/certificateauthority/
  /// - Throws: `TrustAnchorError` when none of the folders has them.
  public static func apple(folders: [String]) throws -> TrustAnchors {
    for folder in folders where FileManager.default.fileExists(atPath: "\(folder)/AppleRootCA-G3.cer") {
      return try TrustAnchors(directory: folder)
    }
    throw TrustAnchorError(
      description: "could not find Apple's root certificates; looked in \(folders.joined(separator: ", "));"
        + " set PAYRECON_APPLE_ROOTS to a folder that has them")
  }
}
