import { X509Certificate } from 'node:crypto';
import { Duplex } from 'node:stream';
import { createSecureContext, type PeerCertificate, type SecureContextOptions, TLSSocket } from 'node:tls';
import { certificateReasons } from '../../../contract/field-reasons.ts';
import { type AppError, appError, codeOf } from '../../core/foundation/app-error.ts';
import { mostRounds, roundsOf } from './key-rounds.ts';

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

/** What people may see of a certificate. */
export interface ShownCertificate {
  readonly subject: string;
  readonly issuer: string;
  /** ISO format. */
  readonly validUntil: string;
}

/** A client certificate that was read and can be used. */
export interface ReadIdentity {
  readonly identity: ClientIdentity;
  readonly shown: ShownCertificate;
}

/**
 * Reads a certificate with its private key: PKCS#12, or PEM in one file or in two. Throws bad-input for files that cannot be used (field
 * `clientCertificate`) and for a wrong password (field `clientCertificate.password`).
 */
export function readIdentity(files: readonly Buffer[], password: string): ReadIdentity {
  const isPem = files.every((file) => file.includes('-----BEGIN '));
  if (!isPem && files.length > 1) throw unusable('is no pair of PEM files');
  const bytes = Buffer.concat(isPem ? files.flatMap((file) => [file, Buffer.from('\n')]) : files);
  if (roundsOf(files) > mostRounds) throw unusable(certificateReasons.tooManyRounds);
  const identity: ClientIdentity = { kind: isPem ? 'pem' : 'pkcs12', bytes: bytes.toString('base64'), password };
  const certificate = certificateOf(identity);
  const { subject, issuer } = new X509Certificate(certificate.raw);
  return {
    identity,
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
