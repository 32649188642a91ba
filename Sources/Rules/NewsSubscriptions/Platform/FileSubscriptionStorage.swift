import Locks
import StrictJSON

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Keeps the choice in a small JSON file that only its owner may read.
///
/// ```swift
/// let storage = FileSubscriptionStorage(path: NSHomeDirectory() + "/.config/news/subscriptions.json")
/// ```
///
/// The file is replaced whole, so that it is never half written; what is no such file is taken for an empty one, and
/// replaced at the next change. Make one storage for a file, not two.
public final class FileSubscriptionStorage: SubscriptionStorage {
    private static let maximumBytes: UInt64 = 1 << 20

    private let path: String
    /// Held while the file is read and written, so that of two changes none is lost.
    private let file = Locked(())

    /// Names the file; it and its folder are made when something is stored.
    ///
    /// ```swift
    /// let news = NewsSubscriber(registrar: registrar, storage: FileSubscriptionStorage(path: "subscriptions.json"))
    /// ```
    ///
    /// - Parameter path: Absolute, or from the working folder.
    public init(path: String) {
        self.path = path
    }

    /// What was stored under a key: `try storage.strings(forKey: "BreakingNewsCategories")`.
    ///
    /// - Parameter key: Such as `BreakingNewsCategories`.
    /// - Returns: Nothing where nothing was stored.
    /// - Throws: ``SubscriptionError`` where the file is there and cannot be read.
    public func strings(forKey key: String) throws(SubscriptionError) -> [String]? {
        try file.withLock { _ throws(SubscriptionError) in try read()[key] }
    }

    /// Stores strings: `try storage.store(["World"], forKey: "BreakingNewsCategories")`.
    ///
    /// - Parameters:
    ///   - strings: Nothing to forget what was stored.
    ///   - key: Such as `BreakingNewsCategories`.
    /// - Throws: ``SubscriptionError`` where the file cannot be written.
    public func store(_ strings: [String]?, forKey key: String) throws(SubscriptionError) {
        try file.withLock { _ throws(SubscriptionError) in
            var values = try read()
            values[key] = strings
            try write(values)
        }
    }

    private func read() throws(SubscriptionError) -> [String: [String]] {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return [:] }
        // Foundation on Linux leaks what it had prepared for the bytes of an empty file.
        guard let size = attributes.fileSize, (1...Self.maximumBytes).contains(size) else { return [:] }
        let data: Data
        do {
            data = try Data(contentsOf: URL(filePath: path))
        } catch {
            throw SubscriptionError(.storage, "\(path) cannot be read: look at who owns it and its folder")
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
            // What someone reads is nobody else's business.
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
        } catch {
            throw SubscriptionError(
                .storage,
                "\(path) cannot be written: look at who owns its folder and at the free space"
            )
        }
    }
}

extension [FileAttributeKey: Any] {
    /// The bytes of a file. Foundation has them as another type than FoundationEssentials.
    fileprivate var fileSize: UInt64? {
        let size = self[.size]
        return size as? UInt64 ?? (size as? any BinaryInteger).map { UInt64(clamping: $0) }
    }
}
