import ASCII
import NotificationHubs

/// The audience of a secure event: the tag expressions of the requests that a hub accepted, or may have accepted.
struct SecureAudience: Sendable, Equatable {
    private(set) var expressions: [TagExpression]

    init(_ expressions: [TagExpression] = []) {
        self.expressions = expressions
    }

    /// Whether nothing was sent.
    var isEmpty: Bool { expressions.isEmpty }

    /// Whether a user was in the audience.
    ///
    /// - Parameter devices: The tags of each of the user's devices, including the tag of the user's name. Tags are compared
    ///   without
    ///   case, as in the hub.
    /// - Returns: Whether one of the devices was addressed.
    func admits(_ devices: [[Tag]]) -> Bool {
        devices.contains { tags in
            expressions.contains { expression in
                expression.isTrue { tag in
                    tags.contains { $0.description.isEqualIgnoringASCIICase(to: tag.description) }
                }
            }
        }
    }

    /// The approximate memory use in bytes.
    var byteCount: Int { expressions.reduce(32) { $0 + 96 + 2 * $1.description.utf8.count } }
}
