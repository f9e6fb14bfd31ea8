@Test(arguments: [
  ("", true), (" ", true), ("\n\t ", true), ("\u{A0}", true), ("\u{200B}\u{FEFF}", true), ("\u{0}", true), ("x", false), (" . ", false),
  ("\u{4F8B}", false), ("\u{1F600}", false),
])
func `invisible text is not a valid reason, owner or name`(text: String, isBlank: Bool) { #expect(text.isBlank == isBlank) }
