import { z } from 'zod';

/** XML 1.0 cannot carry other control characters, nor half a surrogate pair: refused at the door, never cleaned silently. */
const notXml =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** Text for an XML element, at most `max` UTF-16 units. */
export function xmlText(max: number) {
  return z
    .string()
    .max(max)
    .refine((text) => !notXml.test(text), 'has a character that XML cannot carry');
}

/** What XMLData and UniqueID hold is the service's affair: bounded by what this computer can hold several times over, in UTF-16 units. */
export const longestPassedText = 64 * 1024 * 1024;

/** A text that goes to the service exactly as it was given: spaces, tabs and line ends too. */
export const passedText = xmlText(longestPassedText);

/** Text on one line that must not be empty once trimmed. */
export function lineOf(max: number) {
  return xmlText(max)
    .trim()
    .min(1)
    .refine((text) => !/[\r\n]/.test(text), 'must be one line');
}

/** Every value of xs:int. */
export const int32 = z.int().min(-2147483648).max(2147483647);

/** The GUID form of 2.1, in either case. */
export const guidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Names of local things: connections, jobs, intakes, files. Made by the core, opaque to everyone else. */
export const localId = z.string().min(1).max(64);

/**
 * A document's name at the service. Any text: typed as a plain string by the interface, so a service that
 * hands out other IDs than GUIDs is not refused here.
 */
export const documentIdText = lineOf(200);
