internal import COpenSSL

/// Trusted root certificates, against which chains are verified.
public struct TrustStore: Sendable {
  /// OpenSSL follows only one of several roots with the same name, so each store has one root of a name.
  private let stores: [RootStore]
  public let count: Int

  public init(roots: [Certificate]) {
    var groups: [[Certificate]] = []
    for root in roots {
      if let free = groups.firstIndex(where: { !$0.contains { $0.hasSubject(of: root) } }) {
        groups[free].append(root)
      } else {
        groups.append([root])
      }
    }
    stores = groups.map(RootStore.init)
    count = roots.count
  }

  /// Returns the trusted root of the chain `leaf`, `intermediate`, root; nil when there is none. Of a root and its renewal, it is the one
  /// that was valid for most of the leaf's validity.
  ///
  /// Validity times are not checked.
  /// - Source: RFC 5280, 6; OpenSSL, X509_verify_cert.
  public func root(leaf: Certificate, intermediate: Certificate) -> Certificate? {
    stores.compactMap { $0.root(leaf: leaf, intermediate: intermediate) }.max {
      Self.commonSeconds($0, leaf) < Self.commonSeconds($1, leaf)
    }
  }

  private static func commonSeconds(_ one: Certificate, _ other: Certificate) -> Int64 {
    min(one.notAfter, other.notAfter) - max(one.notBefore, other.notBefore)
  }
}

/// Safe to share: OpenSSL locks a store's state, and no root is added later.
@safe private final class RootStore: @unchecked Sendable {
  private let store: OpaquePointer?

  init(roots: [Certificate]) {
    unsafe store = X509_STORE_new()
    for root in roots { _ = unsafe X509_STORE_add_cert(store, root.pointer) }
    // The caller compares validity with the signing time. Strict RFC 5280 checks would reject Apple's own test chain.
    _ = unsafe X509_STORE_set_flags(store, UInt(X509_V_FLAG_NO_CHECK_TIME))
  }

  deinit { unsafe X509_STORE_free(store) }

  func root(leaf: Certificate, intermediate: Certificate) -> Certificate? {
    guard let context = unsafe X509_STORE_CTX_new(), let untrusted = unsafe payrecon_x509_stack_new() else { return nil }
    defer {
      unsafe X509_STORE_CTX_free(context)
      unsafe payrecon_x509_stack_free(untrusted)
      ERR_clear_error()
    }
    _ = unsafe payrecon_x509_stack_push(untrusted, intermediate.pointer)
    guard unsafe X509_STORE_CTX_init(context, store, leaf.pointer, untrusted) == 1,
      unsafe X509_verify_cert(context) == 1
    else { return nil }
    let chain = unsafe X509_STORE_CTX_get0_chain(context)
    guard unsafe payrecon_x509_stack_count(chain) == 3,
      let second = unsafe payrecon_x509_stack_value(chain, 1), unsafe X509_cmp(second, intermediate.pointer) == 0,
      let third = unsafe payrecon_x509_stack_value(chain, 2)
    else { return nil }
    return unsafe Certificate(copying: third)
  }
}
