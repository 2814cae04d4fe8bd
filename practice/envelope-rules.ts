import type { SaxesTagNS } from 'saxes';
import { envelopeNamespaces, SoapFault, type SoapVersion } from './faults.ts';

const schemaInstance = 'http://www.w3.org/2001/XMLSchema-instance';

/** Throws the fault for an envelope of another SOAP version than the headers announced. */
export function requireEnvelope(tag: SaxesTagNS, version: SoapVersion): void {
  const expected = envelopeNamespaces[version];
  if (tag.local === 'Envelope' && tag.uri === expected) return;
  throw new SoapFault(
    'VersionMismatch',
    `Possible SOAP version mismatch: Envelope namespace ${tag.uri} was unexpected. Expecting ${expected}.`,
  );
}

/** Throws the fault for a header block with mustUnderstand; other blocks are ignored. */
export function refuseMandatoryHeader(tag: SaxesTagNS, version: SoapVersion): void {
  const must = Object.values(tag.attributes).find(
    (attribute) => attribute.local === 'mustUnderstand' && attribute.uri === envelopeNamespaces[version],
  );
  if (must && /^\s*(1|true)\s*$/.test(must.value))
    throw new SoapFault('MustUnderstand', `SOAP header ${tag.name} was not understood.`);
}

export function isNil(tag: SaxesTagNS): boolean {
  return Object.values(tag.attributes).some(
    ({ uri, local, value }) => uri === schemaInstance && local === 'nil' && /^(1|true)$/.test(value),
  );
}
