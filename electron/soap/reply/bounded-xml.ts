import { SaxesParser, type SaxesTagNS } from 'saxes';
import { type AppError, appError, failureOf } from '../../core/foundation/app-error.ts';

/** Bounds of a reply that is not a document, far above what real services send. */
const maxDepth = 64;
const maxAttributes = 64;
/**
 * Longest text, tag or comment. saxes reports it only at its end, so the bound is checked while it is fed; of some texts, such as brackets, it takes fifty bytes
 * of memory for each character.
 */
const maxTokenUnits = 1024 * 1024;
const maxAttributeUnits = 64 * 1024;
/** Length that is parsed at once: one or two milliseconds of work. */
const sliceUnits = 64 * 1024;

export interface XmlEvents {
  open(tag: SaxesTagNS, depth: number): void;
  text(text: string): void;
  close(depth: number): void;
}

/** What XML 1.0 has no place for, also not as a reference. */
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const replacement = '\ufffd';

/** True for a reference to a character that XML 1.0 has no place for. */
function isForbiddenReference(entity: string): boolean {
  const digits = /^#(?:x([0-9a-f]+)|([0-9]+))$/i.exec(entity);
  if (!digits) return false;
  const code = digits[1] ? Number.parseInt(digits[1], 16) : Number(digits[2]);
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return true;
  return String.fromCodePoint(code).search(forbidden) >= 0;
}

/** The failure for a reply with more of `what` than is read. */
export function tooLarge(what: string): AppError {
  return appError('reply-unreadable', `${what} is beyond what is read`, { detail: 'reply-too-large' });
}

function unreadable(detail: 'not-xml' | 'truncated-reply' | 'empty-reply', note: string): AppError {
  return appError('reply-unreadable', note, { detail });
}

/** Position of a parser in its text, as the bounds need it. */
interface Progress {
  depth: number;
  attributes: number;
  fedUnits: number;
  /** `fedUnits` at the last event: everything since then is one token that has not ended. */
  lastEventUnits: number;
  inTag: boolean;
}

/** Passes the parser's events on and enforces the bounds that show in an event. */
function connectEvents(parser: SaxesParser<{ xmlns: true; position: false }>, events: XmlEvents, at: Progress): void {
  parser.on('doctype', (doctype) => {
    if (/^\s*html\b/i.test(doctype.slice(0, 20))) {
      throw appError('reply-unreadable', 'a web page sent as XML', { detail: 'html-page' });
    }
    throw unreadable('not-xml', 'a document type declaration is not read');
  });
  parser.on('opentagstart', () => {
    at.inTag = true;
    at.lastEventUnits = at.fedUnits;
    at.attributes = 0;
    at.depth += 1;
    if (at.depth > maxDepth) throw tooLarge('nesting');
  });
  parser.on('attribute', ({ value }) => {
    at.lastEventUnits = at.fedUnits;
    at.attributes += 1;
    if (at.attributes > maxAttributes) throw tooLarge('the number of attributes');
    if (value.length > maxAttributeUnits) throw tooLarge('an attribute');
  });
  parser.on('opentag', (tag) => {
    at.inTag = false;
    events.open(tag, at.depth);
  });
  parser.on('closetag', () => {
    at.lastEventUnits = at.fedUnits;
    events.close(at.depth);
    at.depth -= 1;
  });
  parser.on('text', (text) => {
    at.lastEventUnits = at.fedUnits;
    if (at.depth > 0) events.text(text);
  });
  parser.on('cdata', (text) => {
    at.lastEventUnits = at.fedUnits;
    events.text(text);
  });
}

/**
 * Lets the parser replace references to forbidden characters instead of refusing the whole text: .asmx and other stacks write them. saxes resolves references in
 * this one method, which its types call private; text in CDATA does not come here.
 */
function replaceReferences(parser: SaxesParser<{ xmlns: true; position: false }>, onReplaced: () => void): void {
  const resolver = parser as unknown as { parseEntity(entity: string): string };
  const resolve = resolver.parseEntity.bind(parser);
  resolver.parseEntity = (entity) => {
    if (!isForbiddenReference(entity)) return resolve(entity);
    onReplaced();
    return replacement;
  };
}

/** Runs the parser; an error that is not an AppError is one of the XML. */
function parse(work: () => void, whenXmlIsBad: () => AppError): void {
  try {
    work();
  } catch (error) {
    throw failureOf(error) ? error : whenXmlIsBad();
  }
}

/**
 * Namespace-aware XML parsing that a hostile reply can neither poison, freeze nor fill: no DTD and therefore no entities, bounds on
 * depth, attributes and the length of every token, names are only compared. Throws reply-unreadable: not-xml, reply-too-large,
 * truncated-reply, empty-reply. With `onReplaced`, which is called for each, characters that XML forbids become U+FFFD; without it they are not-xml.
 */
export function createXmlFeed(
  events: XmlEvents,
  bounds: { readonly totalUnits: number; readonly onReplaced?: () => void },
) {
  const { onReplaced } = bounds;
  const parser = new SaxesParser({ xmlns: true, position: false });
  const at: Progress = { depth: 0, attributes: 0, fedUnits: 0, lastEventUnits: 0, inTag: false };
  let blank = true;
  connectEvents(parser, events, at);
  if (onReplaced) replaceReferences(parser, onReplaced);
  const cleaned = (text: string) => {
    if (!onReplaced || text.search(forbidden) < 0) return text;
    onReplaced();
    return text.replace(forbidden, replacement);
  };
  return {
    write(text: string) {
      for (let from = 0; from < text.length; from += sliceUnits) {
        const slice = text.length <= sliceUnits ? text : text.slice(from, from + sliceUnits);
        blank = blank && slice.trim() === '';
        at.fedUnits += slice.length;
        if (at.fedUnits > bounds.totalUnits) throw tooLarge('the reply');
        parse(
          () => parser.write(cleaned(slice)),
          () => unreadable('not-xml', 'not well-formed XML'),
        );
        if (at.fedUnits - at.lastEventUnits > (at.inTag ? maxAttributeUnits + sliceUnits : maxTokenUnits)) {
          throw tooLarge(at.inTag ? 'an attribute' : 'a single text or tag');
        }
      }
    },
    /** Throws truncated-reply if elements are still open, empty-reply if there was nothing but space. */
    end() {
      if (blank) throw unreadable('empty-reply', 'the reply is empty');
      parse(
        () => parser.close(),
        () => unreadable('truncated-reply', 'the reply ends inside an element'),
      );
    },
  };
}
