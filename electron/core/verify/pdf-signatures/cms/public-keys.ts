import { ed448 } from '@noble/curves/ed448.js';
import { ed25519 } from '@noble/curves/ed25519.js';
import { brainpoolP256r1, brainpoolP384r1, brainpoolP512r1 } from '@noble/curves/misc.js';
import { p256, p384, p521 } from '@noble/curves/nist.js';
import { undecidable } from '../doubt.ts';
import { type PssParameters, readPss, type Scheme } from './algorithms.ts';
import { type Element, oid, readBits, readElement, readOid, readSequence, readUnsigned, tags } from './asn1.ts';

/** What a certificate says to verify with. Elliptic curves are computed by a library of our own, as Electron’s knows half of them only. */
export type PublicKey =
  | { readonly kind: 'rsa'; readonly modulus: bigint; readonly exponent: bigint; readonly only: PssOnly }
  | { readonly kind: 'ec'; readonly curve: Curve; readonly point: Uint8Array }
  | { readonly kind: 'ed25519' | 'ed448'; readonly curve: typeof ed25519; readonly point: Uint8Array }
  | { readonly kind: 'dsa'; readonly p: bigint; readonly q: bigint; readonly g: bigint; readonly y: bigint };

/** Of a key for PSS alone, perhaps with one set of parameters. */
type PssOnly = { readonly parameters: PssParameters | null } | null;

export type Curve = typeof p256;

const curves = new Map([
  [oid('1.2.840.10045.3.1.7'), p256],
  [oid('1.3.132.0.34'), p384],
  [oid('1.3.132.0.35'), p521],
  [oid('1.3.36.3.3.2.8.1.1.7'), brainpoolP256r1],
  [oid('1.3.36.3.3.2.8.1.1.11'), brainpoolP384r1],
  [oid('1.3.36.3.3.2.8.1.1.13'), brainpoolP512r1],
]);

const readers = new Map<string, (key: Uint8Array, parameters: Element | undefined) => PublicKey>([
  [oid('1.2.840.113549.1.1.1'), (key) => readRsa(key, null)],
  [
    oid('1.2.840.113549.1.1.10'),
    (key, parameters) => readRsa(key, { parameters: parameters ? readPss(parameters) : null }),
  ],
  [oid('1.2.840.10045.2.1'), readPoint],
  [oid('1.3.101.112'), (key) => ({ kind: 'ed25519', curve: ed25519, point: checkPoint(ed25519, key) })],
  [oid('1.3.101.113'), (key) => ({ kind: 'ed448', curve: ed448, point: checkPoint(ed448, key) })],
  [oid('1.2.840.10040.4.1'), readDsa],
]);

export function readPublicKey(information: Element): PublicKey {
  const [algorithm, bits] = readSequence(information);
  const [type, parameters] = readSequence(algorithm);
  const read = readers.get(readOid(type));
  if (!read) throw undecidable('unusable-key');
  return read(readBits(bits), parameters);
}

const kinds: Partial<Record<Scheme, PublicKey['kind']>> = { 'rsa-pss': 'rsa', ecdsa: 'ec', 'ecdsa-plain': 'ec' };

/** Whether a key is for a scheme. */
export function fits(key: PublicKey, scheme: Scheme): boolean {
  return key.kind === (kinds[scheme] ?? scheme) && !(key.kind === 'rsa' && key.only && scheme === 'rsa');
}

/** Below what is thought safe today: it is said, and no verdict gets worse by it. */
export function isShort(key: PublicKey): boolean {
  if (key.kind !== 'rsa' && key.kind !== 'dsa') return false;
  return bitsOf(key.kind === 'rsa' ? key.modulus : key.p) < 2048;
}

export const bitsOf = (value: bigint): number => value.toString(2).length;

/** Within what every version of OpenSSL and BoringSSL takes, so that all give one answer. */
function readRsa(key: Uint8Array, only: PssOnly): PublicKey {
  const [modulus = 0n, exponent = 0n] = readSequence(readElement(key)).map(readUnsigned);
  const bits = bitsOf(modulus);
  if (bits < 512 || bits > 8192 || modulus % 2n === 0n) throw undecidable('unusable-key');
  if (exponent < 3n || bitsOf(exponent) > 33 || exponent % 2n === 0n) throw undecidable('unusable-key');
  return { kind: 'rsa', modulus, exponent, only };
}

function readPoint(point: Uint8Array, parameters: Element | undefined): PublicKey {
  const curve = parameters?.tag === tags.oid ? curves.get(readOid(parameters)) : undefined;
  if (!curve) throw undecidable('unknown-curve');
  return { kind: 'ec', curve, point: checkPoint(curve, point) };
}

function readDsa(key: Uint8Array, parameters: Element | undefined): PublicKey {
  const [p = 0n, q = 0n, g = 0n] = readSequence(parameters).map(readUnsigned);
  const y = readUnsigned(readElement(key));
  const isUsual = [160, 224, 256].includes(bitsOf(q)) && bitsOf(p) >= 512 && bitsOf(p) <= 4096 && (p - 1n) % q === 0n;
  if (!isUsual || g <= 1n || g >= p || y <= 1n || y >= p) throw undecidable('unusable-key');
  return { kind: 'dsa', p, q, g, y };
}

function checkPoint(curve: Pick<Curve, 'utils'>, point: Uint8Array): Uint8Array {
  if (!curve.utils.isValidPublicKey(point)) throw undecidable('unusable-key');
  return point;
}
