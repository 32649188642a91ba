/// A hub's name as a key: without regard to case.
struct HubKey: Hashable {
    let text: String

    init(_ name: String) {
        self.text = name.lowercased()
    }
}
