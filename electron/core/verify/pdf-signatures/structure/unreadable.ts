/** The file, or a part of it, is not what a PDF may be. Nothing is repaired: two readers that repair see two documents. The message is one sentence for people. */
export class Unreadable extends Error {}

/** Not readable without a password, or with this one. */
export class NeedsPassword extends Unreadable {}
