import { type Element, expectTag, readAs, readElement, readOctets, readOid, sameBytes, tags } from './asn1.ts';
import { readText } from './asn1-text.ts';

/** The parts of a certificate that a signature needs; nothing about whether anybody trusts it. */
export interface Certificate {
  readonly bytes: Uint8Array;
  readonly issuer: Uint8Array;
  readonly serial: Uint8Array;
  readonly subject: Element;
  readonly publicKey: Element;
  readonly keyIdentifier: Uint8Array | null;
  /** Other names of the subject, as they are in the certificate; null without any. */
  readonly otherNames: Uint8Array | null;
}

export const keyIdentifierOid = '2.5.29.14';
export const otherNamesOid = '2.5.29.17';
export const emailOid = '1.2.840.113549.1.9.1';
/** An address among other names. */
const addressTag = 0x81;
/** A person has fewer. */
const mostEmails = 10;

export function readCertificate(element: Element): Certificate {
  const fields = readAs(tags.sequence, readAs(tags.sequence, element)[0]);
  const [serial, , issuer, , subject, publicKey, ...more] = fields[0]?.tag === 0xa0 ? fields.slice(1) : fields;
  const extensions = more.find(({ tag }) => tag === 0xa3);
  const keyIdentifier = extensions && findExtension(extensions, keyIdentifierOid);
  return {
    bytes: element.bytes,
    issuer: expectTag(tags.sequence, issuer).bytes,
    serial: expectTag(tags.integer, serial).content,
    subject: expectTag(tags.sequence, subject),
    publicKey: expectTag(tags.sequence, publicKey),
    keyIdentifier: keyIdentifier ? readOctets(readElement(keyIdentifier)) : null,
    otherNames: (extensions && findExtension(extensions, otherNamesOid)) ?? null,
  };
}

/** Whether a signer’s identifier (issuer and serial number, or key identifier) names this certificate. */
export function isNamedBy(certificate: Certificate, identifier: Element): boolean {
  if (identifier.tag !== tags.sequence)
    return certificate.keyIdentifier !== null && sameBytes(certificate.keyIdentifier, identifier.content);
  const [issuer, serial] = readAs(tags.sequence, identifier);
  return (
    sameBytes(certificate.issuer, expectTag(tags.sequence, issuer).bytes) &&
    sameBytes(certificate.serial, expectTag(tags.integer, serial).content)
  );
}

/** Common name, else pseudonym, else organisation. */
const nameOids = ['2.5.4.3', '2.5.4.65', '2.5.4.10'];

export function nameOf({ subject }: Certificate): string | null {
  const parts = partsOf(subject);
  for (const wanted of nameOids)
    for (const [oid, value] of parts)
      if (value && readOid(oid) === wanted) {
        const text = readText(value);
        if (text) return text;
      }
  return null;
}

/** Addresses among the other names, and in the subject’s name, where older certificates have them. */
export function emailsOf({ subject, otherNames }: Certificate): string[] {
  const others = otherNames ? readAs(tags.sequence, readElement(otherNames)) : [];
  const found = [
    ...others.filter(({ tag }) => tag === addressTag).map((name) => readText({ ...name, tag: 0x16 })),
    ...partsOf(subject).map(([oid, value]) => (value && readOid(oid) === emailOid ? readText(value) : null)),
  ];
  return [...new Set(found.filter((text) => text !== null && text !== ''))].slice(0, mostEmails) as string[];
}

/** Each part of a name as its type and its value. */
export function partsOf(subject: Element): Element[][] {
  return readAs(tags.sequence, subject)
    .flatMap((set) => readAs(tags.set, set))
    .map((part) => readAs(tags.sequence, part));
}

function findExtension(extensions: Element, wanted: string): Uint8Array | null {
  for (const extension of readAs(tags.sequence, readAs(0xa3, extensions)[0])) {
    const parts = readAs(tags.sequence, extension);
    if (readOid(parts[0]) === wanted) return readOctets(parts.at(-1));
  }
  return null;
}
