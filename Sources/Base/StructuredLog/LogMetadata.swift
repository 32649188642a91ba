/// What an entry says beside its message, by key such as `kafka.topic`.
///
/// Few members, kept in the order of their keys: a line is written without sorting, and a key is found by looking.
package struct LogMetadata: Sendable, Equatable {
    /// One of them.
    package struct Member: Sendable, Equatable {
        /// The key.
        package var key: String
        /// What it says.
        package var value: LogValue
    }

    /// All, in the order of their keys.
    package private(set) var members: [Member] = []

    /// Makes metadata that says nothing.
    package init() {}

    /// Makes room for members that are going to be set.
    ///
    /// - Parameter count: How many.
    package init(reservingCapacity count: Int) {
        members.reserveCapacity(count)
    }

    /// The value of a key; `nil` removes it.
    package subscript(key: String) -> LogValue? {
        get {
            let place = place(of: key)
            return place < members.count && members[place].key == key ? members[place].value : nil
        }
        set {
            let place = place(of: key)
            let isThere = place < members.count && members[place].key == key
            switch (newValue, isThere) {
            case (let value?, true): members[place].value = value
            case (let value?, false): members.insert(Member(key: key, value: value), at: place)
            case (nil, true): members.remove(at: place)
            case (nil, false): break
            }
        }
    }

    /// Adds a member behind all others, without looking for its place.
    ///
    /// - Parameters:
    ///   - key: Comes after those that are there, in their order.
    ///   - value: What it says.
    package mutating func append(_ key: String, _ value: LogValue) {
        assert(members.last.map { $0.key < key } ?? true, "\(key) does not belong behind the others")
        members.append(Member(key: key, value: value))
    }

    /// The same with other members over it.
    ///
    /// - Parameter others: Win where both have a key.
    /// - Returns: Both.
    package func merging(_ others: LogMetadata) -> LogMetadata {
        if members.isEmpty { return others }
        var result = self
        for member in others.members { result[member.key] = member.value }
        return result
    }

    /// Where a key stands, or belongs. From behind, since keys are mostly set in their order.
    private func place(of key: String) -> Int {
        var place = members.count
        while place > 0, members[place - 1].key >= key { place -= 1 }
        return place
    }
}

extension LogMetadata: ExpressibleByDictionaryLiteral {
    /// Makes metadata of keys and values; of a key that stands twice the last counts.
    package init(dictionaryLiteral members: (String, LogValue)...) {
        self.init(reservingCapacity: members.count)
        for (key, value) in members { self[key] = value }
    }
}
