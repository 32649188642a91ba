/// The subject of a delivery report, encoded in the number that its record was produced with.
package struct DeliveryID: Sendable {
    package enum Subject: Sendable, Equatable {
        case ledger(WriteID, record: Int)
        case outcome(WriteID)
        case deadLetter(WriteID)
    }

    package let number: UInt64

    /// The highest bits contain the subject; a batch has fewer than a million records.
    private static let ledgerBit: UInt64 = 1 << 63
    private static let letterBit: UInt64 = 1 << 62

    package init(ledger id: WriteID, record index: Int) {
        number = Self.ledgerBit | id.number << 20 | UInt64(index)
    }

    package init(outcome id: WriteID) { number = id.number }

    package init(deadLetter id: WriteID) { number = Self.letterBit | id.number }

    package init(_ number: UInt64) { self.number = number }

    /// `nil` for other records: ids start at one.
    package var subject: Subject? {
        if number & Self.ledgerBit != 0 {
            return .ledger(WriteID((number & ~Self.ledgerBit) >> 20), record: Int(number & 0xFFFFF))
        }
        let id = WriteID(number & ~Self.letterBit)
        guard id.number > 0 else { return nil }
        return number & Self.letterBit == 0 ? .outcome(id) : .deadLetter(id)
    }
}
