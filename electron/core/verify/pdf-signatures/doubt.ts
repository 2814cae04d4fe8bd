import { type FileReason, fileReasons } from '../../../../locales/en/shared/file-reasons.ts';

/** Why no answer can be given, or no good one. The message is one English sentence. */
export class Doubt extends Error {}

/** The file, or a part of it, is not what a PDF may be. Nothing is repaired: two readers that repair see two documents. */
export class Unreadable extends Doubt {
  constructor(reason: FileReason) {
    super(fileReasons[reason]);
  }
}

/** Not readable without a password, or with this one. */
export class NeedsPassword extends Unreadable {}

/** A signature proves nothing: either it contradicts what it covers, or no answer can be given. */
export class Unproven extends Doubt {
  readonly integrity: 'broken' | 'undecidable';

  constructor(integrity: 'broken' | 'undecidable', reason: FileReason) {
    super(fileReasons[reason]);
    this.integrity = integrity;
  }
}

export const broken = (reason: FileReason) => new Unproven('broken', reason);
export const undecidable = (reason: FileReason) => new Unproven('undecidable', reason);

/** Of what throws unless it is proven, with the sentence why it is not. */
export function outcomeOf(prove: () => void): { integrity: Unproven['integrity'] | 'intact'; reason: string | null } {
  try {
    prove();
    return { integrity: 'intact', reason: null };
  } catch (error) {
    if (error instanceof Unproven) return { integrity: error.integrity, reason: error.message };
    throw error;
  }
}

/** Why a path of certificates, or what is known about one, does not count. */
export class Refusal extends Doubt {}

/** Null for what cannot be read, or does not count. */
export function orNull<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Doubt) return null;
    throw error;
  }
}
