import { describe, expect, it } from 'vitest';
import { proveSignature } from '../../../electron/core/verify/pdf-signatures/cms/prove-signature.ts';
import { dataOid, hashOf, signCms, timestampToken } from '../../harness/cms.ts';
import { der, oid, sequence } from '../../harness/der.ts';
import { signatureOf } from '../../harness/signature-bytes.ts';
import {
  digestOids,
  type KeyKind,
  type KeyPair,
  makeKey,
  makeSigner,
  type SignerWanted,
} from '../../harness/signers.ts';

const about = Buffer.from('%PDF-1.7 what the signature covers');
const other = Buffer.from('%PDF-1.7 what the signature covered');
const rsa = makeKey('rsa');
/** Other keys of the same kinds; making one takes longer than all else here. */
const others = new Map<KeyKind, KeyPair>();
const pss = { key: 'rsa', use: 'pss', pair: rsa } as const;

/** Every scheme, and every digest with the key that takes it. */
const signers: readonly (readonly [algorithm: string, SignerWanted, digest: string])[] = [
  ...['sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sha3-256', 'sha3-384', 'sha3-512'].map(
    (digest) => [`${digest}/rsa`, { key: 'rsa', pair: rsa }, digest] as const,
  ),
  ...['sha1', 'sha256', 'sha512', 'sha3-256'].map((digest) => [`${digest}/rsa-pss`, pss, digest] as const),
  ['sha256/rsa-pss', { key: 'rsa-pss-key' }, 'sha256'],
  ['sha256/rsa-pss', { key: 'rsa-1025', use: 'pss' }, 'sha256'],
  ['sha256/ecdsa', { key: 'p256' }, 'sha256'],
  ['sha512/ecdsa', { key: 'p256' }, 'sha512'],
  ['sha3-256/ecdsa', { key: 'p256' }, 'sha3-256'],
  ['sha384/ecdsa', { key: 'p384' }, 'sha384'],
  ['sha512/ecdsa', { key: 'p521' }, 'sha512'],
  ['sha256/ecdsa', { key: 'brainpoolP256r1' }, 'sha256'],
  ['sha384/ecdsa', { key: 'brainpoolP384r1' }, 'sha384'],
  ['sha512/ecdsa', { key: 'brainpoolP512r1' }, 'sha512'],
  ['sha256/ecdsa-plain', { key: 'p256', use: 'plain' }, 'sha256'],
  ['sha512/ecdsa-plain', { key: 'brainpoolP512r1', use: 'plain' }, 'sha512'],
  ['sha512/ed25519', { key: 'ed25519' }, 'sha512'],
  ['shake256/ed448', { key: 'ed448' }, 'shake256'],
  ['sha1/dsa', { key: 'dsa' }, 'sha1'],
  ['sha256/dsa', { key: 'dsa' }, 'sha256'],
];

describe('A signature of the algorithm', () => {
  it.each(signers)(
    '%s (%o, %s) is intact, and broken when the file, the value or the key is another',
    async (algorithm, wanted, digest) => {
      const signer = makeSigner(wanted);
      const cms = signCms({ signer, digest, about, signingCertificate: 'v2' });
      const proof = await proveSignature(signatureOf(cms, about));
      expect(proof).toMatchObject({ integrity: 'intact', reason: null, algorithm, signer: signer.name });
      expect((await proveSignature(signatureOf(cms, other))).integrity).toBe('broken');
      for (const at of [cms.length - 1, cms.length - 12]) {
        const changed = Buffer.from(cms);
        changed[at] = (changed[at] ?? 0) ^ 1;
        expect((await proveSignature(signatureOf(changed, about))).integrity).toBe('broken');
      }
      // The same name and number, another key.
      if (!others.has(wanted.key)) others.set(wanted.key, makeKey(wanted.key));
      const impostor = makeSigner({ ...wanted, pair: others.get(wanted.key), serial: signer.serial });
      const swapped = signCms({ signer, digest, about, certificates: [impostor.certificate] });
      expect((await proveSignature(signatureOf(swapped, about))).integrity).toBe('broken');
    },
  );

  it('is intact without signed attributes, over the file itself, where it is not one for short texts', async () => {
    for (const key of ['rsa', 'p256', 'dsa'] as const) {
      const cms = signCms({ signer: makeSigner({ key }), about, hasAttributes: false });
      expect(await proveSignature(signatureOf(cms, about))).toMatchObject({ integrity: 'intact', signingTime: null });
      expect((await proveSignature(signatureOf(cms, other))).integrity).toBe('broken');
    }
    const pure = signCms({ signer: makeSigner({ key: 'ed25519' }), digest: 'sha512', about, hasAttributes: false });
    expect((await proveSignature(signatureOf(pure, about))).integrity).toBe('undecidable');
  });

  it('cannot be decided where the algorithm, the curve or the digest is not known', async () => {
    const signer = makeSigner({ key: 'rsa', pair: rsa });
    const unknown = signCms({ signer, about, signatureAlgorithm: sequence(oid('1.2.840.10045.3.1.7')) });
    expect(await proveSignature(signatureOf(unknown, about))).toMatchObject({
      integrity: 'undecidable',
      algorithm: null,
      signer: signer.name,
    });
    const md5 = signCms({ signer, about, digest: 'md5' });
    expect((await proveSignature(signatureOf(md5, about))).integrity).toBe('undecidable');
    const curve = signCms({ signer: makeSigner({ key: 'secp256k1' }), about });
    expect((await proveSignature(signatureOf(curve, about))).integrity).toBe('undecidable');
  });

  it('cannot be decided where the key is for another scheme or two digests are named', async () => {
    const named = async (key: KeyKind, signatureAlgorithm: Buffer, digest = 'sha256') => {
      const cms = signCms({ signer: makeSigner({ key }), about, digest, signatureAlgorithm });
      return (await proveSignature(signatureOf(cms, about))).integrity;
    };
    const rsaName = sequence(oid('1.2.840.113549.1.1.1'), der(0x05));
    expect(await named('rsa-pss-key', rsaName)).toBe('undecidable');
    expect(await named('p256', rsaName)).toBe('undecidable');
    expect(await named('rsa', sequence(oid('1.2.840.113549.1.1.13')))).toBe('undecidable');
    expect(await named('rsa', sequence(oid('1.2.840.113549.1.1.11')))).toBe('intact');
    // A key for PSS with SHA-256 alone.
    const sha512 = sequence(oid(digestOids.sha512 ?? ''));
    const other512 = sequence(oid('1.2.840.113549.1.1.10'), sequence(der(0xa0, sha512)));
    expect(await named('rsa-pss-key', other512, 'sha256')).toBe('undecidable');
  });

  it('is called weak with SHA-1 anywhere, or with a short key, and intact all the same', async () => {
    const weak = async (cms: Buffer, subFilter?: string) => {
      const proof = await proveSignature(signatureOf(cms, about, subFilter));
      expect(proof.integrity).toBe('intact');
      return proof.weak;
    };
    const strong = makeSigner({ key: 'rsa', pair: rsa });
    const at = new Date('2026-03-03T09:41:12Z');
    expect(await weak(signCms({ signer: strong, about }))).toEqual([]);
    expect(await weak(signCms({ signer: strong, about, digest: 'sha1' }))).toEqual(['sha1']);
    expect(await weak(signCms({ signer: makeSigner({ key: 'rsa-1024' }), about }))).toEqual(['short-key']);
    expect(await weak(timestampToken({ signer: strong, about, at, imprint: 'sha1' }), 'ETSI.RFC3161')).toEqual([
      'sha1',
    ]);
    const sha1 = hashOf('sha1', about);
    expect(await weak(signCms({ signer: strong, about: sha1, carries: dataOid }), 'adbe.pkcs7.sha1')).toEqual(['sha1']);
  });
});
