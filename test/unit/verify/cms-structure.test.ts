import { describe, expect, it } from 'vitest';
import { proveSignature } from '../../../electron/core/verify/pdf-signatures/cms/prove-signature.ts';
import { attribute, type CmsWanted, dataOid, hashOf, signCms, timestampToken } from '../../harness/cms.ts';
import { der, oid, sequence, text } from '../../harness/der.ts';
import { signatureOf } from '../../harness/signature-bytes.ts';
import { makeKey, makeSigner } from '../../harness/signers.ts';

const about = Buffer.from('%PDF-1.7 what the signature covers');
const signer = makeSigner({ key: 'rsa', name: 'Ana Ruiz' });
const authority = makeSigner({ key: 'p256', name: 'Time authority' });
const signedAt = new Date('2026-03-03T09:41:07Z');
const at = new Date('2026-03-03T09:41:12Z');

/** What is said of a signature that is as usual but for this. */
async function proofOf(wanted: Partial<CmsWanted> = {}, subFilter?: string) {
  return proveSignature(signatureOf(signCms({ signer, about, signedAt, ...wanted }), about, subFilter));
}

const integrityOf = async (wanted: Partial<CmsWanted>, subFilter?: string) =>
  (await proofOf(wanted, subFilter)).integrity;

describe('Who and when', () => {
  it('are the certificate that the signer names, and the signed time in UTC', async () => {
    expect(await proofOf({ signingCertificate: 'v2' })).toEqual({
      integrity: 'intact',
      reason: null,
      algorithm: 'sha256/rsa',
      signer: 'Ana Ruiz',
      emails: [],
      signingTime: '2026-03-03T09:41:07Z',
      timestamp: null,
      hasSigningCertificate: true,
      weak: [],
    });
    const time = (value: Buffer) => ({
      signedAt: undefined,
      changeAttributes: (rest: Buffer[]) => [...rest, attribute('1.2.840.113549.1.9.5', value)],
    });
    const timeOf = async (tag: number, value: string) =>
      (await proofOf(time(der(tag, Buffer.from(value))))).signingTime;
    expect(await timeOf(0x17, '260303114107+0200')).toBe('2026-03-03T09:41:07Z');
    expect(await timeOf(0x17, '9912312359Z')).toBe('1999-12-31T23:59:00Z');
    expect(await timeOf(0x18, '20260303094107.987Z')).toBe('2026-03-03T09:41:07Z');
    expect(await timeOf(0x18, '20260231094107Z')).toBeNull();
    expect(await timeOf(0x18, '20260303094107')).toBeNull();
  });

  it('is named by common name, else pseudonym, else organisation, in whatever kind of text', async () => {
    const [name, pseudonym, organisation] = ['2.5.4.3', '2.5.4.65', '2.5.4.10'];
    const pair = makeKey('p256');
    const signerOf = async (...subject: [string, Buffer][]) =>
      (await proofOf({ signer: makeSigner({ key: 'p256', pair, subject }) })).signer;
    expect(await signerOf([organisation, text('Office')], [pseudonym, text('A17')], [name, text('Ana')])).toBe('Ana');
    expect(await signerOf([organisation, text('Office')], [pseudonym, text('A17')])).toBe('A17');
    expect(await signerOf([organisation, der(0x1e, Buffer.from('Ő é', 'utf16le').swap16())])).toBe('Ő é');
    expect(await signerOf([name, der(0x14, Buffer.from('Ärger', 'latin1'))])).toBe('Ärger');
    expect(await signerOf([name, text('Ana  Maria\n')])).toBe('Ana Maria');
    expect(await signerOf([name, text('x'.repeat(10_000))])).toHaveLength(256);
    expect(await signerOf(['2.5.4.6', text('CH')])).toBeNull();
  });

  it('may be named by the key’s identifier; another certificate beside it is not used', async () => {
    expect(await integrityOf({ isNamedByKey: true })).toBe('intact');
    const certificates = [authority.certificate, signer.certificate, signer.certificate];
    expect(await proofOf({ certificates })).toMatchObject({ integrity: 'intact', signer: 'Ana Ruiz' });
    expect(await proofOf({ certificates: [authority.certificate] })).toMatchObject({
      integrity: 'undecidable',
      signer: null,
      algorithm: 'sha256/rsa',
    });
    expect(await integrityOf({ certificates: [] })).toBe('undecidable');
    const double = makeSigner({ key: 'p256', name: 'Bo', serial: signer.serial });
    expect(await integrityOf({ certificates: [signer.certificate, double.certificate] })).toBe('undecidable');
  });
});

describe('What was signed', () => {
  it('names the certificate by its digest, in both versions of the attribute', async () => {
    for (const signingCertificate of ['v1', 'v2'] as const) {
      expect(await integrityOf({ signingCertificate })).toBe('intact');
      expect(await integrityOf({ signingCertificate, namedCertificate: authority.certificate })).toBe('broken');
    }
  });

  it('has the digest and the kind of its content, each once', async () => {
    const without = (index: number) => ({ changeAttributes: (all: Buffer[]) => all.toSpliced(index, 1) });
    expect(await integrityOf(without(0))).toBe('broken');
    expect(await integrityOf(without(1))).toBe('broken');
    const second = attribute('1.2.840.113549.1.9.4', der(0x04, hashOf('sha256', Buffer.from('more'))));
    expect(await integrityOf({ changeAttributes: (all) => [...all, second] })).toBe('undecidable');
    const type = attribute('1.2.840.113549.1.9.3', oid('1.2.840.113549.1.9.16.1.4'));
    expect(await integrityOf({ changeAttributes: ([, ...rest]) => [type, ...rest] })).toBe('broken');
  });

  it('is compared as it stands and in the order of DER', async () => {
    expect(await integrityOf({ reversed: 'signed' })).toBe('intact');
    expect(await integrityOf({ reversed: 'not-signed' })).toBe('intact');
  });

  it('is the digest of the file in a signature of the kind adbe.pkcs7.sha1', async () => {
    const sha1 = { about: hashOf('sha1', about), carries: dataOid };
    expect(await integrityOf(sha1, 'adbe.pkcs7.sha1')).toBe('intact');
    expect(await integrityOf({ ...sha1, hasAttributes: false }, 'adbe.pkcs7.sha1')).toBe('intact');
    expect(await integrityOf({ ...sha1, about: hashOf('sha1', Buffer.from('x')) }, 'adbe.pkcs7.sha1')).toBe('broken');
    expect(await integrityOf({}, 'adbe.pkcs7.sha1')).toBe('undecidable');
  });
});

describe('The contents of a signature', () => {
  const cms = signCms({ signer, about });
  const integrity = async (contents: Uint8Array) => (await proveSignature(signatureOf(contents, about))).integrity;

  it('end with the signature, or with zeros after it', async () => {
    expect(await integrity(cms)).toBe('intact');
    expect(await integrity(Buffer.concat([cms, Buffer.alloc(5_000)]))).toBe('intact');
    expect(await integrity(Buffer.concat([cms, Buffer.alloc(50), Buffer.of(1)]))).toBe('undecidable');
    for (const length of [0, 1, 2, 5, cms.length - 1])
      expect(await integrity(cms.subarray(0, length))).toBe('undecidable');
    expect(await integrity(Buffer.alloc(9_000))).toBe('undecidable');
  });

  it('may leave lengths open, as old signers do', async () => {
    expect(await integrityOf({ isIndefinite: true })).toBe('intact');
    expect(
      await integrityOf({ isIndefinite: true, about: hashOf('sha1', about), carries: dataOid }, 'adbe.pkcs7.sha1'),
    ).toBe('intact');
    const open = signCms({ signer, about, isIndefinite: true });
    expect(await integrity(Buffer.concat([open, Buffer.from('left from before')]))).toBe('intact');
    expect(await integrity(open.subarray(0, -1))).toBe('undecidable');
  });

  it('have one signer and no content of their own', async () => {
    expect(await integrityOf({ signers: 2 })).toBe('undecidable');
    expect(await integrityOf({ signers: 0 })).toBe('undecidable');
    expect(await integrityOf({ carries: dataOid })).toBe('undecidable');
    expect(await integrityOf({}, 'adbe.x509.rsa_sha1')).toBe('undecidable');
  });

  it('end a proof soon, however deep or long they say they are', async () => {
    const deep = Buffer.alloc(4_000_000, Buffer.of(0x30, 0x80));
    const wide = Buffer.concat([Buffer.of(0x30, 0x80, 0x30, 0x80), Buffer.alloc(4_000_000, Buffer.of(0x05, 0x00))]);
    const many = sequence(
      oid('1.2.840.113549.1.7.2'),
      der(0xa0, sequence(...Array.from({ length: 30_000 }, () => der(0x05)))),
    );
    const long = Buffer.concat([Buffer.of(0x30, 0x84, 0xff, 0xff, 0xff, 0xff), cms]);
    const began = process.cpuUsage();
    for (const contents of [deep, wide, many, long, Buffer.alloc(9 * 1024 * 1024, 0x30)])
      expect(await integrity(contents)).toBe('undecidable');
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1e6).toBeLessThan(1);
  });
});

describe('A signature’s timestamp', () => {
  const token = (value: Buffer) => timestampToken({ signer: authority, about: value, at });
  const timestampOf = async (timestamps: CmsWanted['timestamps']) => {
    const proof = await proofOf({ timestamps });
    expect(proof.integrity).toBe('intact');
    return proof.timestamp;
  };
  const time = '2026-03-03T09:41:12Z';

  it('is about the signature’s value and signed; any other does not count', async () => {
    expect(await timestampOf((value) => [token(value)])).toBe(time);
    expect(await timestampOf(() => [token(Buffer.from('another value'))])).toBeNull();
    const broken = (value: Buffer) =>
      token(value).map((byte, index, { length }) => (index === length - 1 ? byte ^ 1 : byte));
    expect(await timestampOf((value) => [Buffer.from(broken(value))])).toBeNull();
    expect(await timestampOf((value) => [sequence(oid('1.2.3')), token(Buffer.from('x')), token(value)])).toBe(time);
    expect(await timestampOf((value) => [signCms({ signer: authority, about: value })])).toBeNull();
  });

  it('counts too when its own certificate is missing, or stands beside the signer’s', async () => {
    const bare = (value: Buffer) => [timestampToken({ signer: authority, about: value, at, certificates: [] })];
    expect(await timestampOf(bare)).toBe(time);
    const certificates = [signer.certificate, authority.certificate];
    expect(await proofOf({ timestamps: bare, certificates })).toMatchObject({ timestamp: time });
    // Beside the signer’s, it shows that the token is broken.
    const spoilt = (value: Buffer) => bare(value).map((one) => Buffer.from(one.with(-1, (one.at(-1) ?? 0) ^ 1)));
    expect(await proofOf({ timestamps: spoilt, certificates })).toMatchObject({ timestamp: null });
  });

  it('may be a document’s own: about the file, signed by the authority', async () => {
    const proof = async (contents: Buffer) => proveSignature(signatureOf(contents, about, 'ETSI.RFC3161'));
    const good = timestampToken({ signer: authority, about, at, signingCertificate: 'v2' });
    expect(await proof(good)).toMatchObject({
      integrity: 'intact',
      algorithm: 'sha256/ecdsa',
      signer: 'Time authority',
      timestamp: time,
    });
    const copied = timestampToken({ signer: authority, about: Buffer.from('another file'), at });
    expect(await proof(copied)).toMatchObject({ integrity: 'broken', timestamp: time });
    expect((await proof(Buffer.from(good.with(-1, (good.at(-1) ?? 0) ^ 1)))).integrity).toBe('broken');
    expect((await proof(signCms({ signer: authority, about }))).integrity).toBe('undecidable');
    const wrongKind = signCms({
      signer: authority,
      about: hashOf('sha256', about),
      carries: '1.2.840.113549.1.9.16.1.4',
    });
    expect((await proof(wrongKind)).integrity).toBe('undecidable');
    expect((await proveSignature(signatureOf(good, about))).integrity).toBe('undecidable');
  });
});
