import { request } from 'node:http';
import type { Socket } from 'node:net';
import type { ServiceTarget } from '../../soap/client.ts';
import { openLink, trustedContext } from '../../soap/connect.ts';
import { createWatch } from '../../soap/watch.ts';
import { failing } from '../failing.ts';

/** A WSDL of this interface is well below. */
const maxBytes = 1_000_000;

/**
 * Asks the Easy Sign path for its WSDL: a plain GET, which costs nothing and mails nobody. Answers in English what is
 * there; rejects where nothing is.
 */
export async function probeEasySign(url: URL, target: ServiceTarget): Promise<string> {
  const route = { proxy: target.proxy, extraCa: target.extraCa, connectMs: target.timeouts.connectMs };
  const { socket, absoluteForm } = await openLink(url, route, () => trustedContext(target.extraCa));
  try {
    const { status, body } = await get(new URL('?wsdl', url), socket, absoluteForm, target.timeouts.idleMs);
    return verdictOn(status, body);
  } finally {
    socket.destroy();
  }
}

function verdictOn(status: number, body: string): string {
  const offered = ['AddNewEasySignDocument', 'AddNewEasySignTemplate'].filter((name) => body.includes(name));
  if (offered.length > 0) return `offers ${offered.join(' and ')}`;
  const answered = `answers HTTP ${status}`;
  if (status >= 300 && status < 400) throw failing('reply-unreadable', answered, { detail: 'redirected' });
  if (status === 404 || status === 410) throw failing('reply-unreadable', answered, { detail: 'http-status' });
  if (status < 300 && /<html/i.test(body)) throw failing('reply-unreadable', answered, { detail: 'html-page' });
  // Many services hide their WSDL: something that refuses a GET is still something.
  return `${answered}; there is something, but it shows no description of itself`;
}

interface Answered {
  readonly status: number;
  readonly body: string;
}

function get(url: URL, socket: Socket, absoluteForm: boolean, idleMs: number): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const asked = request({
      method: 'GET',
      path: absoluteForm ? url.href : `${url.pathname}${url.search}`,
      headers: { Host: url.host, Accept: 'text/xml', 'User-Agent': 'Sealdesk', Connection: 'close' },
      createConnection: () => socket,
    });
    const watch = createWatch((error) => asked.destroy(error));
    watch.arm(idleMs, 'no-answer-in-time');
    asked.once('close', () => watch.end());
    const broken = (error: Error & { code?: unknown }) =>
      reject(error.name === 'Failing' ? error : lost(String(error.code ?? error.name)));
    asked.on('error', broken);
    asked.once('response', (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      const done = () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') });
      response.on('error', broken);
      response.on('end', done);
      response.on('data', (chunk: Buffer) => {
        watch.touch();
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes < maxBytes) return;
        done();
        response.destroy();
      });
    });
    asked.end();
  });
}

function lost(code: string) {
  return failing('service-unreachable', `the connection broke: ${code}`, { detail: 'connection-lost' });
}
