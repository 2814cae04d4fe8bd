import type { Connection, DoctorStep } from '../../../../contract/connections.ts';
import type { Failure } from '../../../../contract/failure.ts';
import { type OperationName, operationNames } from '../../../../contract/operation.ts';
import { probePath } from '../../../soap/probe-path.ts';
import { isBlank, negativeCode } from '../../../soap/reply/answers.ts';
import { isFault, refusal } from '../../../soap/reply/refusal.ts';
import type { Credentials, ReplyShape, ServiceTarget } from '../../../soap/service/client.ts';
import { tableName, wireName } from '../../../soap/service/element-names.ts';
import { operations } from '../../../soap/service/operations.ts';
import { createSoapClient } from '../../../soap/soap-client.ts';
import { fetchWsdl } from '../../../soap/wsdl/fetch-wsdl.ts';
import type { WsdlDescription } from '../../../soap/wsdl/read-wsdl.ts';
import { appError, failureOf } from '../../foundation/app-error.ts';
import { serviceAddress } from '../service-address.ts';
import { isAlteredToken } from '../service-calls.ts';
import { checkDocumentQuestion, checkList } from './document-steps.ts';
import { judgeResult, listed, proposalFor, quoted } from './judge-reply.ts';
import type { Seen, StepRunner } from './step-runner.ts';

interface CheckInput {
  readonly connection: Connection;
  readonly target: ServiceTarget;
  readonly credentials: () => Promise<Credentials | null>;
}

const withCredentials = ['status', 'details', 'signature-list'] as const;

/** Asks the service itself. All questions are free and change nothing. */
export async function runServiceSteps(runner: StepRunner, given: CheckInput): Promise<void> {
  const { target } = given;
  let version: VersionAnswer | null = null;
  const speaks = await runner.run('soap', async (signal) => {
    version = await askVersion(target, signal);
    const refused = 'error' in version ? failureOf(version.error) : null;
    if (refused?.detail === 'soap-action-missing') {
      const odd = await adviceWithoutAction(refused, target, signal);
      if (odd) return odd;
    }
    return { note: soapNote(version, target.soapVersion) };
  });
  if (speaks && version) {
    const asked: VersionAnswer = version;
    await runner.run('version', async () => textSeen('GetVersion', asked, target));
    await runner.run('schedule', async (signal) =>
      textSeen('GetSchedule', { shape: await ask(target, 'GetSchedule', signal) }, target),
    );
  } else {
    runner.notTried(['version', 'schedule'], 'soap failed');
  }
  await runner.run('element-names', (signal) => checkDescription(serviceAddress(target, 'mainPath'), target, signal));
  if (speaks) await runCredentialSteps(runner, given);
  else runner.notTried(['credentials', ...withCredentials], 'soap failed');
  await runner.run('easy-sign', (signal) => checkEasySign(serviceAddress(target, 'easySignPath'), target, signal));
}

async function runCredentialSteps(runner: StepRunner, { connection, target, credentials }: CheckInput): Promise<void> {
  let held: Credentials | null = null;
  await runner.run('credentials', async (signal) => {
    held = await credentials();
    return held ? checkCredentials(target, held, signal) : { result: 'not-tried', note: noCredentials };
  });
  const pair = held as Credentials | null;
  const last: DoctorStep | undefined = runner.steps.at(-1);
  if (!pair || last?.failure?.code === 'credentials-rejected') {
    return runner.notTried(withCredentials, pair ? 'the credentials were rejected' : noCredentials);
  }
  const given = (signal: AbortSignal) => ({ target, credentials: pair, signal });
  await runner.run('status', (signal) => checkDocumentQuestion('GetDocumentStatus', given(signal)));
  await runner.run('details', (signal) => checkDocumentQuestion('GetDocumentDetails', given(signal)));
  await runner.run('signature-list', (signal) => checkList(connection.lists, given(signal)));
}

const noCredentials = 'no credentials are kept for this connection';

type VersionAnswer = { readonly shape: ReplyShape } | { readonly error: unknown };

async function askVersion(target: ServiceTarget, signal: AbortSignal): Promise<VersionAnswer> {
  try {
    return { shape: await ask(target, 'GetVersion', signal) };
  } catch (error) {
    return { error };
  }
}

async function ask(target: ServiceTarget, operation: 'GetVersion' | 'GetSchedule', signal: AbortSignal) {
  const client = createSoapClient(target, null);
  try {
    return await client.shape(operation, {}, { signal });
  } finally {
    client.close();
  }
}

/** What helps where SOAP 1.2 was refused because of its action: services say the same of a wrong namespace. Each change is tried. Null if the action parameter helps, which the failure says itself. */
async function adviceWithoutAction(refused: Failure, target: ServiceTarget, signal: AbortSignal): Promise<Seen | null> {
  const helps = async (change: Partial<ServiceTarget>) => {
    const answer = await askVersion({ ...target, ...change }, signal);
    if ('shape' in answer) return true;
    const failure = failureOf(answer.error);
    // Another fault, about something else than where the request belongs.
    return failure !== null && isFault(failure) && failure.raw !== refused.raw && !proposalFor('soap', failure);
  };
  if (await helps({ soapAction12: true })) return null;
  const isVersion = await helps({ soapVersion: '1.1' });
  const seen = isVersion
    ? 'SOAP 1.1 is answered'
    : 'neither the action parameter nor SOAP 1.1 changes that, so the namespace may be wrong';
  return {
    result: 'failed',
    note: `refused with a fault: ${quoted(refused.raw ?? '')}; ${seen}`,
    proposal: isVersion ? 'soap-version' : 'check-namespace',
  };
}

/** A SOAP fault also proves that the service speaks SOAP, unless the fault refuses the SOAP version or action. Throws in that case and for any other failure. */
function soapNote(version: VersionAnswer, soapVersion: '1.1' | '1.2'): string {
  if ('shape' in version) return `SOAP ${soapVersion}`;
  const failure = failureOf(version.error);
  const isRefusedAsSuch = failure?.detail === 'soap-action-missing';
  if (failure?.code !== 'service-refused' || isRefusedAsSuch) throw version.error;
  return `SOAP ${soapVersion}, answered with a fault`;
}

function textSeen(operation: 'GetVersion' | 'GetSchedule', asked: VersionAnswer, target: ServiceTarget): Seen {
  if ('error' in asked) throw asked.error;
  const { shape } = asked;
  const code = negativeCode(shape.text);
  if (code) throw refusal(code, shape.text);
  const odd = judgeResult(operation, shape, target);
  if (odd) return odd;
  return { note: shape.text === '' ? 'answered without a text' : `answered ${quoted(shape.text)}` };
}

function namesSeen(note: string): Seen {
  const elements = ['GetAuthToken.apiKey', 'GetAuthToken.apiSig'];
  return { result: 'failed', note, proposal: 'read-wsdl', elements };
}

/** Tests the credentials with GetAuthToken. The token is discarded unread. */
async function checkCredentials(target: ServiceTarget, held: Credentials, signal: AbortSignal): Promise<Seen> {
  const client = createSoapClient(target, held);
  try {
    const shape = await client.shape('GetAuthToken', {}, { signal });
    const code = negativeCode(shape.text);
    if (code === '-123') return namesSeen('answered -123, a required field is empty');
    if (code) throw refusal(code, shape.text);
    const odd = judgeResult('GetAuthToken', shape, target);
    if (odd?.result === 'failed') return odd;
    if (isBlank(shape.text)) throw appError('reply-unreadable', 'answered without a token', { detail: 'empty-reply' });
    // A text with spaces may be a refusal in words. It is not shown, because it may also be a token.
    if (!/\s/.test(shape.text) && !isAlteredToken(shape.text)) return odd ?? { note: 'accepted' };
    return { result: 'unclear', note: 'answered with words instead of a token', proposal: 'check-credentials' };
  } catch (error) {
    const failure = failureOf(error);
    const names = ['apiKey', 'apiSig'].map((child) => wireName(target.elementNames, 'GetAuthToken', child));
    // Some faults name the element that the service did not expect.
    if (!failure || !isFault(failure) || !names.some((name) => failure.raw?.includes(name))) throw error;
    return namesSeen(`refused with a fault: ${quoted(failure.raw ?? '')}`);
  } finally {
    client.close();
  }
}

/** The Easy Sign path has only add operations, so the doctor requests an operation that cannot exist, and the WSDL: neither costs or mails anything. Rejects if the answer is not SOAP. */
async function checkEasySign(url: URL, target: ServiceTarget, signal: AbortSignal): Promise<Seen> {
  const fault = await probePath(url, target, signal);
  const found = await descriptionAt(url, target, signal);
  if ('missing' in found) {
    const seen = `speaks SOAP (${quoted(fault.raw ?? '')}); whether it offers Easy Sign is not seen: ${found.missing}`;
    return { result: 'unclear', note: seen, proposal: 'ask-about-easy-sign' };
  }
  const { description } = found;
  const offered = describedOperations(description, 'easy-sign');
  if (offered.length === 0) {
    const note = 'speaks SOAP, but by its WSDL it offers no Easy Sign';
    return { result: 'failed', note, proposal: 'check-easy-sign-path' };
  }
  const judged = judgeDescription(description, 'easy-sign', target);
  return judged ?? { note: `offers ${offered.join(' and ')}` };
}

/** The service's WSDL, or in English why it could not be read. */
type Described = { readonly description: WsdlDescription } | { readonly missing: string };

/** Reads the WSDL at `?wsdl` of an address. Reading it costs nothing; many services publish none. */
async function descriptionAt(url: URL, target: ServiceTarget, signal: AbortSignal): Promise<Described> {
  const { proxy, proxyLogin, extraCa, identity, timeouts, elementNames } = target;
  const known = (operation: OperationName, child: string) => {
    const name = tableName(elementNames, operation, child);
    return name ? [name] : [];
  };
  try {
    const options = { proxy, proxyLogin, extraCa, identity, timeouts, signal, known };
    return { description: (await fetchWsdl(new URL('?wsdl', url).href, options)).description };
  } catch (error) {
    const failure = failureOf(error);
    if (!failure || failure.code === 'cancelled') throw error;
    return { missing: `no WSDL at ?wsdl (${failure.note})` };
  }
}

/** The operations of one path that a WSDL describes. */
function describedOperations({ ports }: WsdlDescription, path: 'main' | 'easy-sign'): readonly OperationName[] {
  const offered = new Set(ports.flatMap((port) => port.operations));
  return operationNames.filter((name) => operations[name].path === path && offered.has(name));
}

/** Compares the connection's element names and namespace with the WSDL's; null if they agree. */
function judgeDescription(
  description: WsdlDescription,
  path: 'main' | 'easy-sign',
  target: ServiceTarget,
): Seen | null {
  const { namespaceUri } = description;
  if (namespaceUri !== '' && namespaceUri !== target.namespaceUri) {
    return {
      result: 'failed',
      note: `the WSDL names the namespace ${namespaceUri}, the connection ${target.namespaceUri}`,
      proposal: 'check-namespace',
    };
  }
  const offered = describedOperations(description, path);
  const differing = offered.flatMap((operation) =>
    [...(description.names.get(operation) ?? [])].flatMap(([child, name]) => {
      const used = wireName(target.elementNames, operation, child);
      return used === name
        ? []
        : [{ element: `${operation}.${child}`, words: `${operation} has ${name}, not ${used}` }];
    }),
  );
  if (differing.length > 0) {
    return {
      result: 'failed',
      note: `by the WSDL ${listed(differing.map(({ words }) => words))}`,
      proposal: 'read-wsdl',
      elements: differing.map(({ element }) => element),
    };
  }
  const unmatched = description.remarks.filter(
    ({ kind, about }) => kind === 'name-unmatched' && offered.some((operation) => about.startsWith(`${operation}.`)),
  );
  if (unmatched.length === 0) return null;
  const elements = unmatched.map(({ about }) => about);
  return { result: 'unclear', note: `the WSDL has no match for ${listed(elements)}`, proposal: 'read-wsdl', elements };
}

/** Compares the element names of the main path with the service's WSDL: the only free check of the names in add operations. */
async function checkDescription(url: URL, target: ServiceTarget, signal: AbortSignal): Promise<Seen> {
  const found = await descriptionAt(url, target, signal);
  if ('missing' in found) return { result: 'not-tried', note: found.missing };
  const { description } = found;
  const judged = judgeDescription(description, 'main', target);
  if (judged) return judged;
  const count = describedOperations(description, 'main').filter((name) => description.names.has(name)).length;
  if (count === 0) return { result: 'not-tried', note: 'the WSDL describes no elements' };
  return { note: `as in the WSDL, ${count} operations` };
}
