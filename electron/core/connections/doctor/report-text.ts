import type { Connection, DoctorStep } from '../../../../contract/connections.ts';
import type { ServiceTarget } from '../../../soap/service/client.ts';
import { listed } from './judge-reply.ts';
import { proposalTexts } from './proposals.ts';

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
