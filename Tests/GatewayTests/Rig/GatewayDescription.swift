import FoundationEssentials
import NewsflashYAML
import Testing

/// The OpenAPI document of the gateway: its addresses, methods and statuses.
struct GatewayDescription: Sendable {
    /// An address of the document.
    struct Address: Sendable {
        /// The path, for example `["api", "register", "{id}"]`.
        let segments: [String]
        /// The statuses of each method in capitals.
        let statuses: [String: Set<Int>]

        /// Returns whether a path is at this address.
        func contains(_ path: [String]) -> Bool {
            path.count == segments.count
                && zip(path, segments).allSatisfy { $1.hasPrefix("{") ? !$0.isEmpty : $0 == $1 }
        }
    }

    /// The statuses that the document has for every address in its introduction.
    private static let general: Set<Int> = [400, 403, 405, 414, 431]

    static let shipped: GatewayDescription? = try? GatewayDescription()

    let addresses: [Address]

    private init() throws {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
        let text = try String(contentsOf: URL(filePath: root + "/schemas/gateway.openapi.yaml"), encoding: .utf8)
        let document = try YAMLReader.read(text)
        addresses = (document?["paths"]?.entries ?? []).map { path, operations in
            let statuses = operations.entries.filter { $0.name != "parameters" }.map { method, operation in
                (method.uppercased(), Set((operation["responses"]?.entries ?? []).compactMap { Int($0.name) }))
            }
            return Address(
                segments: path.split(separator: "/").map(String.init),
                statuses: Dictionary(uniqueKeysWithValues: statuses)
            )
        }
    }

    /// Looks up an answer in the document.
    ///
    /// - Parameters:
    ///   - status: The status of the answer.
    ///   - method: The method of the request.
    ///   - target: The target of the request.
    /// - Returns: Whether the document has it, or lacks the address or method, which is then refused.
    func has(_ status: Int, for method: String, _ target: String) -> Bool {
        let path = target.prefix { $0 != "?" }.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
        guard let address = addresses.first(where: { $0.contains(path.map(String.init)) }),
            let statuses = address.statuses[method]
        else { return status >= 400 || method == "OPTIONS" }
        return statuses.union(Self.general).contains(status)
    }
}

extension YAMLNode {
    fileprivate var entries: [(name: String, value: YAMLNode)] {
        guard case .mapping(let entries) = kind else { return [] }
        return entries.compactMap { entry in
            guard case .scalar(let name, isPlain: _) = entry.key.kind else { return nil }
            return (name, entry.value)
        }
    }

    fileprivate subscript(name: String) -> YAMLNode? { entries.first { $0.name == name }?.value }
}
