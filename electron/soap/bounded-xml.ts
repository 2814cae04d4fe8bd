import { SaxesParser, type SaxesTagNS } from 'saxes';
import { type AppError, appError, failureOf } from '../core/foundation/app-error.ts';

/** What a reply that is not a document may be. Nothing a real service sends comes near. */
const maxDepth = 64;
const maxAttributes = 64;
/** Longest single thing: a text, an attribute, a comment. saxes gives it out at its end only, so it is bounded while fed. */
const maxTokenUnits = 4 * 1024 * 1024;
const maxAttributeUnits = 64 * 1024;
/** What is fed at once: a millisecond or two of work. */
const sliceUnits = 64 * 1024;

export interface XmlEvents {
  open(tag: SaxesTagNS, depth: number): void;
  text(text: string): void;
  close(depth: number): void;
}

export interface XmlFeed {
  write(text: string): void;
  /** Throws truncated-reply where elements are still open, empty-reply where nothing but space came. */
  end(): void;
}

function tooLarge(what: string): AppError {
  return appError('reply-unreadable', `${what} is beyond what is read`, { detail: 'reply-too-large' });
}

function unreadable(detail: 'not-xml' | 'truncated-reply' | 'empty-reply', note: string): AppError {
  return appError('reply-unreadable', note, { detail });
}

/**
 * A namespace-aware XML reading that cannot be poisoned, frozen or filled: no DTD and so no entities, bounds on depth,
 * attributes and the length of anything, names only ever compared. Throws reply-unreadable: not-xml, reply-too-large,
 * truncated-reply, empty-reply.
 */
export function createXmlFeed(events: XmlEvents, bounds: { readonly totalUnits: number }): XmlFeed {
  const parser = new SaxesParser({ xmlns: true, position: false });
  let depth = 0;
  let attributes = 0;
  let fed = 0;
  let quietSince = 0;
  let blank = true;
  let inTag = false;
  parser.on('doctype', (doctype) => {
    if (/^\s*html\b/i.test(doctype.slice(0, 20))) {
      throw appError('reply-unreadable', 'a web page sent as XML', { detail: 'html-page' });
    }
    throw unreadable('not-xml', 'a document type declaration is not read');
  });
  parser.on('opentagstart', () => {
    inTag = true;
    quietSince = fed;
    attributes = 0;
    depth += 1;
    if (depth > maxDepth) throw tooLarge('nesting');
  });
  parser.on('attribute', ({ value }) => {
    quietSince = fed;
    attributes += 1;
    if (attributes > maxAttributes) throw tooLarge('the number of attributes');
    if (value.length > maxAttributeUnits) throw tooLarge('an attribute');
  });
  parser.on('opentag', (tag) => {
    inTag = false;
    events.open(tag, depth);
  });
  parser.on('closetag', () => {
    quietSince = fed;
    events.close(depth);
    depth -= 1;
  });
  parser.on('text', (text) => {
    quietSince = fed;
    if (depth > 0) events.text(text);
  });
  parser.on('cdata', (text) => {
    quietSince = fed;
    events.text(text);
  });
  const guarded = (work: () => void, whenXmlIsBad: () => AppError) => {
    try {
      work();
    } catch (error) {
      throw failureOf(error) ? error : whenXmlIsBad();
    }
  };
  return {
    write(text) {
      for (let at = 0; at < text.length; at += sliceUnits) {
        const slice = text.length <= sliceUnits ? text : text.slice(at, at + sliceUnits);
        blank = blank && slice.trim() === '';
        fed += slice.length;
        if (fed > bounds.totalUnits) throw tooLarge('the reply');
        guarded(
          () => parser.write(slice),
          () => unreadable('not-xml', 'not well-formed XML'),
        );
        if (fed - quietSince > (inTag ? maxAttributeUnits + sliceUnits : maxTokenUnits)) {
          throw tooLarge(inTag ? 'an attribute' : 'a single text or tag');
        }
      }
    },
    end() {
      if (blank) throw unreadable('empty-reply', 'the reply is empty');
      guarded(
        () => parser.close(),
        () => unreadable('truncated-reply', 'the reply ends inside an element'),
      );
    },
  };
}
