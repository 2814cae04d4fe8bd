import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { atEnd, newService } from './jobs-setup.ts';

export type Rewrite = (reply: string) => string;

/** The practice service behind a server that rewrites its replies. */
export async function rewritten() {
  const service = await newService();
  let rewrite: Rewrite = (reply) => reply;
  let namesTime = true;
  const front = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = Object.fromEntries(
      ['content-type', 'soapaction'].flatMap((name) => {
        const value = request.headers[name];
        return typeof value === 'string' ? [[name, value]] : [];
      }),
    );
    const reply = await fetch(`${service.baseUrl}${request.url}`, {
      method: 'POST',
      headers,
      body: Buffer.concat(chunks),
    }).catch(() => null);
    if (!reply) return void request.socket.destroy();
    const body = Buffer.from(rewrite(await reply.text()));
    response.sendDate = namesTime;
    response.writeHead(reply.status, {
      'Content-Type': reply.headers.get('content-type') ?? '',
      'Content-Length': body.length,
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  atEnd(async () => {
    front.closeAllConnections();
    front.close();
  });
  const baseUrl = `http://127.0.0.1:${(front.address() as AddressInfo).port}`;
  return {
    service: { ...service, baseUrl },
    control: service.control,
    rewriteBy: (next: Rewrite) => {
      rewrite = next;
    },
    /** Its answers do not name the time by its clock any more. */
    hideTime: () => {
      namesTime = false;
    },
  };
}
