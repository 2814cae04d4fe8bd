import type { Connection, DoctorProposal, DoctorStep } from '../../../../contract/connections.ts';
import type { Failure } from '../../../../contract/failure.ts';
import type { OperationName } from '../../../../contract/operation.ts';
import { negativeCode } from '../../../soap/reply/answers.ts';
import { isFault } from '../../../soap/reply/refusal.ts';
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

/** Judges a reply without the result element: another element in its place means that the result has another name. One alone is read all the same. Null if the result element is there. */
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

/** Judges a fault that may be about the element names of the request: the finding lists the names that occur in the fault's text. */
export function judgeFault(operation: OperationName, fault: Failure, target: ServiceTarget, asked: string): Seen {
  const raw = fault.raw ?? '';
  const isNamed = (child: string) => raw.includes(wireName(target.elementNames, operation, child));
  const named = childrenOf(operation)
    .map(({ name }) => name)
    .filter(isNamed);
  const elements = (named.length > 0 ? named : [asked]).map((child) => `${operation}.${child}`);
  return { result: 'failed', note: `refused with a fault: ${quoted(raw)}`, proposal: 'read-wsdl', elements };
}

interface Input {
  readonly program: string;
  readonly connection: Connection;
  readonly target: ServiceTarget;
  readonly steps: readonly DoctorStep[];
}

/** The report for support: plain text in English, without credentials, documents or addresses of people. */
export function reportText({ program, connection, target, steps }: Input): string {
  const { soapVersion, easySignSoapVersion, namespaceUri, baseUrl, mainPath, easySignPath } = target;
  const easySign = easySignSoapVersion === 'main' ? '' : ` (Easy Sign: ${easySignSoapVersion})`;
  const action = target.soapAction12 ? ', 1.2 with action' : '';
  const names = Object.entries(target.elementNames).map(([own, wire]) => `${own}=${wire}`);
  const head = [
    `Connection report, ${new Date().toISOString()}`,
    `Program: ${program}`,
    `System: ${process.platform} ${process.arch}, Node ${process.versions.node}`,
    `Connection: ${connection.name} (${connection.kind})`,
    `Address: ${baseUrl}, main path ${mainPath}, Easy Sign path ${easySignPath}`,
    `Namespace: ${namespaceUri}${namespaceUri.endsWith('/') ? '' : ' (does not end with a slash)'}`,
    `SOAP ${soapVersion}${easySign}${action}; proxy: ${target.proxy}; extra CA: ${target.extraCa.trim() === '' ? 'none' : 'yes'}`,
    `Login at the proxy: ${target.proxyLogin ? 'kept, not shown' : 'none'}; client certificate: ${certificateText(connection)}`,
    `Element names: ${names.length > 0 ? names.join(', ') : "the interface's own"}`,
    `Credentials: ${connection.credentials === 'none' ? 'none' : 'kept, not shown'}`,
  ];
  return [...head, '', ...steps.map(stepLine), ''].join('\n');
}

function certificateText({ clientCertificate: shown }: Connection): string {
  return shown ? `issued by ${shown.issuer}, valid until ${shown.validUntil}` : 'none';
}

/** One step as a line of a report. */
export function stepLine({ step, result, note, failure, proposal, elements = [], tookMs }: DoctorStep): string {
  const why = failure ? ` [${[failure.code, failure.detail, failure.serviceCode].filter(Boolean).join(', ')}]` : '';
  const names = elements.length > 0 ? ` (${listed(elements)})` : '';
  const next = proposal ? `. ${proposalTexts[proposal]}${names}` : '';
  return `${step.padEnd(14)} ${result.padEnd(9)} ${String(tookMs).padStart(6)} ms  ${note}${why}${next}`;
}

/** What a person can do about a failure of the service; undefined if the service's own words are enough. */
export function proposalFor(step: DoctorStep['step'], failure: Failure): DoctorProposal | undefined {
  const { code, detail, serviceCode = '', raw = '' } = failure;
  if (step === 'easy-sign') return code === 'reply-unreadable' ? 'check-easy-sign-path' : undefined;
  if (code === 'credentials-rejected') return 'check-credentials';
  if (detail === 'http-status' && /^(404|405|410)$/.test(serviceCode)) return 'check-main-path';
  if (step === 'soap' && (detail === 'html-page' || detail === 'redirected')) return 'check-main-path';
  if (detail === 'http-status' && serviceCode === '415') return 'soap-version';
  if (detail === 'wrong-reply') return 'check-namespace';
  if (detail === 'soap-action-missing') return 'soap12-action';
  if (!isFault(failure)) return undefined;
  if (/VersionMismatch/i.test(serviceCode)) return 'soap-version';
  // In the words of .asmx, WCF, JAX-WS, Axis, CXF and gSOAP.
  return /SOAPAction|ContractFilter|dispatch method|operation not found|not recognized|namespace/i.test(raw)
    ? 'check-namespace'
    : undefined;
}

/** English texts for the report and the command line; the window has texts in its own catalogue. */
export const proposalTexts: Readonly<Record<DoctorProposal, string>> = {
  'read-wsdl': 'Read the WSDL again, or ask the service for its element names.',
  'soap12-action': 'Send SOAP 1.2 with the action parameter, or use SOAP 1.1.',
  'soap-version': 'Choose the other SOAP version.',
  'check-namespace': 'Check the namespace; the WSDL names it.',
  'check-credentials': 'Enter the credentials again.',
  'check-main-path': 'Check the main path.',
  'check-easy-sign-path': 'Check the Easy Sign path.',
  'ask-about-easy-sign': 'Ask the service whether Easy Sign is included, or send one request to yourself.',
};
