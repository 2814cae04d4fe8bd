import type { SaxesTagNS } from 'saxes';
import type { OperationName } from '../../contract/operation.ts';
import { type AppError, appError } from '../core/foundation/app-error.ts';
import type { Redact } from '../core/foundation/redactor.ts';
import { createXmlFeed, type XmlFeed } from './bounded-xml.ts';
import type { ServiceTarget } from './client.ts';
import { wireName } from './element-names.ts';
import { statusFailure } from './reply-head.ts';
import { soapVersionFor } from './soap-version.ts';

const envelopeNamespaces = new Set([
  'http://schemas.xmlsoap.org/soap/envelope/',
  'http://www.w3.org/2003/05/soap-envelope',
]);
const schemaInstance = 'http://www.w3.org/2001/XMLSchema-instance';
/** The service's own words in a failure (contract/failure.ts). */
const maxRawUnits = 2_000;

/** Events by the depth of an element: Envelope (1), Body (2), the reply or a fault (3), its result (4), fields (5). */
export interface ReplyEvents {
  /** The <Operation>Result element. */
  result(tag: SaxesTagNS, nil: boolean): void;
  /** Elements, text and ends below it; depth counts from 1 for its children, 0 is the result itself. */
  open(tag: SaxesTagNS, depth: number, nil: boolean): void;
  text(text: string): void;
  close(depth: number): void;
  /** An element beside the result: not used, but it shows that the result may have another name. */
  beside?(tag: SaxesTagNS): void;
}

export interface ReplyFeed {
  write(text: string): void;
  /** Throws the fault, or reply-unreadable if this is no reply of the operation. */
  end(): void;
}

function wrongReply(note: string): AppError {
  return appError('reply-unreadable', note, { detail: 'wrong-reply' });
}

export function isNil(tag: SaxesTagNS): boolean {
  const nil = Object.values(tag.attributes).find(({ local, uri }) => local === 'nil' && uri === schemaInstance);
  return nil?.value === 'true' || nil?.value === '1';
}

export interface Fault {
  code: string;
  subcode: string;
  reason: string;
}

/** Collects a fault of either version: faultcode/faultstring, or the first Value under Code, the one of its Subcode, and the first Text under Reason. */
function createFaultReader() {
  const path: string[] = [];
  const fault: Fault = { code: '', subcode: '', reason: '' };
  const fields: Readonly<Record<string, keyof Fault>> = {
    faultcode: 'code',
    faultstring: 'reason',
    'Code/Value': 'code',
    'Code/Subcode/Value': 'subcode',
    'Reason/Text': 'reason',
  };
  return {
    fault,
    open: (local: string) => path.push(local),
    close: () => path.pop(),
    text(text: string) {
      const key = path.join('/');
      const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
      if (field && fault[field].length < maxRawUnits) fault[field] += text;
    },
  };
}

/** WCF says so in the subcode (WS-Addressing), other .NET servers in words, which are always English. */
function wantsAction({ subcode, reason }: Fault): boolean {
  return (
    /(^|:)ActionNotSupported$/.test(subcode.trim()) || /valid action parameter|ContractFilter mismatch/i.test(reason)
  );
}

/**
 * A fault as service-refused (soap-fault, or soap-action-missing if the service refused a SOAP 1.2 request because it had no action).
 * `redact` removes secrets: some services repeat the request in their fault text.
 */
export function faultFailure(fault: Fault, redact: (text: string) => string, isWithoutAction = false): AppError {
  const { code, reason } = fault;
  return appError('service-refused', 'the service answered with a SOAP fault', {
    detail: isWithoutAction && wantsAction(fault) ? 'soap-action-missing' : 'soap-fault',
    serviceCode: redact(code.trim()).slice(0, 200),
    raw: redact(reason.trim()).slice(0, maxRawUnits),
  });
}

interface Reading {
  readonly target: ServiceTarget;
  readonly operation: OperationName;
  readonly status: number;
  readonly redact: Redact;
  readonly totalUnits: number;
}

/** Checks Envelope (depth 1) and its children. Throws reply-unreadable (html-page, wrong-reply). */
function assertEnvelope(tag: SaxesTagNS, depth: number): void {
  if (!envelopeNamespaces.has(tag.uri)) {
    const html = depth === 1 && tag.local.toLowerCase() === 'html';
    throw html
      ? appError('reply-unreadable', 'a web page sent as XML', { detail: 'html-page' })
      : wrongReply('no SOAP envelope');
  }
  if (depth === 1 && tag.local !== 'Envelope') throw wrongReply('no SOAP envelope');
}

/** The kind of the element in Body (depth 3). Throws wrong-reply if it is neither a fault nor the reply of the operation. */
function kindOfReply(tag: SaxesTagNS, { target, operation }: Reading): 'fault' | 'response' {
  if (tag.local === 'Fault' && envelopeNamespaces.has(tag.uri)) return 'fault';
  if (tag.local === `${operation}Response` && tag.uri === target.namespaceUri) return 'response';
  throw wrongReply(`the body holds another element than ${operation}Response in the service's namespace`);
}

/** Finds the result of an operation in an envelope, whatever its prefixes, and passes on its content. */
export function createReplyFeed(reading: Reading, events: ReplyEvents): ReplyFeed {
  const { target, operation, status, redact } = reading;
  const resultName = wireName(target.elementNames, operation, `${operation}Result`);
  const faultReader = createFaultReader();
  const isWithoutAction = soapVersionFor(target, operation) === '1.2' && !target.soapAction12;
  let section: 'outside' | 'header' | 'fault' | 'response' | 'result' | 'other' = 'outside';
  let found: 'nothing' | 'fault' | 'response' = 'nothing';
  let hasResult = false;
  const xml: XmlFeed = createXmlFeed(
    {
      open(tag, depth) {
        if (depth <= 2) {
          assertEnvelope(tag, depth);
          if (depth === 2) section = tag.local === 'Body' ? 'outside' : 'header';
          return;
        }
        if (section === 'header') return;
        if (depth === 3) {
          if (found !== 'nothing') throw wrongReply('more than one element in the body');
          found = kindOfReply(tag, reading);
          section = found;
          return;
        }
        if (section === 'fault') faultReader.open(tag.local);
        else if (depth === 4) {
          // Which of two would count is nobody's to say.
          if (hasResult && tag.local === resultName) throw wrongReply('more than one result');
          section = tag.local === resultName ? 'result' : 'other';
          if (section === 'result') events.result(tag, isNil(tag));
          else events.beside?.(tag);
          hasResult ||= section === 'result';
        } else if (section === 'result') events.open(tag, depth - 4, isNil(tag));
      },
      text(text) {
        if (section === 'fault') faultReader.text(text);
        else if (section === 'result') events.text(text);
      },
      close(depth) {
        if (section === 'fault' && depth > 3) faultReader.close();
        else if (section === 'result' && depth > 4) events.close(depth - 4);
        if (depth === 4 && section !== 'fault' && section !== 'header') section = 'response';
        if (depth === 2) section = 'outside';
      },
    },
    { totalUnits: reading.totalUnits },
  );
  return {
    write: (text) => xml.write(text),
    end() {
      try {
        xml.end();
      } catch (error) {
        throw status >= 400 ? statusFailure(status) : error;
      }
      if (found === 'fault') throw faultFailure(faultReader.fault, redact, isWithoutAction);
      if (status >= 400) throw statusFailure(status);
      if (found === 'nothing') throw wrongReply('an empty body');
    },
  };
}
