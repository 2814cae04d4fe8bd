import type { ServiceTarget } from '../../electron/soap/service/client.ts';

export const namespaceUri = 'https://service.example/ns/';
export const envelope11 = 'http://schemas.xmlsoap.org/soap/envelope/';
export const envelope12 = 'http://www.w3.org/2003/05/soap-envelope';

/** A connection to `baseUrl` with short time-outs. */
export function targetFor(baseUrl: string, more: Partial<ServiceTarget> = {}): ServiceTarget {
  return {
    baseUrl,
    mainPath: '/V2/service.asmx',
    easySignPath: '/easysign/v2/easysign.asmx',
    namespaceUri,
    soapVersion: '1.1',
    easySignSoapVersion: 'main',
    soapAction12: false,
    sendFalse: false,
    elementNames: {},
    extraCa: '',
    timeouts: { connectMs: 1_000, idleMs: 1_000, answerMs: 1_000 },
    proxy: 'DIRECT',
    proxyLogin: null,
    identity: null,
    ...more,
  };
}

export const credentials = { apiKey: 'key-for-tests', apiSig: 'signature-for-tests' };

/** An envelope with unusual but legal prefixes around `body`. */
export function enveloped(body: string, namespace = envelope11): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n<soap-env:Envelope xmlns:soap-env="${namespace}" xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><soap-env:Header/><soap-env:Body>${body}</soap-env:Body></soap-env:Envelope>`;
}

/** The reply to an operation whose result holds `inner`; null leaves the result out. */
export function replyOf(operation: string, inner: string | null): string {
  const result = inner === null ? '' : `<r:${operation}Result>${inner}</r:${operation}Result>`;
  return enveloped(`<r:${operation}Response xmlns:r="${namespaceUri}">${result}</r:${operation}Response>`);
}
