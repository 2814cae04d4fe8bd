import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { ServiceTarget } from '../../../soap/client.ts';
import { trustedContext } from '../../../soap/connect.ts';
import { connectTo, type HostPort, hostPortOf, lookUp, secure, tunnelTo, type Way } from './network-probes.ts';
import type { StepRunner } from './step-runner.ts';

interface Given {
  readonly url: URL;
  readonly way: Way;
  readonly target: Pick<ServiceTarget, 'extraCa' | 'timeouts'>;
}

/** This computer: what is sent there in clear can be read by nobody else. */
const loopback = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;

/**
 * From the name to a connection ready for a request: name-lookup, tcp, proxy, tls. Answers whether all of it worked;
 * the connection itself is closed again.
 */
export async function runNetworkSteps(runner: StepRunner, { url, way, target }: Given): Promise<boolean> {
  const ms = target.timeouts.connectMs;
  const service = hostPortOf(url);
  const first = way.proxy ?? service;
  const firstIs = way.proxy ? 'proxy' : 'service';
  let socket: Socket | null = null;
  let trusted: SecureContext | null = null;
  const context = () => {
    trusted ??= trustedContext(target.extraCa);
    return trusted;
  };
  const current = () => {
    if (!socket) throw new Error('no connection to go on with');
    return socket;
  };

  const steps = [
    ['name-lookup', async () => ({ note: `${firstIs} ${first.host} is ${(await lookUp(first.host, ms)).join(', ')}` })],
    [
      'tcp',
      async () => {
        socket = await connectTo(first, firstIs, ms);
        return { note: `connected to the ${firstIs} at ${textOf(first)}` };
      },
    ],
    [
      'proxy',
      async () => {
        if (!way.proxy) return { note: 'direct connection, no proxy in use', result: 'not-tried' as const };
        if (way.kind === 'HTTPS') socket = (await secure(way.proxy.host, current(), context(), ms)).socket;
        if (url.protocol !== 'https:')
          return { note: `http goes through ${textOf(way.proxy)}`, result: 'not-tried' as const };
        socket = await tunnelTo(service, current(), ms);
        return { note: `${textOf(way.proxy)} connects to ${textOf(service)}` };
      },
    ],
    [
      'tls',
      async () => {
        if (url.protocol !== 'https:') return { note: inClear(service), result: 'not-tried' as const };
        const secured = await secure(service.host, current(), context(), ms);
        socket = secured.socket;
        return { note: secured.note };
      },
    ],
  ] as const;

  try {
    for (const [index, [step, work]] of steps.entries()) {
      if (await runner.run(step, work)) continue;
      const later = steps.slice(index + 1).map(([name]) => name);
      runner.notTried(later, `${step} failed`);
      return false;
    }
    return true;
  } finally {
    (socket as Socket | null)?.destroy();
  }
}

function inClear({ host }: HostPort): string {
  if (loopback.test(host)) return 'http on this computer, nothing is encrypted';
  return 'http: nothing is encrypted, documents and credentials can be read on the way';
}

function textOf({ host, port }: HostPort): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
