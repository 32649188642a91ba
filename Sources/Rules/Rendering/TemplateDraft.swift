/// What the sends of one event have in common, written once for all of them.
package struct TemplateDraft: Sendable {
    /// The parts one behind the other, a comma between each two.
    let members: [UInt8]
    /// What stands before the category.
    let facts: Range<Int>
    /// What stands between the category and the texts of the send's own language.
    let traits: Range<Int>
    /// The texts of all languages; empty where there are none.
    let words: Range<Int>
    /// What the clock alone changes, a part of ``traits``.
    let clockPart: Range<Int>
}
