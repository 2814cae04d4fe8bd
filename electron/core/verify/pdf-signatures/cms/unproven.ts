/** Why a signature proves nothing: either it contradicts what it covers, or no answer can be given. The message is one sentence for people. */
export class Unproven extends Error {
  readonly integrity: 'broken' | 'undecidable';

  constructor(integrity: 'broken' | 'undecidable', reason: string) {
    super(reason);
    this.integrity = integrity;
  }
}

export const broken = (reason: string) => new Unproven('broken', reason);
export const undecidable = (reason: string) => new Unproven('undecidable', reason);
