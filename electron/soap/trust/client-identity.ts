import { X509Certificate } from 'node:crypto';
import { Duplex } from 'node:stream';
import type { PeerCertificate, SecureContextOptions } from 'node:tls';
import { certificateReasons } from '../../../contract/failure.ts';
import { type AppError, appError, codeOf } from '../../core/foundation/app-error.ts';

/** Loaded with the first connection that is encrypted: that takes two thirds of the processor time of Node's whole start. */
export const nodeTls = () => process.getBuiltinModule('node:tls');

/** A client certificate with its private key, as it was given. Held in memory only while a client uses it. */
export interface ClientIdentity {
  readonly kind: 'pkcs12' | 'pem';
  /** The file in base64; of PEM, all given files one after the other. */
  readonly bytes: string;
  /** Empty for none. */
  readonly password: string;
  /** Authorities in the file are not trusted: the organisation's policy says which ones are. */
  readonly authoritiesIgnored?: boolean;
}

/** The options of a secure context that presents it. */
export function identityOptions({ kind, bytes, password }: ClientIdentity): SecureContextOptions {
  const given = Buffer.from(bytes, 'base64');
  // An empty password is one in PKCS#12: without it node reads no file that has none.
  if (kind === 'pkcs12') return { pfx: [{ buf: given, passphrase: password }] };
  const text = given.toString('latin1');
  return { cert: text, key: [{ pem: text, ...(password === '' ? {} : { passphrase: password }) }] };
}

/** A client certificate that was read and can be used. */
export type ReadIdentity = ReturnType<typeof readIdentity>;

/**
 * Reads a certificate with its private key: PKCS#12, or PEM in one file or in two. Throws bad-input for files that cannot be used (field
 * `clientCertificate`) and for a wrong password (field `clientCertificate.password`).
 */
export function readIdentity(files: readonly Buffer[], password: string) {
  const isPem = files.every((file) => file.includes('-----BEGIN '));
  if (!isPem && files.length > 1) throw unusable('is no pair of PEM files');
  const bytes = Buffer.concat(isPem ? files.flatMap((file) => [file, Buffer.from('\n')]) : files);
  if (roundsOf(files) > mostRounds) throw unusable(certificateReasons.tooManyRounds);
  const identity: ClientIdentity = { kind: isPem ? 'pem' : 'pkcs12', bytes: bytes.toString('base64'), password };
  const certificate = certificateOf(identity);
  const { subject, issuer } = new X509Certificate(certificate.raw);
  return {
    identity,
    /** What people may see of it; `validUntil`: ISO 8601. */
    shown: {
      subject: nameIn(subject),
      issuer: nameIn(issuer),
      validUntil: new Date(certificate.valid_to).toISOString(),
    },
  };
}

/** The certificate as TLS will present it. */
function certificateOf(identity: ClientIdentity): PeerCertificate {
  try {
    const { createSecureContext, TLSSocket } = nodeTls();
    const secureContext = createSecureContext(identityOptions(identity));
    // Nothing is connected: node tells the certificate of a context only by a socket.
    const socket = new TLSSocket(new Duplex({ read: () => undefined }), { secureContext });
    const found = socket.getCertificate();
    socket.destroy();
    if (found && 'raw' in found) return found;
  } catch (error) {
    throw refusalOf(error, identity);
  }
  throw unusable(certificateReasons.otherKey);
}

/** OpenSSL and BoringSSL say the same in other words. */
function refusalOf(error: unknown, { kind, bytes }: ClientIdentity): AppError {
  const words = error instanceof Error ? `${codeOf(error)} ${error.message}` : '';
  if (/mac verify|INCORRECT_PASSWORD|BAD_DECRYPT|bad decrypt|INTERRUPTED_OR_CANCELLED/i.test(words))
    return wrongPassword();
  if (/KEY_VALUES_MISMATCH|KEY_TYPE_MISMATCH/.test(words)) return unusable(certificateReasons.otherKey);
  if (kind === 'pkcs12') {
    if (/Unsupported PKCS12|UNSUPPORTED_OPERATION|UNKNOWN_ALGORITHM/i.test(words))
      return unusable(certificateReasons.old);
    return unusable(/private key/.test(words) ? certificateReasons.noKey : 'is no PKCS#12 or PEM file');
  }
  const text = Buffer.from(bytes, 'base64').toString('latin1');
  if (!/-----BEGIN (?:TRUSTED )?CERTIFICATE-----/.test(text)) return unusable(certificateReasons.noCertificate);
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) return unusable(certificateReasons.noKey);
  if (/EVP_UNSUPPORTED/.test(words)) return unusable(certificateReasons.old);
  // One wrong password of 256 seems to fit by the padding: then it is the structure that is wrong.
  const isEncrypted = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(text);
  return isEncrypted && /asn1|DECODE/i.test(words) ? wrongPassword() : unusable('cannot be used');
}

function wrongPassword(): AppError {
  return appError('bad-input', 'the password of the client certificate is wrong', {
    fields: { 'clientCertificate.password': 'is wrong' },
  });
}

function unusable(why: string): AppError {
  return appError('bad-input', `the client certificate ${why}`, { fields: { clientCertificate: why } });
}

/** Common name, else organisation, of a name in lines `CN=…`. */
function nameIn(lines: string): string {
  const part = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(lines)?.[1];
  return (part('CN') ?? part('O') ?? lines.replaceAll('\n', ', ')).slice(0, 200);
}

/** Each part of a file of today has up to a million rounds, which take a second; what asks for more would hold the program. */
const mostRounds = 5_000_000;

const sequence = 0x30;
const octetString = 0x04;
const integer = 0x02;
const mostDepth = 24;

/** What one look at a file may take, whatever it claims to be. */
interface Look {
  left: number;
  rounds: number;
}

/**
 * The number of rounds by which all keys in PKCS#12 or PKCS#8 are derived (RFC 7292, 8018, 7914): where a salt, which is an octet string, is followed by a
 * number. Of scrypt it is the work of all its numbers. Read before OpenSSL gets the file, because it has no limit.
 */
export function roundsOf(files: readonly Buffer[]): number {
  const look: Look = { left: 100_000, rounds: 0 };
  for (const part of files.flatMap(partsOf)) readParts(part, look, 0);
  return look.rounds;
}

/** The file itself, or what the blocks of a PEM file hold. */
function partsOf(file: Buffer): Buffer[] {
  if (file[0] === sequence) return [file];
  const blocks = file.toString('latin1').matchAll(/-----BEGIN [^-\r\n]{0,60}-----([A-Za-z0-9+/=\s]*)/g);
  return [...blocks].map(([, inside = '']) => Buffer.from(inside, 'base64'));
}

/** Reads elements of BER one after the other, and what is inside of them; stops at what is none. */
function readParts(bytes: Buffer, look: Look, depth: number): void {
  let isAfterSalt = false;
  let work = 0;
  for (let at = 0; at + 2 <= bytes.length && look.left > 0; look.left -= 1) {
    const tag = bytes.readUInt8(at);
    const [from, to] = boundsAt(bytes, at + 1);
    if (from > bytes.length || to > bytes.length || depth > mostDepth) return;
    const inside = bytes.subarray(from, to);
    if (tag === integer && isAfterSalt) {
      const before = work;
      work = Math.min(Math.max(before, 1) * Math.max(numberIn(inside), 1), Number.MAX_SAFE_INTEGER);
      look.rounds += work - before;
    } else {
      isAfterSalt = tag === octetString;
      work = 0;
    }
    // Octet strings of PKCS#12 hold further elements.
    if ((tag & 0x20) !== 0 || (tag === octetString && inside[0] === sequence)) readParts(inside, look, depth + 1);
    at = to;
  }
}

/** Where the content of an element begins and ends; `at`: its length. One without a length goes to the end of what it is in. */
function boundsAt(bytes: Buffer, at: number): readonly [from: number, to: number] {
  const first = bytes.readUInt8(at);
  if (first < 0x80) return [at + 1, at + 1 + first];
  const size = first & 0x7f;
  if (size === 0) return [at + 1, bytes.length];
  if (size > 4 || at + 1 + size > bytes.length) return [bytes.length + 1, bytes.length + 1];
  const from = at + 1 + size;
  return [from, from + bytes.readUIntBE(at + 1, size)];
}

/** A number of up to six bytes; a longer one is more than any limit. */
function numberIn(bytes: Buffer): number {
  if (bytes.length === 0) return 0;
  return bytes.length > 6 ? Number.MAX_SAFE_INTEGER : bytes.readUIntBE(0, bytes.length);
}
