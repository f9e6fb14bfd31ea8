internal import NIOCore

public enum NetworkAddress {
  /// Whether a text is an IPv4 or IPv6 address, not a name.
  public static func isIP(_ text: String) -> Bool { (try? SocketAddress(ipAddress: text, port: 0)) != nil }
}
