import ASCII
import StrictJSON

/// The act of an item on its story, and whether it is for push.
extension NinjsItem {
    /// The kind of the event, and a word for its id if it does not notify.
    struct Act {
        var kind: EventKind
        var word: String?
    }

    private static let priorities = ["f": 1, "b": 2, "u": 3, "r": 4, "d": 5]

    /// The urgency; `nil` also for a number that is not an urgency, such as 0 or 10.
    var urgency: Int? {
        if let value = item.present("urgency") {
            let number = value.int64 ?? value.string.flatMap(Int64.init(digits:))
            return number.flatMap { (1...9).contains($0) ? Int($0) : nil }
        }
        return text("editorialpriority").flatMap { Self.priorities[$0] }
    }

    /// Determines the act: a status goes before signals, these before notes, and these before the urgency.
    ///
    /// - Parameters:
    ///   - urgency: The item's.
    ///   - isFirst: Whether it is the story's first revision.
    ///   - oddities: Takes a status that is not known beside one that withdraws.
    /// - Returns: The kind, and the word for the id.
    /// - Throws: ``Refusal`` if a status is not known: it may withdraw.
    func act(urgency: Int?, isFirst: Bool, _ oddities: inout SchemaFaults) throws(Refusal) -> Act {
        var isHeld = false
        var isKilled = false
        var unknown: (place: String, complaint: String)?
        for (place, value) in limits(.status) {
            switch value.string.flatMap(rules.status(of:)) {
            case .usable: break
            case .canceled: isKilled = true
            case .withheld: isHeld = true
            case nil:
                let found = value.string.map { "'\($0.printable(limit: 32))'" } ?? value.typeName
                unknown = unknown ?? (place, "must be one of usable, withheld, canceled, is \(found)")
            }
        }
        if let unknown {
            guard isKilled else { throw Refusal(.status, "\(unknown.place): \(unknown.complaint)") }
            oddities.add(unknown.place, unknown.complaint)
        }
        if isKilled { return Act(kind: .kill, word: "canceled") }
        let noted = noted
        if noted == .kill { return Act(kind: .kill, word: "kill") }
        if isHeld { return Act(kind: .hold, word: "withheld") }
        if noted == .hold { return Act(kind: .hold, word: "hold") }
        return Act(kind: noted == .correction ? .correction : rules.kind(urgency: urgency, isFirst: isFirst))
    }

    /// The act that notes, genres, signals and the tags of the headline order.
    private var noted: EditorialNotes.Act? {
        let genres = item.elements("genres", "genre").prefix(Self.mostSignals).flatMap { genre in
            [genre.string] + ["name", "code", "qcode", "literal"].map { genre[member: $0]?.string }
        }
        let acts = ([note] + genres + signals).compactMap { $0.flatMap(rules.notes.act(of:)) }
        let act = headline.flatMap { rules.notes.act(ofHeadline: HTMLText.plain($0)) }
        return EditorialNotes.Act.allCases.first { acts.contains($0) || act == $0 }
    }

    /// The most signals that are looked at.
    private static let mostSignals = 16

    /// Words of closed lists that say what the act is.
    private var signals: [String] {
        FeedPlaces.places(of: .signal, in: flavour).flatMap { place in
            (item.at(place)?.array ?? []).prefix(Self.mostSignals).compactMap { signal in
                let word = signal.string ?? signal[member: "code"]?.string ?? signal[member: "qcode"]?.string
                return word.map { $0.hasPrefix("sig:") ? String($0.dropFirst(4)) : $0 }
            }
        }
    }

    var note: String? { text(of: .note) }

    func passes(_ kind: EventKind, urgency: Int?) -> Bool {
        let representation = text(of: .representation)?.lowercasedASCII
        return rules.push.passes(
            kind: kind,
            urgency: urgency,
            type: type,
            isWhole: !["incomplete", "partial", "associated"].contains(representation)
        )
    }

    /// The type in small letters; an item that has the members of a planned event or of its coverage is one, whatever it says.
    private var type: String? {
        if item.present("eventDetails") != nil { return "event" }
        if item.present("plannedCoverage") != nil { return "planning" }
        return text(of: .type)?.lowercasedASCII
    }

    /// The members of a part that only restrict, whatever the case of their names, so that none escapes.
    func limits(_ part: FeedPlaces.Part) -> [(place: String, value: JSONValue)] {
        let places = Set(FeedPlaces.places(of: part, in: flavour).map(\.lowercasedASCII))
        return (item.object ?? []).compactMap { member in
            let place = "/" + member.name
            guard !member.value.isNull, places.contains(place.lowercasedASCII) else { return nil }
            return (place, member.value)
        }
    }

    /// Notes what is wrong with members that play no part in a withdrawal.
    func noteOddities(_ oddities: inout SchemaFaults) {
        for part in FeedPlaces.Part.allCases {
            for place in FeedPlaces.places(of: part, in: flavour) {
                let complaint = item.at(place).flatMap { FeedPlaces.form(of: part, at: place).complaint(of: $0) }
                if let complaint { oddities.add(place, complaint) }
            }
        }
        if language == nil, let place = presentPlaces(of: .language).first {
            oddities.add(place, TextForm.languageTag.complaint)
        }
    }
}
