import type { SaxesTagNS } from 'saxes';
import { type AppError, appError } from '../../core/foundation/app-error.ts';
import { hidden } from '../../core/foundation/text-readings.ts';
import { envelopeNamespaces } from '../request/envelope.ts';
import type { ServiceTarget } from '../service/client.ts';
import { secretWordName, wireName } from '../service/element-names.ts';
import { operations, soapVersionFor } from '../service/operations.ts';
import { shorten } from '../wire/reply-coding.ts';
import { statusFailure } from '../wire/reply-head.ts';
import { negativeCode } from './answers.ts';
import { createXmlFeed } from './bounded-xml.ts';
import type { Reading } from './feed-reply.ts';
import { maxRaw, refusal } from './refusal.ts';

const namespacesOfEnvelopes = new Set<string>(Object.values(envelopeNamespaces));
const schemaInstance = 'http://www.w3.org/2001/XMLSchema-instance';
const encoding12 = 'http://www.w3.org/2003/05/soap-encoding';

/** Events by the depth of an element: Envelope (1), Body (2), the reply or a fault (3), its result (4), fields (5). */
export interface ReplyEvents {
  /**
   * The <Operation>Result element, or the first element in its place (`isOther`), which counts only if it stays the only one. If the result itself follows
   * after all, this is called again: what came in the other element does not count.
   */
  result(tag: SaxesTagNS, nil: boolean, isOther: boolean): void;
  /** Elements, text and ends below it; depth counts from 1 for its children, 0 is the result itself. */
  open(tag: SaxesTagNS, depth: number, nil: boolean): void;
  text(text: string): void;
  close(depth: number): void;
  /** An element beside the result. With this function no element is read in place of the result: it is the names that are wanted. */
  beside?(tag: SaxesTagNS): void;
}

/** For a reply that is only checked. */
export const noEvents: ReplyEvents = {
  result: () => undefined,
  open: () => undefined,
  text: () => undefined,
  close: () => undefined,
};

export function wrongReply(note: string): AppError {
  return appError('reply-unreadable', note, { detail: 'wrong-reply' });
}

/** The failure for a text in place of a document or a list: that of the code if it is one, else wrong-reply. */
export function textFailure(text: string, expected: 'document' | 'list'): AppError {
  const raw = text.trim();
  const code = negativeCode(raw);
  if (code) return refusal(code, raw);
  return appError('reply-unreadable', `a text where a ${expected} was expected`, { detail: 'wrong-reply', raw });
}

export function isNil(tag: SaxesTagNS): boolean {
  const nil = Object.values(tag.attributes).find(({ local, uri }) => local === 'nil' && uri === schemaInstance);
  return nil?.value === 'true' || nil?.value === '1';
}

/** True for an element whose content is elsewhere in the envelope (the encodings of SOAP 1.1 and 1.2): it looks empty and is not. */
function isReference(tag: SaxesTagNS): boolean {
  return Object.values(tag.attributes).some(
    ({ local, uri, value }) =>
      (local === 'href' && uri === '' && value.startsWith('#')) || (local === 'ref' && uri === encoding12),
  );
}

interface Fault {
  /** The code, and with SOAP 1.2 its subcodes. */
  readonly codes: readonly string[];
  readonly reason: string;
}

/** Codes and languages of a fault that are kept; real faults have one to three. */
const mostInFault = 20;
const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';

/** Collects a fault of either version: faultcode and faultstring, or the Values under Code and its Subcodes, and the Texts under Reason by language. */
function createFaultReader() {
  const path: string[] = [];
  const codes: string[] = [];
  const reasons: { readonly language: string; text: string }[] = [];
  const isCode = () => /^(?:faultcode|Code(?:\/Subcode)*\/Value)$/.test(path.join('/'));
  const isReason = () => /^(?:faultstring|Reason\/Text)$/.test(path.join('/'));
  const inLanguage = (wanted: string) =>
    reasons.find(({ language }) => language.toLowerCase().split('-')[0] === wanted.split('-')[0]);
  return {
    open(tag: SaxesTagNS) {
      path.push(tag.local);
      if (isCode() && codes.length < mostInFault) codes.push('');
      if (!isReason() || reasons.length >= mostInFault) return;
      const lang = Object.values(tag.attributes).find(({ local, uri }) => local === 'lang' && uri === xmlNamespace);
      reasons.push({ language: lang?.value ?? '', text: '' });
    },
    close: () => path.pop(),
    text(text: string) {
      const [code = '', reason] = [codes.at(-1), reasons.at(-1)];
      if (isCode() && code.length < maxRaw) codes[codes.length - 1] = code + text;
      else if (reason && isReason() && reason.text.length < maxRaw) reason.text += text;
    },
    /** With the reason in this language, else in English, else the first. */
    fault: (language = 'en'): Fault => {
      const reason = inLanguage(language) ?? inLanguage('en') ?? reasons[0];
      return { codes: codes.map((code) => code.trim()), reason: reason?.text ?? '' };
    },
  };
}

/** WCF says so in the subcode (WS-Addressing), other .NET servers in words, which are always English. */
function wantsAction({ codes, reason }: Fault): boolean {
  return (
    codes.some((code) => /(^|:)ActionNotSupported$/.test(code)) ||
    /valid action parameter|ContractFilter mismatch/i.test(reason)
  );
}

/**
 * A fault as service-refused (soap-fault, or soap-action-missing if the service refused a SOAP 1.2 request because it had no action; services say the same of a wrong namespace).
 * `redact` removes secrets: some services repeat the request in their fault text.
 */
function faultFailure(fault: Fault, { target, operation, redact }: EnvelopeReading): AppError {
  const { codes, reason } = fault;
  const isMissing = soapVersionFor(target, operation) === '1.2' && !target.soapAction12 && wantsAction(fault);
  const about = isMissing ? ': it misses the action parameter of SOAP 1.2, or has another namespace' : '';
  return appError('service-refused', `the service answered with a SOAP fault${about}`, {
    detail: isMissing ? 'soap-action-missing' : 'soap-fault',
    serviceCode: redact(codes.join(' / ')).slice(0, 200),
    raw: redact(reason.trim()).slice(0, maxRaw),
  });
}

/** What reading an envelope needs. */
export type EnvelopeReading = Pick<Reading, 'target' | 'operation' | 'status' | 'redact' | 'remark' | 'onResponse'>;

/** Checks Envelope (depth 1) and its children. Throws reply-unreadable (html-page, wrong-reply). */
function assertEnvelope(tag: SaxesTagNS, depth: number): void {
  if (!namespacesOfEnvelopes.has(tag.uri)) {
    const html = depth === 1 && tag.local.toLowerCase() === 'html';
    throw html
      ? appError('reply-unreadable', 'a web page sent as XML', { detail: 'html-page' })
      : wrongReply('no SOAP envelope');
  }
  if (depth === 1 && tag.local !== 'Envelope') throw wrongReply('no SOAP envelope');
}

/** The kind of the element in Body (depth 3). Throws wrong-reply if it is neither a fault nor the reply of the operation. */
function kindOfReply(tag: SaxesTagNS, { target, operation }: EnvelopeReading): 'fault' | 'response' {
  if (tag.local === 'Fault' && namespacesOfEnvelopes.has(tag.uri)) return 'fault';
  if (tag.local === `${operation}Response` && tag.uri === target.namespaceUri) return 'response';
  throw wrongReply(`the body holds another element than ${operation}Response in the service's namespace`);
}

/** Hides what is in an element that is called a secret word. */
function withoutSecretWords(events: ReplyEvents, { elementNames }: ServiceTarget): ReplyEvents {
  const secretWord = secretWordName(elementNames);
  const isSecretWord = ({ local }: SaxesTagNS) => local === secretWord || /^secret[-_]?word$/i.test(local);
  let wordDepth: number | null = null;
  return {
    ...events,
    open(tag, depth, nil) {
      events.open(tag, depth, nil);
      if (wordDepth !== null || !isSecretWord(tag)) return;
      wordDepth = depth;
      events.text(hidden);
    },
    text(piece) {
      if (wordDepth === null) events.text(piece);
    },
    close(depth) {
      if (depth === wordDepth) wordDepth = null;
      events.close(depth);
    },
  };
}

/** Decides which element of a response is read as its result. */
function createResultElements({ target, operation, redact, remark }: EnvelopeReading, events: ReplyEvents) {
  const resultName = wireName(target.elementNames, operation, `${operation}Result`);
  let hasResult = false;
  /** Elements that are not called as the result is; the first of them is read in its place. */
  let others = 0;
  let otherName: string | undefined;
  let isTold = false;
  /** Passes the name on as a remark, once. */
  const nameRead = () => {
    const name = hasResult || events.beside ? undefined : otherName;
    if (name !== undefined && !isTold) remark?.({ kind: 'reply-renamed', operation, name: redact(shorten(name)) });
    isTold = true;
    return name;
  };
  return {
    nameRead,
    /** Returns whether the content of this element is read. */
    open(tag: SaxesTagNS): boolean {
      const isOther = tag.local !== resultName;
      // Two results are ambiguous.
      if (hasResult && !isOther) throw wrongReply('more than one result');
      const isRead = !isOther || (!hasResult && others === 0);
      if (isOther) {
        others += 1;
        otherName ??= tag.local;
        events.beside?.(tag);
      } else hasResult = true;
      if (isRead && isReference(tag)) throw wrongReply('a reference in place of the result');
      if (isRead) events.result(tag, isNil(tag), isOther);
      return isRead;
    },
    /** The interface lets a result be absent, so that nothing is an answer. Anything else in its place is none. */
    end(hasOwnText: boolean) {
      if (hasResult || events.beside) return;
      if (hasOwnText) throw wrongReply(`a text in place of ${resultName}`);
      if (others > 1) throw wrongReply(`${others} elements, none of which is ${resultName}`);
      nameRead();
    },
  };
}

/**
 * Finds the result of an operation in an envelope of at most `totalUnits` characters, whatever its prefixes, and passes on its content. `end` throws the fault, or
 * reply-unreadable if this is no reply of the operation. `resultName`: of the element that was read in place of the result; undefined if the result has its own name.
 */
export function createReplyFeed(reading: EnvelopeReading, totalUnits: number, given: ReplyEvents) {
  const { target, operation, status } = reading;
  const isList = operations[operation].result === 'esign-list';
  const events = isList ? given : withoutSecretWords(given, target);
  const results = createResultElements(reading, events);
  const faultReader = createFaultReader();
  let section: 'outside' | 'header' | 'fault' | 'response' | 'result' | 'other' = 'outside';
  let found: 'nothing' | 'fault' | 'response' = 'nothing';
  /** A character that XML forbids was replaced. */
  let isReplaced = false;
  /** A text in the response itself, which the interface does not have. */
  let hasOwnText = false;
  const open = (tag: SaxesTagNS, depth: number) => {
    if (depth <= 2) assertEnvelope(tag, depth);
    if (depth === 2) section = tag.local === 'Body' ? 'outside' : 'header';
    if (depth <= 2 || section === 'header') return;
    if (depth === 3) {
      if (found !== 'nothing') throw wrongReply('more than one element in the body');
      section = found = kindOfReply(tag, reading);
      if (found === 'response') reading.onResponse?.();
    } else if (section === 'fault') faultReader.open(tag);
    else if (depth === 4) section = results.open(tag) ? 'result' : 'other';
    else if (section === 'result') events.open(tag, depth - 4, isNil(tag));
  };
  const text = (piece: string) => {
    if (section === 'fault') faultReader.text(piece);
    else if (section === 'result') events.text(piece);
    else if (section === 'response') hasOwnText ||= piece.trim() !== '';
  };
  const close = (depth: number) => {
    if (section === 'fault' && depth > 3) faultReader.close();
    else if (section === 'result' && depth > 4) events.close(depth - 4);
    if (depth === 4 && section !== 'fault' && section !== 'header') section = 'response';
    if (depth === 2) section = 'outside';
  };
  const onReplaced = () => {
    isReplaced = true;
  };
  const xml = createXmlFeed({ open, text, close }, { totalUnits, onReplaced });
  const end = () => {
    try {
      xml.end();
    } catch (error) {
      throw status >= 400 ? statusFailure(status) : error;
    }
    // Of what was read, not of a text that is thrown away.
    if (isReplaced && found !== 'nothing') reading.remark?.({ kind: 'reply-characters', operation });
    if (found === 'fault') throw faultFailure(faultReader.fault(target.language), reading);
    if (status >= 400) throw statusFailure(status);
    if (found === 'nothing') throw wrongReply('an empty body');
    results.end(hasOwnText);
  };
  return { write: xml.write, end, resultName: results.nameRead };
}
