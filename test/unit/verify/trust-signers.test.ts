import { describe, expect, it } from 'vitest';
import type { TrustedCertificate } from '../../../electron/core/verify/pdf-signatures/trust/known-signers.ts';
import { extension, type Issued, issue, revocationAnswer, revocationList } from '../../harness/chains.ts';
import { attribute } from '../../harness/cms.ts';
import { der, integer, sequence } from '../../harness/der.ts';
import { describeBytes } from '../../harness/describe-bytes.ts';
import { type SignedPdf, type SignWanted, unsignedPdf } from '../../harness/signed-pdf.ts';
import { atLength } from '../../harness/test-length.ts';

const root = issue({ name: 'Root', authority: true });
const middle = issue({ name: 'Middle', by: root, authority: true });
const jane = issue({ name: 'Jane Doe', by: middle });
const stamping = '1.3.6.1.5.5.7.3.8';
const clock = issue({ name: 'Clock', by: root, purposes: [stamping] });
const signedAt = new Date('2026-03-03T09:41:07Z');

const signed = (wanted: Partial<SignWanted> = {}) => {
  const { signer = jane } = wanted;
  const certificates = [signer.certificate, middle.certificate];
  return unsignedPdf().sign({ signer, signedAt, certificates, ...wanted });
};

const known = (...issued: readonly Issued[]) =>
  issued.map(({ certificate }): TrustedCertificate => ({ bytes: certificate, purpose: 'any', granted: null }));

/** Who made the first signature, for somebody who knows these. */
async function whoSigned({ bytes }: SignedPdf, certificates = known(root), list?: { name: string; date: string }) {
  const lists = [
    { ...{ by: 'organisation', name: '', date: null }, ...(list && { by: 'list', ...list }), certificates },
  ];
  const answer = await describeBytes(bytes, undefined, { lists: lists as never, problem: null });
  return answer.signatures[0]?.trust;
}

describe('who signed', () => {
  it('is known by an authority of the organisation, or by the certificate itself', async () => {
    expect(await whoSigned(signed())).toEqual({
      by: 'organisation',
      list: { name: '', date: null },
      validity: 'valid',
      reason: null,
      revocation: 'not-checked',
      revocationAt: null,
      provenTime: null,
    });
    expect(await whoSigned(signed(), known(jane))).toMatchObject({ by: 'organisation' });
    const inStore = signed({ certificates: [jane.certificate] });
    expect(await whoSigned(inStore)).toMatchObject({ by: null });
    expect(await whoSigned(inStore.addValidationData([middle.certificate]))).toMatchObject({ by: 'organisation' });
  });

  it('is not known else, and why not is said', async () => {
    const stranger = issue({ name: 'Root', authority: true });
    expect(await whoSigned(signed(), known(stranger))).toMatchObject({
      by: null,
      reason: 'No list on this computer leads to the certificate of the signer.',
    });
    const { bytes } = signed();
    const nobody = await describeBytes(bytes, undefined, { lists: [], problem: null });
    expect(nobody.signatures[0]?.trust?.reason).toMatch(/no list of known signers/);
    const missing = await describeBytes(bytes, undefined, { lists: [], problem: 'The list is missing.' });
    expect(missing.signatures[0]?.trust).toMatchObject({ by: null, reason: 'The list is missing.' });
    // Whether anybody is known changes nothing about the file.
    expect([nobody.verdict, missing.verdict]).toEqual(['unchanged', 'unchanged']);
  });

  it('is nobody where the signature does not fit: the certificate of somebody else may stand beside any', async () => {
    const { bytes } = signed({ timestampedBy: clock });
    const broken = Buffer.from(bytes);
    broken.write('50 700 Td', broken.indexOf('40 700 Td'));
    expect(await whoSigned({ bytes: broken } as SignedPdf)).toMatchObject({
      by: null,
      provenTime: null,
      reason: 'The signature does not say who made it, as it is not known to fit.',
    });
    const stolen = { ...jane, sign: issue({ name: 'Jane Doe', by: middle }).sign };
    expect(await whoSigned(signed({ signer: stolen }))).toMatchObject({ by: null });
  });

  it('is nobody whose certificate is for something else', async () => {
    const server = issue({ name: 'Server', by: middle, purposes: ['1.3.6.1.5.5.7.3.1'] });
    expect(await whoSigned(signed({ signer: server }))).toMatchObject({
      by: null,
      reason: expect.stringMatching(/other things/),
    });
  });

  it('is on a list as long as it was granted there, and for what it is there', async () => {
    const granted = (purpose: TrustedCertificate['purpose'], from: string, until: string | null) =>
      whoSigned(signed(), [{ bytes: root.certificate, purpose, granted: [{ from, until }] }], {
        name: 'List',
        date: '2026-01-01T00:00:00Z',
      });
    expect(await granted('signatures', '2020-01-01T00:00:00Z', null)).toMatchObject({
      by: 'list',
      list: { name: 'List', date: '2026-01-01T00:00:00Z' },
      validity: 'valid',
    });
    expect(await granted('timestamps', '2020-01-01T00:00:00Z', null)).toMatchObject({ by: null });
    expect(await granted('signatures', '2020-01-01T00:00:00Z', '2025-01-01T00:00:00Z')).toMatchObject({ by: null });
    // It was when it was signed, as the signer’s clock says.
    const withdrawn = await granted('signatures', '2020-01-01T00:00:00Z', '2026-03-04T00:00:00Z');
    expect(withdrawn).toMatchObject({ by: 'list', validity: 'unproven' });
  });
});

describe('when it was signed', () => {
  const old = issue({ name: 'Jane Doe', by: middle, until: '2026-03-04T00:00:00Z' });

  it('is a claim of the signer without a timestamp of somebody who is known', async () => {
    expect(await whoSigned(signed({ signer: old }))).toMatchObject({ by: 'organisation', validity: 'unproven' });
    const own = issue({ name: 'Clock', purposes: [stamping] });
    expect(await whoSigned(signed({ signer: old, timestampedBy: own }))).toMatchObject({
      validity: 'unproven',
      provenTime: null,
    });
    const noClock = issue({ name: 'Jane’s own', by: root });
    expect(await whoSigned(signed({ signer: old, timestampedBy: noClock }))).toMatchObject({ provenTime: null });
  });

  it('is proven by one, also by a document timestamp that covers it', async () => {
    const proven = { validity: 'valid', provenTime: '2026-03-03T09:41:08Z' };
    expect(await whoSigned(signed({ signer: old, timestampedBy: clock }))).toMatchObject(proven);
    const at = new Date('2026-03-03T09:41:08Z');
    expect(await whoSigned(signed({ signer: old }).timestamp({ signer: clock, at }))).toMatchObject(proven);
  });

  it('was too late or too early where the proven time says so', async () => {
    const late = issue({ name: 'Jane Doe', by: middle, until: '2026-03-01T00:00:00Z' });
    expect(await whoSigned(signed({ signer: late, timestampedBy: clock }))).toMatchObject({
      by: 'organisation',
      validity: 'expired',
    });
    expect(await whoSigned(signed({ signer: late }))).toMatchObject({ validity: 'expired' });
    const early = issue({ name: 'Jane Doe', by: middle, from: '2026-03-04T00:00:00Z' });
    expect(await whoSigned(signed({ signer: early, timestampedBy: clock }))).toMatchObject({
      validity: 'not-yet-valid',
    });
  });
});

describe('what the file holds about revoked certificates', () => {
  const ofRoot = revocationList({ by: root });
  const ofMiddle = revocationList({ by: middle });
  const with_ = (lists: readonly Buffer[], answers: readonly Buffer[] = [], wanted: Partial<SignWanted> = {}) =>
    whoSigned(signed(wanted).addValidationData([], lists, answers));

  it('is good if it says so of every certificate of the path, for the time of the signature', async () => {
    expect(await with_([ofRoot, ofMiddle])).toMatchObject({ revocation: 'good', revocationAt: '2026-03-10T00:00:00Z' });
    expect(await with_([ofMiddle])).toMatchObject({ revocation: 'not-checked' });
    const before = revocationList({ by: middle, at: '2026-03-01T00:00:00Z' });
    expect(await with_([ofRoot, before])).toMatchObject({ revocation: 'not-checked' });
    const current = revocationList({ by: middle, at: '2026-03-01T00:00:00Z', until: '2026-04-01T00:00:00Z' });
    expect(await with_([ofRoot, current])).toMatchObject({ revocation: 'good', revocationAt: '2026-03-01T00:00:00Z' });
  });

  it('is revoked since a time, and only later where an earlier signature is proven', async () => {
    const revoked = revocationList({ by: middle, revoked: [{ who: jane, at: '2026-03-05T00:00:00Z' }] });
    expect(await with_([ofRoot, revoked])).toMatchObject({
      by: 'organisation',
      revocation: 'revoked',
      revocationAt: '2026-03-05T00:00:00Z',
    });
    expect(await with_([revoked])).toMatchObject({ revocation: 'revoked' });
    expect(await with_([revoked], [], { timestampedBy: clock })).toMatchObject({ revocation: 'revoked-later' });
    const authority = revocationList({ by: root, revoked: [{ who: middle, at: '2026-03-02T00:00:00Z' }] });
    expect(await with_([authority, ofMiddle], [], { timestampedBy: clock })).toMatchObject({ revocation: 'revoked' });
  });

  it('is nothing where somebody else signed it, it changed, or asks for what is not known', async () => {
    const impostor = issue({ name: 'Middle', authority: true });
    expect(await with_([ofRoot, revocationList({ by: impostor })])).toMatchObject({ revocation: 'not-checked' });
    const changed = Buffer.from(ofMiddle);
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    expect(await with_([ofRoot, changed])).toMatchObject({ revocation: 'not-checked' });
    const delta = revocationList({ by: middle, extensions: [extension('2.5.29.27', integer(1), true)] });
    expect(await with_([ofRoot, delta, ofMiddle])).toMatchObject({ revocation: 'not-checked' });
    const other = { who: issue({ name: 'Other', by: middle }), at: '2026-03-01T00:00:00Z' };
    const entry = (isCritical: boolean) =>
      revocationList({
        by: middle,
        revoked: [{ ...other, extensions: [extension('2.5.29.29', der(0x05), isCritical)] }],
      });
    expect(await with_([ofRoot, entry(true)])).toMatchObject({ revocation: 'not-checked' });
    expect(await with_([ofRoot, entry(false)])).toMatchObject({ revocation: 'good' });
    const ofUsers = extension('2.5.29.28', sequence(der(0x82, Buffer.of(0xff))), true);
    expect(await with_([ofRoot, revocationList({ by: middle, extensions: [ofUsers] })])).toMatchObject({
      revocation: 'not-checked',
    });
  });

  it('may be an answer of the authority, or of whom it lets answer', async () => {
    const about = { about: jane, issuer: middle };
    expect(await with_([ofRoot], [revocationAnswer(about)])).toMatchObject({ revocation: 'good' });
    const revokedAt = '2026-03-02T00:00:00Z';
    expect(await with_([ofRoot], [revocationAnswer({ ...about, revokedAt })])).toMatchObject({
      revocation: 'revoked',
      revocationAt: revokedAt,
    });
    const answers = (wanted: Partial<Parameters<typeof issue>[0]>) =>
      revocationAnswer({
        ...about,
        by: issue({
          name: 'Answers',
          by: middle,
          purposes: ['1.3.6.1.5.5.7.3.9'],
          extensions: [extension('1.3.6.1.5.5.7.48.1.5', der(0x05))],
          ...wanted,
        }),
      });
    expect(await with_([ofRoot], [answers({})])).toMatchObject({ revocation: 'good' });
    expect(await with_([ofRoot], [answers({ purposes: [] })])).toMatchObject({ revocation: 'not-checked' });
    expect(await with_([ofRoot], [answers({ by: root })])).toMatchObject({ revocation: 'not-checked' });
    expect(await with_([ofRoot], [answers({ until: '2026-03-01T00:00:00Z' })])).toMatchObject({
      revocation: 'not-checked',
    });
    const ofOther = revocationAnswer({ about: issue({ name: 'Other', by: middle }), issuer: middle });
    expect(await with_([ofRoot], [ofOther])).toMatchObject({ revocation: 'not-checked' });
  });

  it('may stand in the signature itself', async () => {
    const archived = attribute('1.2.840.113583.1.1.8', sequence(der(0xa0, sequence(ofRoot, ofMiddle))));
    const changeAttributes = (attributes: Buffer[]) => [...attributes, archived];
    expect(await whoSigned(signed({ changeAttributes }))).toMatchObject({ revocation: 'good' });
  });

  it('takes the word of an authority that was revoked for no timestamp', async () => {
    const revoked = revocationList({ by: root, revoked: [{ who: clock, at: '2026-06-01T00:00:00Z' }] });
    expect(await with_([revoked], [], { timestampedBy: clock })).toMatchObject({ provenTime: null });
  });
});

describe('certificates, lists and answers that somebody changed', () => {
  const stranger = issue({ name: 'Root', authority: true });
  const file = signed({ timestampedBy: clock }).addValidationData(
    [root.certificate],
    [revocationList({ by: root }), revocationList({ by: middle })],
    [revocationAnswer({ about: jane, issuer: middle })],
  );
  const parts = [root, middle, jane, clock].map(({ certificate }) => certificate);

  it('are read to an end, and make nobody known', async () => {
    let seed = 7;
    const next = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < atLength({ short: 30, ci: 100, all: 10_000 }); round++) {
      const bytes = Buffer.from(file.bytes);
      // In what the store holds, which no signature covers, or anywhere.
      const from = round % 2 === 0 ? Math.min(...parts.map((one) => bytes.indexOf(one)).filter((at) => at > 0)) : 0;
      for (let count = 1 + next(3); count > 0; count--) bytes[from + next(bytes.length - from)] = next(256);
      const changed = { bytes } as SignedPdf;
      expect((await whoSigned(changed, known(stranger)))?.by ?? null).toBeNull();
      // Whatever is said by those who know the true authority, it is said.
      await whoSigned(changed);
    }
  });
});
