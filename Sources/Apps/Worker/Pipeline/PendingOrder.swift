import Publishing

/// An order to write on its way: what of it is confirmed, and what its topics have refused.
struct PendingOrder {
    var order: WriteOrder
    var confirmed: Parts = []
    var underWay: Parts = []
    var failure: String?
    var ledgerOffset: Int64?
    var letter = LetterForm.whole
    var outcome = OutcomeForm.whole
    /// Which of the ledgers.
    let ledger: Int
    /// Of the ledger.
    let partition: Int32

    /// The records of an order, as bits: a set for each event would cost allocations.
    struct Parts: OptionSet {
        let rawValue: UInt64

        static let outcome = Parts(rawValue: 1)
        static let deadLetter = Parts(rawValue: 2)
        static let ledger = Parts(rawValue: 4)

        init(rawValue: UInt64) {
            self.rawValue = rawValue
        }

        /// What a report speaks of: the lowest bits of its number tell.
        init(ofReport id: UInt64) {
            self.init(rawValue: 1 << (id & 3))
        }

        var reportBits: UInt64 { UInt64(rawValue.trailingZeroBitCount) }
    }

    /// How much of the original a dead letter carries.
    enum LetterForm {
        case whole
        /// The topic is too small for the value.
        case withoutValue
        /// Nor does it take key and headers.
        case factsOnly
        /// It takes nothing; the outcome says so.
        case none

        var next: LetterForm {
            switch self {
            case .whole: .withoutValue
            case .withoutValue: .factsOnly
            case .factsOnly, .none: .none
            }
        }
    }

    /// How much an outcome says.
    enum OutcomeForm {
        case whole
        /// Without requests and warnings.
        case short
        /// The topic takes nothing.
        case none

        var next: OutcomeForm { self == .whole ? .short : .none }
    }

    /// The number that a record goes out with.
    func id(_ part: Parts) -> UInt64 { order.id.number * 4 + part.reportBits }
}
