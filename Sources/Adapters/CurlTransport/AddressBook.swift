import HTTP1
import HTTPTransport

/// Remembers URLs that were read already, with the pool's number of their origin: most requests go to the same few.
struct AddressBook {
    /// A URL, read.
    final class Entry {
        let url: String
        let address: RequestAddress
        /// Number of the origin in the pool.
        let origin: Int

        init(url: String, address: RequestAddress, origin: Int) {
            self.url = url
            self.address = address
            self.origin = origin
        }
    }

    private static let maximumEntries = 8
    private static let maximumOrigins = 128

    /// The entry used last is the first.
    private var entries: [Entry] = []
    private var numbers: [Origin: Int] = [:]
    private var origins: [Int: Origin] = [:]

    /// Reads a URL, or finds it read.
    ///
    /// - Parameters:
    ///   - url: Of a request.
    ///   - pool: Gives new origins their numbers.
    /// - Returns: The URL's parts.
    /// - Throws: What is wrong with the URL.
    mutating func entry<Waiting>(
        for url: String,
        _ pool: inout ConnectionPool<Waiting>
    ) throws(RequestAddress.Fault) -> Entry {
        // Texts that share their memory compare at once.
        for position in entries.indices where entries[position].url == url {
            if position > 0 { entries.swapAt(0, position) }
            return entries[0]
        }
        let address = try RequestAddress(url)
        let entry = Entry(url: url, address: address, origin: number(of: address.origin, &pool))
        entries.insert(entry, at: 0)
        if entries.count > Self.maximumEntries { entries.removeLast() }
        return entry
    }

    /// The origin of a number.
    func origin(_ number: Int) -> Origin? {
        origins[number]
    }

    private mutating func number<Waiting>(of origin: Origin, _ pool: inout ConnectionPool<Waiting>) -> Int {
        if let number = numbers[origin] { return number }
        if numbers.count >= Self.maximumOrigins {
            let unused = pool.forgetUnusedOrigins()
            numbers = numbers.filter { !unused.contains($0.value) }
            origins = origins.filter { !unused.contains($0.key) }
            entries.removeAll { unused.contains($0.origin) }
        }
        let number = pool.addOrigin()
        numbers[origin] = number
        origins[number] = origin
        return number
    }
}
