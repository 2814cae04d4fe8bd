import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const namespace = 'https://service.example.com/api/';

/** One received request. */
export interface Recorded {
  readonly path: string;
  readonly operation: string;
  /** Name and text of each child of the body's one element, in order; entities decoded. */
  readonly children: readonly (readonly [string, string])[];
}

/** The reaction to a request: a text as the result, XML inside the result, a page, no answer, or a closed connection. */
export type Behaviour =
  | { readonly result: string }
  | { readonly xml: string }
  | { readonly page: string }
  | 'silence'
  | 'hang-up';

export interface RecordingService {
  readonly requests: readonly Recorded[];
  /** Command-line options for a connection to this service. */
  readonly connection: readonly string[];
  /** Resolves after this number of requests. */
  came(count: number): Promise<void>;
  close(): Promise<void>;
}

/** A service that records its requests and answers by operation, when it likes. */
export async function recordingService(
  behave: (operation: string, request: Recorded) => Behaviour | Promise<Behaviour>,
): Promise<RecordingService> {
  const requests: Recorded[] = [];
  let onRequest: () => void = () => undefined;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const recorded = readRequest(request.url ?? '', Buffer.concat(chunks).toString('utf8'));
      requests.push(recorded);
      onRequest();
      const behaviour = await behave(recorded.operation, recorded);
      if (behaviour === 'silence') return;
      if (behaviour === 'hang-up') return void request.socket.destroy();
      const isPage = 'page' in behaviour;
      const text = Buffer.from(isPage ? behaviour.page : envelope(recorded.operation, behaviour));
      const type = isPage ? 'text/html' : 'text/xml; charset=utf-8';
      response.writeHead(200, { 'Content-Type': type, 'Content-Length': text.length }).end(text);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    requests,
    connection: ['--url', url, '--namespace', namespace, '--main-path', '/api.asmx', '--easy-sign-path', '/easy.asmx'],
    came: async (count) => {
      while (requests.length < count) {
        await new Promise<void>((done) => {
          onRequest = done;
        });
      }
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

function envelope(operation: string, behaviour: { result: string } | { xml: string }): string {
  const inner = 'xml' in behaviour ? behaviour.xml : escaped(behaviour.result);
  return `<?xml version="1.0" encoding="utf-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><${operation}Response xmlns="${namespace}"><${operation}Result>${inner}</${operation}Result></${operation}Response></soap:Body></soap:Envelope>`;
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function readRequest(path: string, xml: string): Recorded {
  const body = /<(?:\w+:)?Body[^>]*>([\s\S]*)<\/(?:\w+:)?Body>/.exec(xml)?.[1] ?? '';
  const [, operation = '', inside = ''] = /^\s*<(?:\w+:)?(\w+)[^>]*>([\s\S]*)<\/(?:\w+:)?\w+>\s*$/.exec(body) ?? [];
  const children = [...inside.matchAll(/<(?:\w+:)?(\w+)[^>]*?(?:\/>|>([\s\S]*?)<\/(?:\w+:)?\1>)/g)].map(
    ([, name = '', text = '']) => [name, decoded(text)] as const,
  );
  return { path, operation, children };
}

const decoded = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replace(/&#x?[0-9a-fA-F]+;/g, (entity) =>
      String.fromCodePoint(Number(entity.replace('&#x', '0x').replace('&#', '').replace(';', ''))),
    )
    .replaceAll('&amp;', '&');
