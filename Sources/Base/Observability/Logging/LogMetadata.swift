/// The variable data of an entry, by key such as `kafka.topic`.
///
/// Contains few members, sorted by key, so that writing needs no sorting and look-up is a linear search.
package struct LogMetadata: Sendable, Equatable {
    /// A key with its value.
    package struct Member: Sendable, Equatable {
        /// The key.
        package var key: String
        /// The value.
        package var value: LogValue
    }

    /// All members, sorted by key.
    package private(set) var members: [Member] = []

    /// Creates empty metadata.
    package init() {}

    /// Creates empty metadata with capacity for members.
    ///
    /// - Parameter count: The expected number of members.
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

    /// Appends a member without searching for its position.
    ///
    /// - Parameters:
    ///   - key: A key that sorts after all existing ones.
    ///   - value: The value.
    package mutating func append(_ key: String, _ value: LogValue) {
        assert(members.last.map { $0.key < key } ?? true, "\(key) does not sort after the others")
        members.append(Member(key: key, value: value))
    }

    /// Returns the metadata combined with other members.
    ///
    /// - Parameter others: The members that take precedence.
    /// - Returns: The union of both.
    package func merging(_ others: LogMetadata) -> LogMetadata {
        if members.isEmpty { return others }
        var result = self
        for member in others.members { result[member.key] = member.value }
        return result
    }

    /// Returns the index of a key, or its insertion point. Searches backwards, because keys are mostly set in order.
    private func place(of key: String) -> Int {
        var place = members.count
        while place > 0, members[place - 1].key >= key { place -= 1 }
        return place
    }
}

extension LogMetadata: ExpressibleByDictionaryLiteral {
    /// Creates metadata from keys and values; the last value of a repeated key counts.
    package init(dictionaryLiteral members: (String, LogValue)...) {
        self.init(reservingCapacity: members.count)
        for (key, value) in members { self[key] = value }
    }
}
