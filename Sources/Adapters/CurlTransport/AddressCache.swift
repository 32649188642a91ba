import NewsflashHTTP1
import NewsflashHTTPTransport

/// Caches parsed URLs with the pool's numbers of their origins, because most requests use the same few URLs.
struct AddressCache {
    /// A parsed URL.
    final class Entry {
        let url: String
        let address: RequestAddress
        /// The origin's number in the pool.
        let origin: Int

        init(url: String, address: RequestAddress, origin: Int) {
            self.url = url
            self.address = address
            self.origin = origin
        }
    }

    private static let maximumEntries = 8
    private static let maximumOrigins = 128

    /// The most recently used entry is the first.
    private var entries: [Entry] = []
    private var numbers: [Origin: Int] = [:]
    private var origins: [Int: Origin] = [:]

    /// Parses a URL, or returns a cached one.
    ///
    /// - Parameters:
    ///   - url: The URL of a request.
    ///   - pool: Assigns numbers to new origins.
    /// - Returns: The URL's parts.
    /// - Throws: The error in the URL.
    mutating func entry<Waiting>(
        for url: String,
        _ pool: inout ConnectionPool<Waiting>
    ) throws(RequestAddress.InvalidURLError) -> Entry {
        // Strings that share their storage compare at once.
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

    /// Returns the origin with a number.
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
