import StrictJSON

extension JSONValue {
    /// Returns the value of a member; `nil` if it is missing or null.
    func present(_ name: String) -> JSONValue? {
        guard let value = self[member: name], !value.isNull else { return nil }
        return value
    }

    /// Returns the same object with the members that it lacks; a value that is not an object stays as it is.
    func completed(with others: [JSONMember]) -> JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members + others.filter { self[member: $0.name] == nil })
    }
}
