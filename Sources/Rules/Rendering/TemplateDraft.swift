/// What the sends of one event have in common, written once for all of them.
package struct TemplateDraft: Sendable {
    /// The parts one behind the other, with a comma before each member but the first.
    let members: [UInt8]
    /// What stands before the category, the object's beginning with it.
    let facts: Range<Int>
    /// What stands between the category and the texts of the send's own language.
    let traits: Range<Int>
    /// The texts of all languages.
    let words: Range<Int>
    /// What the clock alone changes, a part of ``traits``, with the comma before it.
    let clockPart: Range<Int>
}
