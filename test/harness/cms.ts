import { createHash } from 'node:crypto';
import { der, integer, oid, sequence, setOf, time } from './der.ts';
import { digestOids, type Signer } from './signers.ts';

/** A CMS signature as a program for signing PDFs writes it, or with what is named here. */
export interface CmsWanted {
  readonly signer: Signer;
  readonly digest?: string;
  /** What it is about. */
  readonly about: Buffer;
  /** Carries what it is about in itself, as this kind of content. */
  readonly carries?: string;
  readonly signedAt?: Date;
  readonly signingCertificate?: 'v1' | 'v2';
  /** The certificate that the signing-certificate attribute names, where it is not the signer’s. */
  readonly namedCertificate?: Buffer;
  /** False: the signature is directly about the content. */
  readonly hasAttributes?: boolean;
  /** Last change of the attributes before they are signed. */
  readonly changeAttributes?: (attributes: Buffer[]) => Buffer[];
  /** The attributes stand the other way round than DER has them; they were signed as they stand, or in order. */
  readonly reversed?: 'signed' | 'not-signed';
  readonly certificates?: readonly Buffer[];
  readonly isNamedByKey?: boolean;
  readonly signatureAlgorithm?: Buffer;
  /** Tokens about the signature value. */
  readonly timestamps?: (value: Buffer) => readonly Buffer[];
  readonly signers?: number;
  /** Lengths are left open, as old signers write. */
  readonly isIndefinite?: boolean;
}

export const dataOid = '1.2.840.113549.1.7.1';
const timestampInfoOid = '1.2.840.113549.1.9.16.1.4';

export const attribute = (type: string, ...values: readonly Buffer[]) => sequence(oid(type), setOf(...values));

export function signCms(wanted: CmsWanted): Buffer {
  const { signer, about, digest = 'sha256', carries, hasAttributes = true, signers = 1 } = wanted;
  const algorithm = sequence(oid(digestOids[digest] ?? '1.2.3'));
  const attributes = hasAttributes ? attributesOf(wanted, hashOf(digest, about)) : [];
  const sorted = attributes.toSorted(Buffer.compare);
  const standing = wanted.reversed ? sorted.toReversed() : sorted;
  const signed = der(0x31, ...(wanted.reversed === 'signed' ? standing : sorted));
  const value = signer.sign(digest, hasAttributes ? signed : about);
  const tokens = wanted.timestamps?.(value) ?? [];
  const info = sequence(
    integer(1),
    wanted.isNamedByKey ? der(0x80, signer.keyIdentifier) : sequence(signer.issuer, signer.serial),
    algorithm,
    ...(hasAttributes ? [der(0xa0, ...standing)] : []),
    wanted.signatureAlgorithm ?? signer.algorithm(digest),
    der(0x04, value),
    ...(tokens.length > 0 ? [der(0xa1, sequence(oid(timestampTokenOid), setOf(...tokens)))] : []),
  );
  const certificates = wanted.certificates ?? [signer.certificate];
  const wrap = wanted.isIndefinite ? openEnded : der;
  const octets = wanted.isIndefinite
    ? openEnded(0x24, der(0x04, about.subarray(0, 5)), der(0x04, about.subarray(5)))
    : der(0x04, about);
  const data = wrap(
    0x30,
    integer(1),
    setOf(algorithm),
    wrap(0x30, oid(carries ?? dataOid), ...(carries ? [wrap(0xa0, octets)] : [])),
    ...(certificates.length > 0 ? [wrap(0xa0, ...certificates)] : []),
    der(0x31, ...Array.from({ length: signers }, () => info)),
  );
  return wrap(0x30, oid('1.2.840.113549.1.7.2'), wrap(0xa0, data));
}

const timestampTokenOid = '1.2.840.113549.1.9.16.2.14';

/** An RFC 3161 token about bytes. */
export function timestampToken(
  wanted: Omit<CmsWanted, 'carries'> & { readonly at: Date; readonly imprint?: string },
): Buffer {
  const { at, imprint = 'sha256' } = wanted;
  const info = sequence(
    integer(1),
    oid('1.2.3.4'),
    sequence(sequence(oid(digestOids[imprint] ?? '1.2.3')), der(0x04, hashOf(imprint, wanted.about))),
    integer(7),
    time(at),
  );
  return signCms({ ...wanted, about: info, carries: timestampInfoOid });
}

export function hashOf(digest: string, bytes: Buffer): Buffer {
  return createHash(digest, digest === 'shake256' ? { outputLength: 64 } : {})
    .update(bytes)
    .digest();
}

function attributesOf(wanted: CmsWanted, hash: Buffer): Buffer[] {
  const { signer, signedAt, signingCertificate, namedCertificate = signer.certificate } = wanted;
  const named = hashOf(signingCertificate === 'v1' ? 'sha1' : 'sha256', namedCertificate);
  const version = signingCertificate === 'v1' ? '1.2.840.113549.1.9.16.2.12' : '1.2.840.113549.1.9.16.2.47';
  const attributes = [
    attribute('1.2.840.113549.1.9.3', oid(wanted.carries ?? dataOid)),
    attribute('1.2.840.113549.1.9.4', der(0x04, hash)),
    ...(signedAt ? [attribute('1.2.840.113549.1.9.5', time(signedAt))] : []),
    ...(signingCertificate ? [attribute(version, sequence(sequence(sequence(der(0x04, named)))))] : []),
  ];
  return wanted.changeAttributes?.(attributes) ?? attributes;
}

function openEnded(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  return Buffer.concat([Buffer.of(tag, 0x80), ...parts, Buffer.of(0, 0)]);
}
