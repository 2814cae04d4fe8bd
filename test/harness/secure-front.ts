import { request } from 'node:http';
import { createServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { selfSigned } from './certificate.ts';

/** TLS in front of a service, as a reverse proxy. */
export interface SecureFront {
  readonly port: number;
  /** `https://localhost:…`. */
  readonly origin: string;
  /** PEM of its own certificate. */
  readonly certificate: string;
  /** Names in the client certificates of the requests, in order; empty for none. */
  readonly visitors: readonly string[];
  close(): void;
}

/** `clientAuthority`: the authority of the client certificates that it demands; none if it is not given. `names`: further host names. */
export async function startSecureFront(
  service: string,
  { clientAuthority, names = [] }: { readonly clientAuthority?: string; readonly names?: readonly string[] } = {},
): Promise<SecureFront> {
  const { key, cert } = selfSigned({ organisation: 'Office Authority', names });
  const { hostname, port: servicePort } = new URL(service);
  const visitors: string[] = [];
  const mutual = clientAuthority === undefined ? {} : { requestCert: true, ca: clientAuthority };
  const server = createServer({ key, cert, ...mutual }, (asked, answer) => {
    const { subject } = (asked.socket as TLSSocket).getPeerCertificate();
    visitors.push([subject?.CN ?? ''].flat().join());
    const { method, url: path, headers } = asked;
    // The service answers for its own name only.
    const sent = { ...headers, host: `${hostname}:${servicePort}` };
    const passed = request({ hostname, port: servicePort, method, path, headers: sent }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    asked.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    origin: `https://localhost:${port}`,
    certificate: cert,
    visitors,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
