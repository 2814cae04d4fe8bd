import { describe, expect, it } from 'vitest';
import { proveSignature } from '../../../electron/core/verify/pdf-signatures/cms/prove-signature.ts';
import { damaged } from '../../fuzz/mutate.ts';
import { type Random, randomOf } from '../../fuzz/random.ts';
import { signCms, timestampToken } from '../../harness/cms.ts';
import { signatureOf } from '../../harness/signature-bytes.ts';
import { makeSigner } from '../../harness/signers.ts';
import { atLength } from '../../harness/test-length.ts';

const about = Buffer.from('%PDF-1.7 what the signature covers');
const signer = makeSigner({ key: 'rsa' });
const authority = makeSigner({ key: 'p256' });
const at = new Date('2026-03-03T09:41:12Z');

describe('A signature of which one byte is changed', () => {
  it('is not intact, wherever in certificate, attributes or value the byte is', async () => {
    const cms = signCms({ signer, about, signingCertificate: 'v2', signedAt: at });
    const parts: readonly (readonly [start: number, end: number])[] = [
      [cms.indexOf(signer.certificate), cms.indexOf(signer.certificate) + signer.certificate.length],
      // Digest algorithm, attributes, signature algorithm and value.
      [cms.lastIndexOf(signer.serial) + signer.serial.length, cms.length],
    ];
    const kept: number[] = [];
    for (const [start, end] of parts)
      for (let index = start; index < end; index++) {
        const changed = Buffer.from(cms.with(index, (cms[index] ?? 0) ^ (1 << (index % 8))));
        if ((await proveSignature(signatureOf(changed, about))).integrity === 'intact') kept.push(index);
      }
    // The kind of the parameters of an algorithm that has none.
    expect(kept).toEqual([cms.lastIndexOf(Buffer.of(0x05, 0x00))]);
  });

  it('is not intact, wherever in the file the byte is', async () => {
    const cms = signCms({ signer, about });
    for (let index = 0; index < about.length; index++) {
      const changed = Buffer.from(about.with(index, (about[index] ?? 0) ^ 0x20));
      expect((await proveSignature(signatureOf(cms, changed))).integrity).toBe('broken');
    }
  });
});

const cases = atLength({ short: 400, ci: 1_000, all: 20_000 });

describe(`${cases} damaged signatures`, () => {
  const timestamps = (value: Buffer) => [timestampToken({ signer: authority, about: value, at })];
  const originals = [
    [signCms({ signer, about, signingCertificate: 'v1', timestamps }), 'ETSI.CAdES.detached'],
    [signCms({ signer: authority, about, isIndefinite: true }), 'adbe.pkcs7.detached'],
    [timestampToken({ signer: authority, about, at }), 'ETSI.RFC3161'],
  ] as const;

  it('are answered within a second each, never intact about another file, and keep what they claim when intact', async () => {
    const other = Buffer.from(about.with(-1, 0));
    const outcomes = { intact: 0, broken: 0, undecidable: 0 };
    for (let seed = 0; seed < cases; seed++) {
      const random = randomOf(seed);
      const [cms, subFilter] = random.one(originals);
      const began = process.cpuUsage();
      const contents = damagedMostlyAtOnePlace(cms, random);
      const proof = await proveSignature(signatureOf(contents, about, subFilter));
      outcomes[proof.integrity]++;
      const { user, system } = process.cpuUsage(began);
      expect(user + system, `seed ${seed}`).toBeLessThan(1e6);
      expect((await proveSignature(signatureOf(contents, other, subFilter))).integrity, `seed ${seed}`).not.toBe(
        'intact',
      );
      if (proof.integrity !== 'intact') expect(proof.reason, `seed ${seed}`).toMatch(/\.$/);
    }
    // Not all may end at the first byte.
    expect(outcomes.broken).toBeGreaterThan(cases / 20);
    expect(outcomes.undecidable).toBeGreaterThan(cases / 20);
  });
});

/** Most changes leave the structure as it is, so that what is behind it is tried too. */
function damagedMostlyAtOnePlace(bytes: Buffer, random: Random): Buffer {
  if (random.chance(5)) return damaged(bytes, random, 1);
  const changed = Buffer.from(bytes);
  for (let times = 1 + random.below(2); times > 0; times--) changed[random.below(bytes.length)] = random.below(256);
  return changed;
}
