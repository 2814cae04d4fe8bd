import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

/** A service whose lists 1 and 2 are set by the test; other lists are empty, and whatever else it is asked for it answers with an address. */
export interface ListService {
  readonly baseUrl: string;
  /** XML of one entry each, of list 1. */
  entries: readonly string[];
  /** As `entries`, of list 2. */
  signed: readonly string[];
  /** Lists that cannot be read now. */
  failing: readonly number[];
  /** While it is set, it is the answer in place of an address. */
  status: string | null;
  /** Number of requests for list 1. */
  asked: number;
  /** While it is set, answers to requests for list 1 wait in it until they are called. */
  held: (() => void)[] | null;
  close(): Promise<void>;
}

export const listNamespace = 'https://lists.example/ns/';

/** An entry as services send it, without the fields that are not given. */
export function listEntry(fields: Readonly<Record<string, string>>): string {
  const elements = Object.entries(fields).map(([name, value]) => `<${name}>${value}</${name}>`);
  return `<ESignList>${elements.join('')}</ESignList>`;
}

export async function startListService(): Promise<ListService> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      const list = Number(/ListType>(\d+)</.exec(body)?.[1]);
      const isFirst = list === 1;
      const operation = /Body>\s*<(?:\w+:)?(\w+)/.exec(body)?.[1] ?? '';
      if (isFirst) service.asked += 1;
      const answer = () => {
        if (service.failing.includes(list)) return response.writeHead(503).end('busy');
        const entries = (isFirst ? service.entries : list === 2 ? service.signed : []).join('');
        const others = service.status ?? `${service.baseUrl}/sign/${randomUUID()}`;
        const result = operation === 'GetESignList' ? entries : others;
        response.writeHead(200, { 'Content-Type': 'text/xml; charset=utf-8' });
        response.end(
          `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><${operation}Response xmlns="${listNamespace}"><${operation}Result>${result}</${operation}Result></${operation}Response></s:Body></s:Envelope>`,
        );
      };
      if (isFirst && service.held) service.held.push(answer);
      else answer();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const service: ListService = {
    baseUrl: `http://127.0.0.1:${port}`,
    entries: [],
    signed: [],
    failing: [],
    status: null,
    asked: 0,
    held: null,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return service;
}
