/// Values by numbers that are given out one after the other, as a dictionary keeps them but without hashing, and changed
/// where they lie.
///
/// A number's slot is what the number is within the table's length, or the next free one: neighbours never meet, and few
/// others do.
package struct NumberTable<Value: Sendable>: Sendable {
    /// Zero for an empty slot.
    private var numbers: [UInt64]
    private var values: [Value?]
    package private(set) var count = 0
    /// How many have another slot than their own: mostly none.
    private var strays = 0

    package init() {
        numbers = Array(repeating: 0, count: 16)
        values = Array(repeating: nil, count: 16)
    }

    package var isEmpty: Bool { count == 0 }

    /// All numbers with their values, in no order.
    package var elements: some Sequence<(number: UInt64, value: Value)> {
        zip(numbers, values).lazy.compactMap { number, value in value.map { (number, $0) } }
    }

    package subscript(number: UInt64) -> Value? {
        slot(of: number).flatMap { values[$0] }
    }

    package func contains(_ number: UInt64) -> Bool { slot(of: number) != nil }

    /// Puts a value in place of what the number had.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - number: Above zero.
    package mutating func insert(_ value: consuming Value, at number: UInt64) {
        if let slot = slot(of: number) {
            values[slot] = value
            return
        }
        if count * 4 >= numbers.count * 3 { grow() }
        place(value, number)
        count += 1
    }

    /// Changes a value where it lies.
    ///
    /// - Returns: What the closure returned; nothing where there is no such number.
    @discardableResult
    package mutating func update<Result>(_ number: UInt64, _ change: (inout Value) -> Result) -> Result? {
        guard let slot = slot(of: number) else { return nil }
        guard var value = values[slot].take() else { return nil }
        defer { values[slot] = value }
        return change(&value)
    }

    @discardableResult
    package mutating func removeValue(at number: UInt64) -> Value? {
        guard let slot = slot(of: number) else { return nil }
        let value = values[slot].take()
        if slot != home(number) { strays -= 1 }
        numbers[slot] = 0
        count -= 1
        if strays > 0 { close(slot) }
        return value
    }

    /// Keeps what meets a condition.
    package mutating func filter(_ isKept: (Value) -> Bool) {
        for number in numbers where number != 0 {
            if let slot = slot(of: number), let value = values[slot], !isKept(value) { removeValue(at: number) }
        }
    }

    private func home(_ number: UInt64) -> Int { Int(truncatingIfNeeded: number) & (numbers.count - 1) }

    private func slot(of number: UInt64) -> Int? {
        guard number != 0 else { return nil }
        var slot = home(number)
        while numbers[slot] != number {
            if numbers[slot] == 0 { return nil }
            slot = (slot + 1) & (numbers.count - 1)
        }
        return slot
    }

    private mutating func place(_ value: consuming Value, _ number: UInt64) {
        var slot = home(number)
        while numbers[slot] != 0 { slot = (slot + 1) & (numbers.count - 1) }
        if slot != home(number) { strays += 1 }
        numbers[slot] = number
        values[slot] = value
    }

    private mutating func grow() {
        let (oldNumbers, oldValues) = (numbers, values)
        strays = 0
        numbers = Array(repeating: 0, count: oldNumbers.count * 2)
        values = Array(repeating: nil, count: oldNumbers.count * 2)
        for (number, value) in zip(oldNumbers, oldValues) {
            if let value { place(value, number) }
        }
    }

    /// Moves those behind an emptied slot up, so that no search ends too early.
    private mutating func close(_ emptied: Int) {
        let mask = numbers.count - 1
        var hole = emptied
        var slot = (hole + 1) & mask
        while numbers[slot] != 0 {
            if (slot - home(numbers[slot])) & mask >= (slot - hole) & mask {
                if hole == home(numbers[slot]) { strays -= 1 }
                numbers[hole] = numbers[slot]
                values[hole] = values[slot].take()
                numbers[slot] = 0
                hole = slot
            }
            slot = (slot + 1) & mask
        }
    }
}
