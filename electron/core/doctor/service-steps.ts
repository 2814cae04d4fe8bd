import type { Arguments, Credentials, ServiceTarget, SoapClient } from '../../soap/client.ts';
import { createSoapClient } from '../../soap/soap-client.ts';
import { failing, failureOf } from '../failing.ts';
import { serviceAddress } from '../service-address.ts';
import { acceptedText } from '../service-answers.ts';
import { probeEasySign } from './easy-sign-path.ts';
import type { StepRunner } from './step-runner.ts';

interface Given {
  readonly target: ServiceTarget;
  readonly credentials: () => Promise<Credentials | null>;
}

/** In a report, of a service's own words. */
const maxQuote = 300;

/** The questions to the service itself, all free: soap, version, schedule, credentials, easy-sign. */
export async function runServiceSteps(runner: StepRunner, { target, credentials }: Given): Promise<void> {
  const client = createSoapClient(target, null);
  try {
    const version = await askVersion(client);
    if (await runner.run('soap', async () => ({ note: speaks(version, target.soapVersion) }))) {
      await runner.run('version', async () => ({ note: quoted(textIn(version)) }));
      await runner.run('schedule', async () => ({ note: quoted(await ask(client, 'GetSchedule')) }));
      await runner.run('credentials', () => checkCredentials(target, credentials));
    } else {
      runner.notTried(['version', 'schedule', 'credentials'], 'soap failed');
    }
  } finally {
    client.close();
  }
  await runner.run('easy-sign', async () => ({
    note: await probeEasySign(serviceAddress(target, 'easySignPath'), target),
  }));
}

type Asked = { readonly text: string | null } | { readonly error: unknown };

async function askVersion(client: SoapClient): Promise<Asked> {
  try {
    return { text: await ask(client, 'GetVersion') };
  } catch (error) {
    return { error };
  }
}

async function ask(client: SoapClient, operation: 'GetVersion' | 'GetSchedule', args: Arguments = {}) {
  return acceptedText((await client.invoke(operation, args)).raw);
}

/** A refusal in SOAP is SOAP all the same. */
function speaks(version: Asked, soapVersion: string): string {
  if ('error' in version && failureOf(version.error)?.code !== 'service-refused') throw version.error;
  return 'error' in version ? `SOAP ${soapVersion}, answered with a fault` : `SOAP ${soapVersion}`;
}

function textIn(version: Asked): string | null {
  if ('error' in version) throw version.error;
  return version.text;
}

function quoted(text: string | null): string {
  if (text === null) return 'answered without a text';
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return `answered "${line.length > maxQuote ? `${line.slice(0, maxQuote)}…` : line}"`;
}

/** The token itself is dropped unseen. */
async function checkCredentials(target: ServiceTarget, credentials: () => Promise<Credentials | null>) {
  const held = await credentials();
  if (!held) return { note: 'no credentials are kept for this connection', skipped: true as const };
  const client = createSoapClient(target, held);
  try {
    const token = acceptedText((await client.invoke('GetAuthToken', {})).raw);
    if (!token) throw failing('reply-unreadable', 'answered without a token', { detail: 'empty-reply' });
    return { note: 'accepted' };
  } finally {
    client.close();
  }
}
