import { connect, createServer, type Socket } from 'node:net';

/** Where a connection breaks: at a request with this text, before it is passed on, or once the answer to it is there. */
export interface Break {
  readonly at: string;
  readonly when: 'before' | 'after';
}

/** A proxy to a port of this computer that counts and delays what passes, holds answers back and cuts connections. */
export interface CuttingProxy {
  readonly port: number;
  /** Cuts all connections now, in the middle of whatever passes. */
  cut(): void;
  /** Connections that there are stay open, and nothing passes on them any more; new ones are not affected. */
  freeze(): void;
  /** Bytes wait this long, in milliseconds. */
  delayMs: number;
  /** Answers to requests with this text, and what follows them on their connection, wait until this is null again. */
  holdsAnswersTo: string | null;
  /** While it is true nothing passes, and no connection is made. */
  isOff: boolean;
  /** The next such request turns it off; null afterwards. */
  breaksAt: Break | null;
  /** New connections go to this port of this computer instead. */
  passTo(port: number): void;
  /** Connections that were made, and bytes that went to the server, so far. */
  readonly seen: { connections: number; bytes: number };
  close(): Promise<void>;
}

export async function cuttingProxy(first: number): Promise<CuttingProxy> {
  let to = first;
  const sockets = new Set<Socket>();
  const held: (() => void)[] = [];
  const seen = { connections: 0, bytes: 0 };
  const holding = new Set<Socket>();
  let holdsAnswersTo: string | null = null;
  let delayMs = 0;
  let isOff = false;
  let breaksAt: Break | null = null;
  const breaking = new Set<Socket>();
  const cut = () => {
    held.length = 0;
    for (const socket of sockets) socket.destroy();
  };
  const turnOff = () => {
    breaksAt = null;
    isOff = true;
    cut();
  };
  const pass = (from: Socket, into: Socket, isAnswer: boolean) => {
    const write = (bytes: Buffer) => void (into.writable && into.write(isAnswer ? bytes : addressed(bytes)));
    from.on('data', (bytes: Buffer) => {
      if (!isAnswer) seen.bytes += bytes.length;
      if (!isAnswer && breaksAt !== null && bytes.includes(breaksAt.at)) {
        if (breaksAt.when === 'before') return turnOff();
        breaking.add(into);
      }
      if (isAnswer && breaking.delete(from)) return turnOff();
      if (!isAnswer && holdsAnswersTo !== null && bytes.includes(holdsAnswersTo)) holding.add(into);
      if (isAnswer && holding.has(from)) held.push(() => write(bytes));
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
    if (isOff) return void near.destroy();
    seen.connections += 1;
    const far = connect(to, '127.0.0.1');
    pass(near, far, false);
    pass(far, near, true);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    cut,
    passTo: (next) => {
      to = next;
    },
    freeze: () => {
      for (const socket of sockets) socket.pause();
    },
    seen,
    get isOff() {
      return isOff;
    },
    set isOff(off) {
      if (off) turnOff();
      else isOff = false;
    },
    get breaksAt() {
      return breaksAt;
    },
    set breaksAt(next) {
      breaksAt = next;
    },
    get delayMs() {
      return delayMs;
    },
    set delayMs(ms) {
      delayMs = ms;
    },
    get holdsAnswersTo() {
      return holdsAnswersTo;
    },
    set holdsAnswersTo(text) {
      holdsAnswersTo = text;
      if (text !== null) return;
      holding.clear();
      for (const pass of held.splice(0)) pass();
    },
    close: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
