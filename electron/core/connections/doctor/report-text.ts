import type { Connection, DoctorProposal, DoctorStep } from '../../../../contract/connections.ts';
import type { Failure } from '../../../../contract/failure.ts';
import { isFault } from '../../../soap/reply/refusal.ts';
import type { ServiceTarget } from '../../../soap/service/client.ts';
import { listed } from './judge-reply.ts';

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
};
