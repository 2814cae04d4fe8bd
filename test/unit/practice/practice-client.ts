import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingHttpHeaders, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { operations } from '../../../practice/interface.ts';
import { type PracticeOptions, startPractice } from '../../harness/practice.ts';

export const assetsDir = resolve(import.meta.dirname, '../../../assets');
export type Practice = Awaited<ReturnType<typeof startPractice>>;
export type Version = '1.1' | '1.2';

export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'practice-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** In a folder of its own if none is given, without a time in Processing; closed at the end of the test. */
export async function practice(options: Partial<PracticeOptions> = {}): Promise<Practice> {
  const dataDir = options.dataDir ?? (await newFolder());
  const started = await startPractice({ assetsDir, processingMs: 0, ...options, dataDir });
  onTestFinished(() => started.close());
  return started;
}

/** The smallest thing that the service takes for a PDF. */
export function pdf(text = 'a document'): Buffer {
  return Buffer.from(`%PDF-1.4\n% ${text}\nstartxref\n9\n%%EOF\n`, 'latin1');
}

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export function http(
  address: string,
  options: { method?: string; headers?: Record<string, string>; body?: Buffer | string } = {},
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const body = Buffer.from(options.body ?? '');
    const headers = { 'Content-Length': String(body.length), ...options.headers };
    const sent = request(address, { method: options.method ?? 'POST', headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

export const envelopes = {
  '1.1': 'http://schemas.xmlsoap.org/soap/envelope/',
  '1.2': 'http://www.w3.org/2003/05/soap-envelope',
};

/** An envelope around raw children. */
export function envelope(version: Version, namespaceUri: string, operation: string, inner: string): string {
  return `<s:Envelope xmlns:s="${envelopes[version]}"><s:Body><${operation} xmlns="${namespaceUri}">${inner}</${operation}></s:Body></s:Envelope>`;
}

export function headersFor(version: Version, namespaceUri: string, operation: string): Record<string, string> {
  return version === '1.1'
    ? { 'Content-Type': 'text/xml; charset=utf-8', SOAPAction: `"${namespaceUri}${operation}"` }
    : { 'Content-Type': 'application/soap+xml; charset=utf-8' };
}

export function addressOf(service: Practice, operation: string): string {
  const easy = operations.find(({ name }) => name === operation)?.path === 'easy-sign';
  return service.baseUrl + (easy ? service.easySignPath : service.mainPath);
}

export function sendInner(
  service: Practice,
  operation: string,
  inner: string,
  version: Version = '1.1',
): Promise<Reply> {
  return http(addressOf(service, operation), {
    headers: headersFor(version, service.namespaceUri, operation),
    body: envelope(version, service.namespaceUri, operation, inner),
  });
}

export type Values = Readonly<Record<string, string | number | boolean | Buffer | undefined>>;

/** With the service's own credentials unless `values` brings others, in the interface's order. */
export function innerOf(service: Practice, operation: string, values: Values): string {
  const all: Values = { apiKey: service.apiKey, apiSig: service.apiSig, ...values };
  const children = operations.find(({ name }) => name === operation)?.children ?? [];
  return children
    .filter(([name]) => all[name] !== undefined)
    .map(([name]) => {
      const value = all[name];
      const text = Buffer.isBuffer(value) ? value.toString('base64') : String(value);
      return `<${name}>${text.replace(/&/g, '&amp;').replace(/</g, '&lt;')}</${name}>`;
    })
    .join('');
}

export function send(service: Practice, operation: string, values: Values = {}, version: Version = '1.1') {
  return sendInner(service, operation, innerOf(service, operation, values), version);
}

/** The text of the result; null where there is none. */
export async function call(service: Practice, operation: string, values: Values = {}, version: Version = '1.1') {
  const reply = await send(service, operation, values, version);
  if (reply.status !== 200) throw new Error(`HTTP ${reply.status}: ${reply.body}`);
  const found = new RegExp(`<${operation}Result(?: />|>([\\s\\S]*)</${operation}Result>)`).exec(reply.body);
  return found ? (found[1] ?? '') : null;
}

/** Everything that comes back on a socket until it closes or `until` is in it. */
export function raw(service: Practice, bytes: string, until?: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (until && text.includes(until)) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
    socket.write(bytes, 'latin1');
  });
}
