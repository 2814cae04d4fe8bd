import type { PeerCertificate } from 'node:tls';
import { untrustedDetail } from '../../../soap/wire/connection-failure.ts';
import { linkStages, type SeenTls } from '../../../soap/wire/link-stages.ts';
import { createRoute, type Entry, type RouteTarget } from '../../../soap/wire/network-route.ts';
import type { HostPort } from '../../../soap/wire/open-socket.ts';
import { appError } from '../../foundation/app-error.ts';
import { isLoopback } from '../service-address.ts';
import type { StepRunner } from './step-runner.ts';

interface Way {
  readonly url: URL;
  /** The route of the PAC answer that is tried. */
  readonly entry: Entry;
  readonly target: RouteTarget;
}

/**
 * Runs the steps from the host name to a connection ready for a request: name-lookup, tcp, proxy, tls. Returns
 * whether all of them worked. Closes the connection again.
 */
export async function runNetworkSteps(runner: StepRunner, { url, entry, target }: Way): Promise<boolean> {
  const stages = linkStages(url, entry, createRoute(target));
  const { service, first } = stages;
  const firstIs = entry.kind === 'DIRECT' ? 'service' : 'proxy';

  const steps = [
    ['name-lookup', async () => ({ note: `${firstIs} ${first.host} is ${(await stages.lookUp()).join(', ')}` })],
    [
      'tcp',
      async () => {
        await stages.connect();
        return { note: `connected to the ${firstIs} at ${textOf(first)}` };
      },
    ],
    [
      'proxy',
      async () => {
        if (entry.kind === 'DIRECT')
          return { note: 'direct connection, no proxy in use', result: 'not-tried' as const };
        if (entry.kind === 'HTTPS') trustedNote(await stages.secureProxy());
        if (url.protocol !== 'https:')
          return { note: `http goes through ${textOf(first)}`, result: 'not-tried' as const };
        await stages.tunnel();
        return { note: `${textOf(first)} connects to ${textOf(service)}` };
      },
    ],
    [
      'tls',
      async () => {
        if (url.protocol !== 'https:') return { note: inClear(service), result: 'not-tried' as const };
        return { note: trustedNote(await stages.secure()) };
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
    stages.close();
  }
}

/**
 * Protocol, issuer and last day of the certificate, in English. Throws tls-untrusted, with the same text in its note,
 * for an untrusted certificate.
 */
function trustedNote({ protocol, certificate, untrusted }: SeenTls): string {
  const note = [
    protocol ?? 'TLS',
    `certificate for ${nameOf({ CN: certificate.subject?.CN })}`,
    `issued by ${nameOf(certificate.issuer)}`,
    `valid until ${certificate.valid_to ?? 'unknown'}`,
  ].join(', ');
  if (untrusted === null) return note;
  throw appError('service-unreachable', `not trusted: ${untrusted.slice(0, 200)}; ${note}`, {
    detail: untrustedDetail(untrusted),
    retryable: false,
  });
}

function nameOf(name?: Partial<Pick<PeerCertificate['issuer'], 'O' | 'CN'>>): string {
  return [name?.O ?? name?.CN ?? 'unnamed'].flat().join(', ').slice(0, 200);
}

function inClear({ host }: HostPort): string {
  if (isLoopback(host)) return 'http on this computer, nothing is encrypted';
  return 'http: nothing is encrypted, documents and credentials can be read on the way';
}

function textOf({ host, port }: HostPort): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}
