import { describe, expect, it } from 'vitest';
import {
  type ReadLists,
  type SeenEntry,
  type SignerSources,
  signersOf,
  stateOfSigners,
} from '../../electron/store/signatures/requests/request-signers.ts';

const [first, early, late] = ['2026-11-01T08:00:00.000Z', '2026-11-02T08:00:00.000Z', '2026-11-03T08:00:00.000Z'];
const lists: ReadLists = new Map([
  [1, { meaning: 'waiting', firstReadAt: first, asOf: late }],
  [2, { meaning: 'signed', firstReadAt: first, asOf: late }],
  [3, { meaning: 'none', firstReadAt: first, asOf: late }],
]);

let seq = 0;
function entry(list_type: number, email: string, more: Partial<SeenEntry> = {}): SeenEntry {
  seq += 1;
  const row = { seq, list_type, email, name: null, entry_key: `doc\n${email}`, first_seen_at: early };
  return { ...row, moved_from: null, gone_at: null, ...more };
}

const asked = (...emails: readonly string[]) => emails.map((email) => ({ email, name: '' }));
const signers = (sources: Partial<SignerSources>) =>
  signersOf({ asked: [], seen: [], lists, completedAt: null, inProgressAt: null, ...sources });
const brief = (sources: Partial<SignerSources>) =>
  signers(sources).map(({ email, state, at }) => `${email} ${state}${at === null ? '' : ` ${at}`}`);

describe('the signers of a request', () => {
  it('have signed if a list ever had their signature, also once it is cut off', () => {
    const seen = [
      entry(1, 'ana@x', { gone_at: early }),
      entry(2, 'ana@x', { moved_from: 1, gone_at: late }),
      entry(1, 'bo@x'),
    ];
    expect(brief({ asked: asked('ana@x', 'bo@x'), seen })).toEqual([`ana@x signed ${early}`, 'bo@x waiting']);
  });

  it('have no time for a signature that was there at the first reading', () => {
    const seen = [entry(2, 'ana@x', { first_seen_at: first })];
    expect(brief({ asked: asked('ana@x'), seen })).toEqual(['ana@x signed']);
  });

  it('are not known once they left the waiting ones unseen, or no list ever had them', () => {
    const seen = [entry(1, 'ana@x', { gone_at: late })];
    expect(brief({ asked: asked('ana@x', 'bo@x'), seen })).toEqual([`ana@x not-known ${late}`, 'bo@x not-known']);
  });

  it('are two if one address was asked twice: one signature leaves the other waiting', () => {
    const twice = asked('ana@x', 'ana@x');
    const second = 'doc\nana@x\n1';
    const before = [entry(1, 'ana@x'), entry(1, 'Ana@x', { entry_key: second })];
    expect(brief({ asked: twice, seen: before })).toEqual(['ana@x waiting', 'ana@x waiting']);
    const after = [entry(1, 'ana@x'), entry(1, 'ana@x', { entry_key: second, gone_at: late }), entry(2, 'ana@x')];
    expect(brief({ asked: twice, seen: after })).toEqual([`ana@x signed ${early}`, 'ana@x waiting']);
  });

  it('are counted once while an older copy of the waiting ones still has who signed', () => {
    expect(brief({ asked: asked('ana@x'), seen: [entry(1, 'ana@x'), entry(2, 'ana@x')] })).toEqual([
      `ana@x signed ${early}`,
    ]);
  });

  it('include the owner of the account, whom no request names, and anybody else whom a list has', () => {
    const owner = { email: '', name: '' };
    expect(brief({ asked: [...asked('ana@x'), owner], seen: [entry(2, 'ana@x')] })).toEqual([
      `ana@x signed ${early}`,
      'null not-known',
    ]);
    const seen = [entry(2, 'ana@x'), entry(1, 'owner@x')];
    expect(brief({ asked: [...asked('ana@x'), owner], seen })).toEqual([`ana@x signed ${early}`, 'owner@x waiting']);
    expect(brief({ asked: [owner], seen: [entry(2, 'owner@x')] })).toEqual([`owner@x signed ${early}`]);
    expect(brief({ seen: [entry(3, 'other@x')] })).toEqual(['other@x not-known']);
  });

  it('have all signed where the service answered that the document is completed', () => {
    const seen = [entry(1, 'ana@x', { gone_at: early }), entry(1, 'bo@x')];
    expect(brief({ asked: asked('ana@x', 'bo@x', 'mei@x'), seen, completedAt: late })).toEqual(
      ['bo@x', 'ana@x', 'mei@x'].sort().map((email) => `${email} signed ${late}`),
    );
    // Of whom a list showed it, that is known by more than the answer.
    const listed = { asked: asked('ana@x', 'bo@x'), seen: [entry(2, 'ana@x')], completedAt: late };
    expect(signers(listed).map(({ isByStatus }) => isByStatus ?? false)).toEqual([false, true]);
  });

  it.each([
    ['complete', 'signed signed'],
    ['partly-signed', 'signed waiting'],
    ['partly-signed', 'signed waiting not-known'],
    ['waiting', 'waiting waiting'],
    ['not-known', 'signed not-known'],
    ['waiting', 'waiting not-known'],
    ['not-known', 'not-known'],
    ['not-known', ''],
  ])('make a request %s: %s', (state, all) => {
    const known = all.split(' ').filter(Boolean) as ('signed' | 'waiting' | 'not-known')[];
    const some = known.map((one) => ({ state: one }));
    expect(stateOfSigners(some)).toBe(state);
    // Of whom nothing is known may have signed in a list of signed ones that was never read.
    const isOther = all === 'waiting not-known';
    expect(stateOfSigners(some, { isSignedUnread: true })).toBe(isOther ? 'not-known' : state);
  });
});
