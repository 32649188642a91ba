/// A hub's name as a key, in lower case.
struct HubKey: Hashable {
    let text: String

    init(_ name: String) {
        self.text = name.lowercased()
    }
}
