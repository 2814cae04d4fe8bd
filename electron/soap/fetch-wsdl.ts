import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { WsdlProposal } from '../../contract/connections.ts';
import { failing, failureOf } from '../core/failing.ts';
import type { ServiceTarget } from './client.ts';
import { openLink, trustedContext } from './connect.ts';
import { codeOf } from './connect-failure.ts';
import { readBody } from './read-body.ts';
import { maxWsdlBytes, readWsdlBytes, wsdlUnusable } from './read-wsdl.ts';
import { createWatch } from './watch.ts';

const maxRedirects = 3;
const usualTimeouts: ServiceTarget['timeouts'] = { connectMs: 15_000, idleMs: 30_000, answerMs: 30_000 };

export interface FetchWsdlOptions {
  /** A PAC answer. */
  readonly proxy: string;
  readonly extraCa?: string;
  readonly timeouts?: ServiceTarget['timeouts'];
  readonly signal?: AbortSignal;
}

function head(url: URL, socket: Socket, absoluteForm: boolean, answerMs: number, signal?: AbortSignal) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    const asked = request({
      method: 'GET',
      path: absoluteForm ? url.href : `${url.pathname}${url.search}`,
      headers: {
        Host: url.host,
        Accept: 'text/xml',
        'Accept-Encoding': 'identity',
        'User-Agent': 'Sealdesk',
        Connection: 'close',
      },
      createConnection: () => socket,
    });
    const watch = createWatch((error) => asked.destroy(error), signal);
    watch.arm(answerMs, 'no-answer-in-time');
    asked.on('error', (error) => {
      watch.end();
      const lost = () => failing('service-unreachable', codeOf(error), { detail: 'connection-lost' });
      reject(failureOf(error) ? error : lost());
    });
    asked.once('response', (response) => {
      watch.end();
      resolve(response);
    });
    asked.end();
  });
}

async function bodyOf(response: IncomingMessage, idleMs: number, signal?: AbortSignal): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  await readBody(response, idleMs, { signal }, (chunk) => {
    bytes += chunk.length;
    if (bytes > maxWsdlBytes) throw wsdlUnusable('too large for a description');
    chunks.push(chunk);
  });
  return Buffer.concat(chunks);
}

/** Only to the same host: a redirect elsewhere would describe somebody else's service. */
function nextUrl(from: URL, location: string | undefined): URL {
  const to = location && URL.canParse(location, from.href) ? new URL(location, from) : null;
  if (!to || !/^https?:$/.test(to.protocol) || to.hostname !== from.hostname) {
    throw failing('reply-unreadable', 'redirected to another place', { detail: 'redirected' });
  }
  if (from.protocol === 'https:' && to.protocol !== 'https:') {
    throw failing('reply-unreadable', 'redirected from https to http', { detail: 'redirected' });
  }
  return to;
}

/**
 * Fetches a WSDL of at most 5 MiB and reads it. Rejects with bad-input (wsdl-unusable) where what is there is none (a web
 * page among others), or as a read does: service-unreachable, service-timeout, reply-unreadable (redirected, http-status), cancelled.
 */
export async function fetchWsdl(address: string, options: FetchWsdlOptions): Promise<WsdlProposal> {
  const { proxy, extraCa = '', timeouts = usualTimeouts, signal } = options;
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw failing('bad-input', 'not an http or https address', {
      fields: { address: 'must be an http or https address' },
    });
  }
  const route = { proxy, extraCa, connectMs: timeouts.connectMs };
  let trusted: SecureContext | undefined;
  const context = () => {
    trusted ??= trustedContext(extraCa);
    return trusted;
  };
  let url = new URL(address);
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const { socket, absoluteForm } = await openLink(url, route, context, signal);
    try {
      const response = await head(url, socket, absoluteForm, timeouts.answerMs, signal);
      response.on('error', () => undefined);
      const status = response.statusCode ?? 0;
      if (status >= 300 && status < 400) {
        url = nextUrl(url, response.headers.location);
        continue;
      }
      if (status !== 200) {
        throw failing('reply-unreadable', `HTTP ${status}`, { detail: 'http-status', serviceCode: String(status) });
      }
      const type = response.headers['content-type'] ?? '';
      if (/html/i.test(type)) throw wsdlUnusable('a web page');
      const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(type)?.[1] ?? null;
      return readWsdlBytes(await bodyOf(response, timeouts.idleMs, signal), charset);
    } finally {
      socket.destroy();
    }
  }
  throw failing('reply-unreadable', 'too many redirects', { detail: 'redirected' });
}
