import type { Failure } from '../../../../contract/failure.ts';
import type { OperationName } from '../../../../contract/operation.ts';
import { negativeCode } from '../../../soap/reply/answers.ts';
import type { ReplyShape, ServiceTarget } from '../../../soap/service/client.ts';
import { wireName } from '../../../soap/service/element-names.ts';
import { childrenOf, detailsFields, eSignFields } from '../../../soap/service/operations.ts';
import type { Seen } from './step-runner.ts';

/** Longest quotation of a service's text in a report, in characters. */
const maxQuote = 300;
const maxNamed = 8;

/** Quotes a service's text on one line, cut at 300 characters. */
export function quoted(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return `"${line.length > maxQuote ? `${line.slice(0, maxQuote)}…` : line}"`;
}

/** Lists names for a report: at most eight, each cut at 100 characters, and the number of the others. */
export function listed(names: readonly string[]): string {
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : '';
  return `${names
    .slice(0, maxNamed)
    .map((name) => name.slice(0, 100))
    .join(', ')}${more}`;
}

/** A negative code, from the text of the result or from the record's Errors; null if there is none. */
export function codeIn({ text, fields }: ReplyShape, target: ServiceTarget): string | null {
  const errors = wireName(target.elementNames, 'GetDocumentDetails', 'Errors');
  return negativeCode(text) ?? negativeCode(fields.find(({ name }) => name === errors)?.text ?? null);
}

/**
 * Judges a reply without the result element: another element in its place means that the result has another name. One alone is read all the same.
 * Null if the result element is there.
 */
export function judgeResult(
  operation: OperationName,
  { hasResult, besides }: ReplyShape,
  target: ServiceTarget,
): Seen | null {
  if (hasResult) return null;
  const child = `${operation}Result`;
  const wanted = wireName(target.elementNames, operation, child);
  if (besides.length === 0) return { result: 'unclear', note: `answered without ${wanted}` };
  const isRead = besides.length === 1;
  return {
    result: isRead ? 'unclear' : 'failed',
    note: `answered with ${listed(besides)} instead of ${wanted}${isRead ? '; as there is nothing else, it is read' : ''}`,
    proposal: 'read-wsdl',
    elements: [`${operation}.${child}`],
  };
}

/** Compares the names in a record or an entry with those that the connection expects. Null if all agree. */
function judgeNames(
  operation: OperationName,
  given: readonly string[],
  table: { readonly all: readonly string[]; readonly required: readonly string[] },
  target: ServiceTarget,
): Seen | null {
  const nameOf = (field: string) => wireName(target.elementNames, operation, field);
  const expected = new Set(table.all.map(nameOf));
  const strange = given.filter((name) => !expected.has(name));
  const missing = table.required.filter((field) => !given.includes(nameOf(field)));
  if (missing.length === 0 && strange.length === 0) return null;
  const came = strange.length > 0 ? `answered with ${listed(strange)}` : `answered with ${listed(given)}`;
  if (missing.length === 0) {
    return { result: 'unclear', note: `${came}, in no row of the element names`, proposal: 'read-wsdl' };
  }
  return {
    result: 'failed',
    note: `${came}, without ${listed(missing.map(nameOf))}`,
    proposal: 'read-wsdl',
    elements: missing.map((field) => `${operation}.${field}`),
  };
}

/** Judges the names in the record of GetDocumentDetails. Null if all agree, or if there is no record. */
export function judgeRecord(shape: ReplyShape, target: ServiceTarget): Seen | null {
  if (shape.fields.length === 0) return null;
  const names = shape.fields.map(({ name }) => name);
  return judgeNames('GetDocumentDetails', names, { all: detailsFields, required: ['Errors'] }, target);
}

/** Judges the names in an entry of GetESignList. Null if all agree. */
export function judgeEntry(entry: readonly string[], target: ServiceTarget): Seen | null {
  const required = ['CreatedDate', 'ServiceDocumentID', 'OrigServiceDocumentID'];
  return judgeNames('GetESignList', entry, { all: eSignFields, required }, target);
}

/**
 * Judges a fault that may be about the element names of the request: the finding lists the names that occur in the
 * fault's text.
 */
export function judgeFault(operation: OperationName, fault: Failure, target: ServiceTarget, asked: string): Seen {
  const raw = fault.raw ?? '';
  const isNamed = (child: string) => raw.includes(wireName(target.elementNames, operation, child));
  const named = childrenOf(operation)
    .map(({ name }) => name)
    .filter(isNamed);
  const elements = (named.length > 0 ? named : [asked]).map((child) => `${operation}.${child}`);
  return { result: 'failed', note: `refused with a fault: ${quoted(raw)}`, proposal: 'read-wsdl', elements };
}
