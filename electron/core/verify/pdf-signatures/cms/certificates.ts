import type { Element } from './asn1.ts';
import {
  expectTag,
  malformed,
  oid,
  readAs,
  readBits,
  readElement,
  readOctets,
  readOid,
  readSequence,
  sameBytes,
  tags,
} from './asn1.ts';
import { readText } from './asn1-text.ts';

/** The parts of a certificate; nothing about whether anybody trusts it. */
export type Certificate = ReturnType<typeof readCertificate>;
/** What is signed by an authority: a certificate, a list or an answer about revoked ones. */
export type Signed = ReturnType<typeof readSigned>;
export type Extensions = ReturnType<typeof readExtensions>;

export const keyIdentifierOid = oid('2.5.29.14');
export const otherNamesOid = oid('2.5.29.17');
export const emailOid = oid('1.2.840.113549.1.9.1');
/** An address among other names. */
const addressTag = 0x81;
/** A person has fewer. */
const mostEmails = 10;

export function readCertificate(element: Element) {
  const signed = readSigned(element);
  const fields = readSequence(signed.body);
  const rest = fields[0]?.tag === 0xa0 ? fields.slice(1) : fields;
  const [serial, ownAlgorithm, issuer, validity, subject, publicKey, ...more] = rest;
  return {
    ...signed,
    bytes: element.bytes,
    ownAlgorithm,
    validity,
    serial: expectTag(tags.integer, serial).content,
    issuer: expectTag(tags.sequence, issuer).bytes,
    subject: expectTag(tags.sequence, subject),
    publicKey: expectTag(tags.sequence, publicKey),
    extensions: readExtensions(more.find(({ tag }) => tag === 0xa3)),
  };
}

/** The three parts that everything has that an authority signs. */
export function readSigned(element: Element) {
  const [body, algorithm, value] = readSequence(element);
  return {
    body: expectTag(tags.sequence, body),
    algorithm: expectTag(tags.sequence, algorithm),
    value: readBits(value),
  };
}

/** By their kinds; none may be there twice. */
export function readExtensions(wrapped: Element | undefined) {
  const found = new Map<string, { readonly isCritical: boolean; readonly value: Uint8Array }>();
  if (!wrapped) return found;
  for (const extension of readSequence(readAs(wrapped.tag, wrapped)[0])) {
    const [type, ...parts] = readSequence(extension);
    if (found.has(readOid(type))) throw malformed();
    const isCritical = parts.length > 1 && parts[0]?.content[0] !== 0;
    found.set(readOid(type), { isCritical, value: readOctets(parts.at(-1)) });
  }
  return found;
}

export function keyIdentifierOf({ extensions }: Certificate): Uint8Array | null {
  const found = extensions.get(keyIdentifierOid);
  return found ? readOctets(readElement(found.value)) : null;
}

/** Whether a signer’s identifier (issuer and serial number, or key identifier) names this certificate. */
export function isNamedBy(certificate: Certificate, identifier: Element): boolean {
  if (identifier.tag !== tags.sequence) {
    const own = keyIdentifierOf(certificate);
    return own !== null && sameBytes(own, identifier.content);
  }
  const [issuer, serial] = readSequence(identifier);
  return (
    sameBytes(certificate.issuer, expectTag(tags.sequence, issuer).bytes) &&
    sameBytes(certificate.serial, expectTag(tags.integer, serial).content)
  );
}

/** Common name, else pseudonym, else organisation. */
const nameOids = ['2.5.4.3', '2.5.4.65', '2.5.4.10'].map(oid);

export function nameOf({ subject }: Certificate): string | null {
  const texts = nameOids.flatMap((wanted) => valuesOf(subject, wanted).map(readText));
  return texts.find((text) => text) ?? null;
}

/** Addresses among the other names, and in the subject’s name, where older certificates have them. */
export function emailsOf({ subject, extensions }: Certificate): string[] {
  const named = extensions.get(otherNamesOid);
  const others = named ? readSequence(readElement(named.value)) : [];
  const found = [
    ...others.filter(({ tag }) => tag === addressTag).map((name) => readText({ ...name, tag: 0x16 })),
    ...valuesOf(subject, emailOid).map(readText),
  ];
  return [...new Set(found.flatMap((text) => text || []))].slice(0, mostEmails);
}

/** The parts of a name that are of this type. */
export function valuesOf(subject: Element, wanted: string): Element[] {
  const parts = readSequence(subject).flatMap((set) => readAs(tags.set, set));
  return parts.map(readSequence).flatMap(([type, value]) => (value && readOid(type) === wanted ? [value] : []));
}
