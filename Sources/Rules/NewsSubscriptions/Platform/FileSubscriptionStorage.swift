import NewsflashBasics
import NewsflashStrictJSON

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A storage in a small JSON file that only its owner can read.
///
/// ```swift
/// let storage = FileSubscriptionStorage(path: NSHomeDirectory() + "/.config/news/subscriptions.json")
/// ```
///
/// The file is replaced as a whole, so it is never half written. A file with other content counts as empty, and is replaced
/// at the next change. Create only one storage per file.
public final class FileSubscriptionStorage: SubscriptionStorage {
    private static let maximumBytes: UInt64 = 1 << 20

    private let path: String
    /// Locked while the file is read and written, so that no concurrent change is lost.
    private let file = Locked(())

    /// Creates a storage for a file. The file and its folder are created when something is stored.
    ///
    /// ```swift
    /// let news = NewsSubscriber(registrar: registrar, storage: FileSubscriptionStorage(path: "subscriptions.json"))
    /// ```
    ///
    /// - Parameter path: Absolute, or relative to the working folder.
    public init(path: String) {
        self.path = path
    }

    /// Returns the strings stored under a key: `try storage.strings(forKey: "BreakingNewsCategories")`.
    ///
    /// - Parameter key: A key such as `BreakingNewsCategories`.
    /// - Returns: `nil` if nothing was stored.
    /// - Throws: ``SubscriptionError`` if the file exists but cannot be read.
    public func strings(forKey key: String) throws(SubscriptionError) -> [String]? {
        try file.withLock { _ throws(SubscriptionError) in try read()[key] }
    }

    /// Stores strings: `try storage.store(["World"], forKey: "BreakingNewsCategories")`.
    ///
    /// - Parameters:
    ///   - strings: The strings; `nil` to remove what was stored.
    ///   - key: A key such as `BreakingNewsCategories`.
    /// - Throws: ``SubscriptionError`` if the file cannot be written.
    public func store(_ strings: [String]?, forKey key: String) throws(SubscriptionError) {
        try file.withLock { _ throws(SubscriptionError) in
            var values = try read()
            values[key] = strings
            try write(values)
        }
    }

    private func read() throws(SubscriptionError) -> [String: [String]] {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return [:] }
        // Foundation on Linux leaks the memory that it prepares for the bytes of an empty file.
        guard let size = attributes.fileSize, (1...Self.maximumBytes).contains(size) else { return [:] }
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw SubscriptionError(.storage, "\(path) cannot be read: check the owners of the file and its folder")
        }
        guard let members = (try? JSONReader.read(Array(data)))?.object else { return [:] }
        var values: [String: [String]] = [:]
        for member in members { values[member.name] = member.value.array?.compactMap(\.string) }
        return values
    }

    private func write(_ values: [String: [String]]) throws(SubscriptionError) {
        var writer = JSONWriter()
        writer.beginObject()
        for (name, strings) in values.sorted(by: { $0.key < $1.key }) {
            writer.name(name)
            writer.beginArray()
            for string in strings { writer.value(string) }
            writer.endArray()
        }
        writer.endObject()
        do {
            let url = URL(filePath: path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(writer.bytes).write(to: url, options: .atomic)
            // The choice is private, so only the owner may read the file.
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        } catch {
            throw SubscriptionError(
                .storage,
                "\(path) cannot be written: check the owner of its folder and the free space"
            )
        }
    }
}

extension [FileAttributeKey: Any] {
    /// The size of a file in bytes. Foundation and FoundationEssentials have different types for it.
    fileprivate var fileSize: UInt64? {
        let size = self[.size]
        return size as? UInt64 ?? (size as? any BinaryInteger).map { UInt64(clamping: $0) }
    }
}
