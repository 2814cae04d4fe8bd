import { connect, createServer, type Socket } from 'node:net';

/** A proxy to a port of this computer that counts and delays what passes, holds answers back and cuts connections. */
export interface CuttingProxy {
  readonly port: number;
  /** Cuts all connections now, in the middle of whatever passes. */
  cut(): void;
  /** Bytes wait this long, in milliseconds. */
  delayMs: number;
  /** Answers wait until this is false again. */
  isHolding: boolean;
  /** Connections that were made, and bytes that went to the server, so far. */
  readonly seen: { connections: number; bytes: number };
  close(): Promise<void>;
}

export async function cuttingProxy(to: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  const held: (() => void)[] = [];
  const seen = { connections: 0, bytes: 0 };
  let isHolding = false;
  let delayMs = 0;
  const pass = (from: Socket, into: Socket, isAnswer: boolean) => {
    const write = (bytes: Buffer) => void (into.writable && into.write(isAnswer ? bytes : addressed(bytes)));
    from.on('data', (bytes: Buffer) => {
      if (!isAnswer) seen.bytes += bytes.length;
      if (isAnswer && isHolding) held.push(() => write(bytes));
      else if (delayMs === 0) write(bytes);
      else setTimeout(() => write(bytes), delayMs);
    });
    from.on('error', () => into.destroy());
    from.on('close', () => {
      sockets.delete(from);
      // What was written before still arrives.
      into.end();
    });
    sockets.add(from);
  };
  // A service answers to its own address only. Both ports have five digits, so that no length changes.
  const addressed = (bytes: Buffer) =>
    Buffer.from(bytes.toString('latin1').replaceAll(`Host: 127.0.0.1:${port}`, `Host: 127.0.0.1:${to}`), 'latin1');
  const server = createServer((near) => {
    seen.connections += 1;
    const far = connect(to, '127.0.0.1');
    pass(near, far, false);
    pass(far, near, true);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port,
    cut,
    seen,
    get delayMs() {
      return delayMs;
    },
    set delayMs(ms) {
      delayMs = ms;
    },
    get isHolding() {
      return isHolding;
    },
    set isHolding(isOn) {
      isHolding = isOn;
      if (!isOn) for (const pass of held.splice(0)) pass();
    },
    close: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
