import { constants, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { der, integer, oid, sequence, setOf, text, time } from './der.ts';

/** Somebody who signs: a key, its certificate, and how the algorithm is called in a CMS signature. */
export interface Signer {
  readonly name: string;
  /** DER. */
  readonly certificate: Buffer;
  readonly issuer: Buffer;
  readonly serial: Buffer;
  readonly keyIdentifier: Buffer;
  /** The identifier of the signature algorithm with this digest. */
  readonly algorithm: (digest: string) => Buffer;
  readonly sign: (digest: string, bytes: Buffer) => Buffer;
}

export const digestOids: Readonly<Record<string, string>> = {
  md5: '1.2.840.113549.2.5',
  sha1: '1.3.14.3.2.26',
  sha224: '2.16.840.1.101.3.4.2.4',
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
  'sha3-256': '2.16.840.1.101.3.4.2.8',
  'sha3-384': '2.16.840.1.101.3.4.2.9',
  'sha3-512': '2.16.840.1.101.3.4.2.10',
  shake256: '2.16.840.1.101.3.4.2.12',
};

/** Each kind of key, as OpenSSL makes it; what verifies it in the program is something else. */
const keys = {
  rsa: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  'rsa-1024': () => generateKeyPairSync('rsa', { modulusLength: 1024 }),
  /** A modulus whose padded digest is one byte shorter than the modulus itself. */
  'rsa-1025': () => generateKeyPairSync('rsa', { modulusLength: 1025 }),
  'rsa-pss-key': () =>
    generateKeyPairSync('rsa-pss', {
      modulusLength: 1024,
      hashAlgorithm: 'sha256',
      mgf1HashAlgorithm: 'sha256',
    }),
  p256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  p384: () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  p521: () => generateKeyPairSync('ec', { namedCurve: 'P-521' }),
  brainpoolP256r1: () => generateKeyPairSync('ec', { namedCurve: 'brainpoolP256r1' }),
  brainpoolP384r1: () => generateKeyPairSync('ec', { namedCurve: 'brainpoolP384r1' }),
  brainpoolP512r1: () => generateKeyPairSync('ec', { namedCurve: 'brainpoolP512r1' }),
  secp256k1: () => generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
  ed25519: () => generateKeyPairSync('ed25519'),
  ed448: () => generateKeyPairSync('ed448'),
  dsa: () => generateKeyPairSync('dsa', { modulusLength: 1024, divisorLength: 160 }),
};
export type KeyKind = keyof typeof keys;
export const keyKinds = Object.keys(keys) as KeyKind[];

/** How the key is used, where it is not the way of its kind. */
type Use = 'pkcs1' | 'pss' | 'plain';

export interface SignerWanted {
  readonly key: KeyKind;
  readonly use?: Use;
  readonly name?: string;
  /** The parts of the subject’s name, instead of a common name. */
  readonly subject?: readonly (readonly [oid: string, value: Buffer])[];
  /** Addresses among the other names of the certificate. */
  readonly emails?: readonly string[];
  /** Of another signer, so that the certificate is about the same key. */
  readonly pair?: KeyPair;
  readonly serial?: Buffer;
}

export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export function makeKey(kind: KeyKind): KeyPair {
  return keys[kind]();
}

export function makeSigner(wanted: SignerWanted): Signer {
  const { key, name = `Signer ${key}`, pair = makeKey(key) } = wanted;
  const use = wanted.use ?? (key === 'rsa-pss-key' ? 'pss' : undefined);
  const parts = wanted.subject ?? [['2.5.4.3', text(name)] as const];
  const subject = sequence(...parts.map(([type, value]) => setOf(sequence(oid(type), value))));
  const issuer = sequence(setOf(sequence(oid('2.5.4.3'), text('Test authority'))));
  const serial = wanted.serial ?? der(0x02, Buffer.of(0x40), randomBytes(7));
  const keyIdentifier = randomBytes(20);
  const body = sequence(
    der(0xa0, integer(2)),
    serial,
    sequence(oid('1.2.840.10045.4.3.2')),
    issuer,
    sequence(time(new Date('2020-01-01T00:00:00Z')), time(new Date('2049-12-31T00:00:00Z'))),
    subject,
    pair.publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(oid('2.5.29.14'), der(0x04, der(0x04, keyIdentifier))), ...otherNames(wanted.emails))),
  );
  // Nobody is asked who issued it: the authority’s signature is anything.
  const certificate = sequence(body, sequence(oid('1.2.840.10045.4.3.2')), der(0x03, Buffer.of(0), randomBytes(64)));
  return {
    name,
    certificate,
    issuer,
    serial,
    keyIdentifier,
    algorithm: (digest) => algorithmOf(key, use, digest),
    sign: (digest, bytes) => signBytes(pair.privateKey, use, digest, bytes),
  };
}

function otherNames(emails: readonly string[] = []): Buffer[] {
  const names = emails.map((email) => der(0x81, Buffer.from(email)));
  return names.length === 0 ? [] : [sequence(oid('2.5.29.17'), der(0x04, sequence(...names)))];
}

function algorithmOf(key: KeyKind, use: Use | undefined, digest: string): Buffer {
  if (use === 'pss') return sequence(oid('1.2.840.113549.1.1.10'), pssParameters(digest));
  if (key.startsWith('rsa')) return sequence(oid('1.2.840.113549.1.1.1'), der(0x05));
  if (key === 'ed25519' || key === 'ed448') return sequence(oid(key === 'ed25519' ? '1.3.101.112' : '1.3.101.113'));
  const oids: Readonly<Record<string, string>> =
    key === 'dsa'
      ? { sha1: '1.2.840.10040.4.3', sha256: '2.16.840.1.101.3.4.3.2' }
      : use === 'plain'
        ? { sha256: '0.4.0.127.0.7.1.1.4.1.3', sha512: '0.4.0.127.0.7.1.1.4.1.5' }
        : {
            sha1: '1.2.840.10045.4.1',
            sha256: '1.2.840.10045.4.3.2',
            sha384: '1.2.840.10045.4.3.3',
            sha512: '1.2.840.10045.4.3.4',
            'sha3-256': '2.16.840.1.101.3.4.3.10',
            'sha3-512': '2.16.840.1.101.3.4.3.12',
          };
  return sequence(oid(oids[digest] ?? '1.2.3'));
}

/** RFC 4055, with a salt as long as SHA-256. */
function pssParameters(digest: string): Buffer {
  const hash = sequence(oid(digestOids[digest] ?? '1.2.3'));
  return sequence(
    der(0xa0, hash),
    der(0xa1, sequence(oid('1.2.840.113549.1.1.8'), hash)),
    der(0xa2, integer(saltLength)),
  );
}

const saltLength = 32;

function signBytes(key: KeyObject, use: Use | undefined, digest: string, bytes: Buffer): Buffer {
  const isPure = key.asymmetricKeyType === 'ed25519' || key.asymmetricKeyType === 'ed448';
  if (isPure) return sign(null, bytes, key);
  if (use === 'plain') return sign(digest, bytes, { key, dsaEncoding: 'ieee-p1363' });
  if (use === 'pss') return sign(digest, bytes, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength });
  return sign(digest, bytes, key);
}
