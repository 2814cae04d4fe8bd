import type { VerifyResult } from '../../../contract/verify-result.ts';

/** A file that the service does not confirm, as it answered today, but for what is given. */
export const resultOf = (more: Partial<VerifyResult>): VerifyResult => ({
  index: 0,
  name: '',
  folder: '',
  sizeBytes: 1_200,
  sha256: 'a'.repeat(64),
  state: 'answered',
  answer: { kind: 'text', group: 'not-confirmed', meaning: '' },
  finding: null,
  qualification: { verdict: 'not-confirmed', remark: null, reason: 'sorted-word' },
  raw: 'Invalid',
  failure: null,
  askedAt: new Date().toISOString(),
  knownHere: null,
  downloadedHere: null,
  namesake: null,
  change: null,
  earlier: null,
  comparison: null,
  signatures: null,
  origin: null,
  askedAndFound: null,
  ...more,
});
