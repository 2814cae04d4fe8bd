import type { SaxesTagNS } from 'saxes';
import { envelopeNamespaces, SoapFault, type SoapVersion, unreadableValue } from './faults.ts';
import type { ChildType } from './interface.ts';

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

/** Throws the fault for a number or a boolean that is none. A nil one is read as an empty one. */
export function requireType(type: ChildType, given: string): void {
  const text = given.trim();
  if (type === 'int' && !isInt32(text)) throw unreadableValue('Input string was not in a correct format.');
  if (type === 'boolean' && !/^(true|false|1|0)$/.test(text))
    throw unreadableValue(`The string '${text.slice(0, 40)}' is not a valid Boolean value.`);
}

function isInt32(text: string): boolean {
  return /^[+-]?0*\d{1,10}$/.test(text) && Number(text) >= -2147483648 && Number(text) <= 2147483647;
}
