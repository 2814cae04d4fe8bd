import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { appError } from '../../core/foundation/app-error.ts';
import { readBody } from '../reply/read-body.ts';
import type { ServiceTarget } from '../service/client.ts';
import { ask, withinTotal } from '../wire/ask.ts';
import { createRoute } from '../wire/network-route.ts';
import { type KnownNames, maxWsdlBytes, readWsdlBytes, type WsdlDescription, wsdlUnusable } from './read-wsdl.ts';

const maxRedirects = 3;
/** Limit for redirects, connections and the whole description together. */
const usualTotalMs = 30_000;
const gunzipped = promisify(gunzip);
const usualTimeouts: ServiceTarget['timeouts'] = { connectMs: 15_000, idleMs: 30_000, answerMs: 30_000 };

export interface FetchWsdlOptions {
  /** A PAC answer. */
  readonly proxy: string;
  readonly proxyLogin?: ServiceTarget['proxyLogin'];
  readonly extraCa?: string;
  readonly identity?: ServiceTarget['identity'];
  readonly timeouts?: ServiceTarget['timeouts'];
  /** Limit for all steps together; 30 seconds unless given. */
  readonly totalMs?: number;
  readonly known?: KnownNames;
  readonly signal?: AbortSignal;
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

/** Follows redirects to the same host only: another host would describe another service. */
function nextUrl(from: URL, location: string | undefined): URL {
  const to = location && URL.canParse(location, from.href) ? new URL(location, from) : null;
  if (!to || !/^https?:$/.test(to.protocol) || to.hostname !== from.hostname || to.username || to.password) {
    throw appError('reply-unreadable', 'redirected to another place', { detail: 'redirected' });
  }
  if (from.protocol === 'https:' && to.protocol !== 'https:') {
    throw appError('reply-unreadable', 'redirected from https to http', { detail: 'redirected' });
  }
  return to;
}

/** A description and its address. */
export interface FetchedWsdl {
  readonly description: WsdlDescription;
  /** As typed. */
  readonly asked: URL;
  /** The address that answered: another port or https after a redirect on the same host. */
  readonly reached: URL;
}

function addressOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const refuse = (why: string) => appError('bad-input', `address ${why}`, { fields: { address: why } });
  if (!url || !/^https?:$/.test(url.protocol)) throw refuse('must be an http or https address');
  if (url.username || url.password) throw refuse('must have no user name');
  url.hash = '';
  return url;
}

/** Some servers compress although the request excludes it. */
async function unpacked(bytes: Buffer): Promise<Buffer> {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return await gunzipped(bytes, { maxOutputLength: maxWsdlBytes });
  } catch {
    throw wsdlUnusable('compressed, and broken or too large');
  }
}

async function descriptionIn(
  response: IncomingMessage,
  idleMs: number,
  known: KnownNames | undefined,
  signal: AbortSignal,
): Promise<WsdlDescription> {
  const status = response.statusCode ?? 0;
  if (status !== 200) {
    throw appError('reply-unreadable', `HTTP ${status}`, { detail: 'http-status', serviceCode: String(status) });
  }
  const type = response.headers['content-type'] ?? '';
  if (/html/i.test(type)) throw wsdlUnusable('a web page');
  const charset = /charset\s*=\s*"?([\w.:-]+)/i.exec(type)?.[1] ?? null;
  const bytes = await unpacked(await bodyOf(response, idleMs, signal));
  return readWsdlBytes(bytes, charset, known);
}

/**
 * Fetches and reads a WSDL of at most 5 MiB, within 30 seconds unless `totalMs` is given. Rejects with bad-input
 * (wsdl-unusable) if the answer is no WSDL (for example a web page), or as a read does: service-unreachable,
 * service-timeout, reply-unreadable (redirected, http-status), cancelled.
 */
export async function fetchWsdl(address: string, options: FetchWsdlOptions): Promise<FetchedWsdl> {
  const asked = addressOf(address);
  const { totalMs = usualTotalMs, signal } = options;
  return await withinTotal(totalMs, signal, (whole) => follow(asked, options, whole));
}

async function follow(asked: URL, options: FetchWsdlOptions, signal: AbortSignal): Promise<FetchedWsdl> {
  const { proxy, proxyLogin = null, extraCa = '', identity = null, timeouts = usualTimeouts } = options;
  const route = createRoute({ proxy, proxyLogin, extraCa, identity, timeouts });
  const { answerMs, idleMs } = timeouts;
  const headers = { Accept: 'text/xml', 'Accept-Encoding': 'identity' };
  let url = asked;
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const found = await ask({ url, headers, answerMs, signal }, route, async (response) => {
      const status = response.statusCode ?? 0;
      if (status >= 300 && status < 400) return nextUrl(url, response.headers.location);
      return descriptionIn(response, idleMs, options.known, signal);
    });
    if (!(found instanceof URL)) return { description: found, asked, reached: url };
    url = found;
  }
  throw appError('reply-unreadable', 'too many redirects', { detail: 'redirected' });
}
