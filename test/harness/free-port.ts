import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * A port of this computer at which nothing listens. Below those that a system gives out by itself (32768 and above on Linux, 49152 elsewhere): one of these that was just freed may be another test's
 * before it is used. All have five digits.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
