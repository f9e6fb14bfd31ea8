/// Decoder of CSV as the program writes it.
public enum CSVRows {
  public static func decode(_ bytes: [UInt8]) -> [[String: String]] {
    var records: [[String]] = []
    var record: [String] = []
    var field: [UInt8] = []
    var isQuoted = false
    var index = 0
    func text() -> String { String(decoding: field, as: UTF8.self) }
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\"") where isQuoted && index + 1 < bytes.count && bytes[index + 1] == byte:
        field.append(byte)
        index += 1
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: ",") where !isQuoted:
        record.append(text())
        field = []
      case 0x0A where !isQuoted:
        records.append(record + [text()])
        record = []
        field = []
      default: field.append(byte)
      }
      index += 1
    }
    guard let header = records.first else { return [] }
    return records.dropFirst().map { Dictionary(zip(header, $0)) { first, _ in first } }
  }
}
