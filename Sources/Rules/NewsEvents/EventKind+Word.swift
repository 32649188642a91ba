package import StrictJSON

extension EventKind {
    /// Recognizes a kind by its word in a document.
    ///
    /// - Parameters:
    ///   - word: A string of the document.
    ///   - bytes: The whole document.
    package init?(_ word: JSONText, _ bytes: Span<UInt8>) {
        if word.equals("update", bytes) {
            self = .update
        } else if word.equals("alert", bytes) {
            self = .alert
        } else if word.equals("correction", bytes) {
            self = .correction
        } else if word.equals("flash", bytes) {
            self = .flash
        } else if word.equals("hold", bytes) {
            self = .hold
        } else if word.equals("kill", bytes) {
            self = .kill
        } else {
            return nil
        }
    }
}
