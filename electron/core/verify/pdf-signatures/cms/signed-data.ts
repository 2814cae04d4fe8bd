import { undecidable } from '../doubt.ts';
import { readDigestName, readSignatureAlgorithm } from './algorithms.ts';
import type { Element } from './asn1.ts';
import { expectTag, oid, readAs, readChildren, readElement, readOctets, readOid, readSequence, tags } from './asn1.ts';
import { type Certificate, isNamedBy, readCertificate } from './certificates.ts';

/** The parts of a CMS signature (RFC 5652) with its one signer. */
export type SignedData = ReturnType<typeof readSignedData>;
/** Values by the kind of attribute, in their order. */
export type Attributes = ReadonlyMap<string, readonly Element[]>;

const signedDataOid = oid('1.2.840.113549.1.7.2');
/** A signature larger than this is not looked at: the largest that are known carry a megabyte of revocation lists. */
const maxBytes = 8 * 1024 * 1024;

/** The structure must fill the contents up to the zeros that pad them. Old signers that leave lengths open leave in the padding what was there before; it is inside of the string and means nothing. */
export function readContents(contents: Uint8Array): SignedData {
  if (contents.length > maxBytes) throw undecidable('signature-too-large');
  if (contents.every((byte) => byte === 0)) throw undecidable('empty-signature');
  const whole = readElement(contents);
  if (!whole.isIndefinite && contents.subarray(whole.bytes.length).some((byte) => byte !== 0))
    throw undecidable('behind-signature');
  return readSignedData(whole);
}

export function readSignedData(whole: Element) {
  const [type, explicit] = readSequence(whole);
  if (readOid(type) !== signedDataOid) throw undecidable('not-cms');
  const [version, digests, encapsulated, ...more] = readSequence(readAs(0xa0, explicit)[0]);
  expectTag(tags.integer, version);
  expectTag(tags.set, digests);
  const [contentType, content] = readSequence(encapsulated);
  const signers = readAs(tags.set, more.at(-1));
  if (signers.length !== 1) throw undecidable('not-one-signer');
  const certificates = more[0]?.tag === 0xa0 ? readChildren(more[0]) : [];
  const revocation = more.slice(0, -1).find(({ tag }) => tag === 0xa1);
  return {
    contentType: readOid(contentType),
    /** What the signature carries itself; null where it is about bytes elsewhere. */
    content: content ? readOctets(readAs(0xa0, content)[0]) : null,
    certificates: certificates.filter(({ tag }) => tag === tags.sequence).map(readCertificate),
    /** Lists of revoked certificates, and other answers about them. */
    revocation: revocation ? readChildren(revocation) : [],
    signer: readSigner(signers[0]),
  };
}

/** The certificate that the signer names, and no other; null if it is not inside. */
export function signingCertificate({ signer, certificates }: SignedData): Certificate | null {
  const named = certificates.filter((certificate) => isNamedBy(certificate, signer.identifier));
  const [first, ...others] = new Map(named.map((one) => [Buffer.from(one.bytes).toString('latin1'), one])).values();
  if (others.length > 0) throw undecidable('two-certificates');
  return first ?? null;
}

/** An algorithm that is not known ends the proof, not the reading: name and time can be shown all the same. */
function readSigner(element: Element | undefined) {
  const [version, identifier, digest, ...more] = readSequence(element);
  expectTag(tags.integer, version);
  const signedAttributes = more[0]?.tag === 0xa0 ? more[0] : null;
  const [algorithm, value, unsigned] = signedAttributes ? more.slice(1) : more;
  if (identifier?.tag !== 0x80 && identifier?.tag !== tags.sequence) throw undecidable('not-cms');
  return {
    identifier,
    digest: () => readDigestName(digest),
    algorithm: () => readSignatureAlgorithm(algorithm),
    /** Null where the signature is directly about the content. */
    signedAttributes,
    signed: signedAttributes ? readAttributes(signedAttributes) : none,
    unsigned: unsigned ? readAttributes(expectTag(0xa1, unsigned)) : none,
    value: readOctets(value),
  };
}

const none: Attributes = new Map();

function readAttributes(parent: Element): Attributes {
  const found = new Map<string, Element[]>();
  for (const attribute of readChildren(parent)) {
    const [type, values] = readSequence(attribute);
    const name = readOid(type);
    found.set(name, [...(found.get(name) ?? []), ...readAs(tags.set, values)]);
  }
  return found;
}

/** The one value of a signed attribute that may stand there only once; null if it is not there. */
export function onlyValue(attributes: Attributes, oid: string): Element | null {
  const [value, ...more] = attributes.get(oid) ?? [];
  if (more.length > 0) throw undecidable('said-twice');
  return value ?? null;
}
