import { type RawPeer, type RawServer, startRawServer } from '../harness/raw-server.ts';
import { answer, reply } from './answers.ts';
import type { Asked, Behaviour } from './behaviour.ts';
import { trusted } from './behaviours/tls.ts';

/** A server that misbehaves until it is told to answer properly. */
export interface HostileServer {
  readonly url: string;
  /** Number of connections on which a byte of a request's body arrived. */
  bodies(): number;
  /** From now on it answers every question as a good service does. */
  behave(): Promise<void>;
  close(): Promise<void>;
}

function bodyBegan(peer: RawPeer): boolean {
  const bytes = peer.received();
  const end = bytes.indexOf('\r\n\r\n');
  return end >= 0 && bytes.length > end + 4;
}

/** Answers the question that the request names. */
async function serveWell(peer: RawPeer): Promise<void> {
  const text = await peer.nextRequest();
  const operation = /<(?:\w+:)?Body[^>]*>\s*<(?:\w+:)?(\w+)/.exec(text)?.[1] as Asked['operation'];
  const soap = /soap\+xml/.test(text) ? '1.2' : '1.1';
  peer.socket.end(answer({ operation, soap, elsewhere: '' }, reply({ operation, soap })));
}

export async function startHostile(behaviour: Behaviour, elsewhere: string): Promise<HostileServer> {
  const peers: RawPeer[] = [];
  const { operation, soap, tls } = behaviour;
  let behaves = false;
  const serve = async (peer: RawPeer, index: number) => {
    if (behaves) return serveWell(peer);
    peers.push(peer);
    await behaviour.serve(peer, { operation, soap, elsewhere }, index);
  };
  const options = tls?.();
  let server: RawServer = await startRawServer(serve, { tls: options });
  const { port } = server;
  const url = behaviour.plainTls ? server.url.replace('http:', 'https:') : server.url;
  if (behaviour.absent) await server.close();
  return {
    url,
    bodies: () => peers.filter(bodyBegan).length,
    behave: async () => {
      behaves = true;
      const isSecure = behaviour.plainTls || options;
      if (!behaviour.absent && !isSecure) return;
      // A server that fails before a request begins behaves only with another certificate, or as another server.
      if (!behaviour.absent) await server.close();
      server = await startRawServer(serve, { port, tls: isSecure ? trusted : undefined });
    },
    close: () => server.close(),
  };
}
