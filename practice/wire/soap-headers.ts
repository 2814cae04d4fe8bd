import type { IncomingMessage } from 'node:http';
import { type Operation, type OperationName, operationNames } from '../interface.ts';
import { SoapFault, type SoapVersion } from './faults.ts';

/** The version by media type: text/xml is 1.1, application/soap+xml is 1.2, each in UTF-8. Null for anything else. */
export function soapVersionOf(contentType: string | undefined): SoapVersion | null {
  const [media = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters
    .find((each) => each.startsWith('charset='))
    ?.slice(8)
    .replaceAll('"', '');
  if (charset !== undefined && charset !== 'utf-8' && charset !== 'us-ascii') return null;
  if (media === 'text/xml') return '1.1';
  return media === 'application/soap+xml' ? '1.2' : null;
}

/** The operation named by the headers: SOAPAction in 1.1, the action parameter in 1.2. Null if they name none. */
export function actionOf(request: IncomingMessage, version: SoapVersion, namespaceUri: string): OperationName | null {
  const text = version === '1.1' ? String(request.headers.soapaction ?? '') : actionParameter(request);
  return operationNames.find((name) => text === `"${namespaceUri}${name}"`) ?? null;
}

/** 1.1 requires the quoted SOAPAction, in 1.2 the action is optional; if present it must name the body's element. */
export function requireAction(
  request: IncomingMessage,
  version: SoapVersion,
  namespaceUri: string,
  operation: Operation,
): void {
  const given = version === '1.1' ? String(request.headers.soapaction ?? '') : actionParameter(request);
  if (version === '1.2' && given === '') return;
  if (actionOf(request, version, namespaceUri) !== operation.name)
    throw new SoapFault(
      'Client',
      `Server did not recognize the value of HTTP Header SOAPAction: ${given.slice(0, 200)}.`,
    );
}

function actionParameter(request: IncomingMessage): string {
  const value = /;\s*action=("[^"]*"|[^;\s]+)/i.exec(request.headers['content-type'] ?? '')?.[1] ?? '';
  return value === '' || value.startsWith('"') ? value : `"${value}"`;
}
