/// Addresses are read as libpq reads them, and no message shows a part of one that may be a password.
@Suite struct ServerAddressTests {
  @Test(arguments: [
    "", "shop", "host=/tmp dbname=shop user='a b'", "postgresql:///shop?host=/tmp", "postgres://shop:Tr0ub%40dor@db.example.com:5433/shop",
    "postgresql://shop:Tr0ub?dor@127.0.0.1/shop", "postgresql://shop@one:5432,two:5433/shop?target_session_attrs=primary",
  ])
  func addresses(_ text: String) { #expect(ServerAddress(text) != nil) }

  @Test(arguments: [
    "postgresql://shop:Tr0ub%dor&3x@db.example.com/shop", "host=127.0.0.1 user=shop password=Tr0ub dor3 dbname=shop",
    "host=127.0.0.1 password='Tr0ubdor3", "postgresql://shop:Tr0ub@dor3@127.0.0.1/shop", "postgresql://shop:Tr0ub/dor3@127.0.0.1/shop",
    "postgresql://shop:12/dor3@127.0.0.1/shop", "postgresql:///shop?bogus=1", "shop:Tr0ub@127.0.0.1", "host=127.0.0.1 port=0",
  ])
  func texts(_ text: String) { #expect(ServerAddress(text) == nil) }

  @Test func messagesNameNeitherUserNorPassword() throws {
    let address = try #require(ServerAddress("postgresql://ann:Tr0ub@db.example.com/shop"))
    let message = address.redacted("host \"db.example.com\": password authentication failed for user \"ann\" of \"shop\" (\"Tr0ub\")")
    #expect(message == "host \"db.example.com\": password authentication failed for user \"…\" of \"shop\" (\"…\")")
    let same = try #require(ServerAddress("user=shop dbname=shop"))
    #expect(same.redacted("user \"shop\", database \"shop\"") == "user \"…\", database \"shop\"")
  }
}
