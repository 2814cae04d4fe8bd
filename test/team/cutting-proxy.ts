import { connect, createServer, type Socket } from 'node:net';

/** A proxy to a port of this computer that delays what passes and cuts connections. */
export interface CuttingProxy {
  readonly port: number;
  /** Cuts all connections now, in the middle of whatever passes. */
  cut(): void;
  /** Bytes wait this long, in milliseconds. */
  delayMs: number;
  close(): Promise<void>;
}

export async function cuttingProxy(to: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  const proxy = { delayMs: 0 };
  const pass = (from: Socket, into: Socket) => {
    from.on('data', (bytes) => {
      if (proxy.delayMs === 0) into.write(bytes);
      else setTimeout(() => into.writable && into.write(bytes), proxy.delayMs);
    });
    for (const event of ['error', 'close'] as const)
      from.on(event, () => {
        sockets.delete(from);
        into.destroy();
      });
    sockets.add(from);
  };
  const server = createServer((near) => {
    const far = connect(to, '127.0.0.1');
    pass(near, far);
    pass(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return Object.assign(proxy, {
    port,
    cut,
    close: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
