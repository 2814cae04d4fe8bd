import { createHash, X509Certificate } from 'node:crypto';
import type { z } from 'zod';
import {
  type Connection,
  type ConnectionsState,
  type connectionSettings,
  holdsPrivateKey,
  settingsOfConnection,
} from '../../../contract/connections.ts';
import { type Envelope, fieldReasons } from '../../../contract/failure.ts';
import type { Ask } from '../../../contract/index.ts';
import type { DataFolder } from '../data-folder.ts';
import { UsageError } from '../output/exit-code.ts';
import { failureText, nameOnLine, startError } from '../output/printer.ts';
import { t } from '../output/texts.ts';
import { isSet, listOf, readSmallFile, textOf, type Values } from './values.ts';

type SettingsInput = z.input<typeof connectionSettings>;

/** The limit of a connection's certificates, in bytes. */
const maxCaBytes = 200_000;

/** Only with --url: a saved connection and the practice service have their own. */
const addressOptions = ['namespace', 'main-path', 'easy-sign-path', 'allow-http', 'client-cert', 'client-key'] as const;

/** Throws a UsageError for options that contradict each other. */
export function checkConnectionOptions(values: Values): void {
  const has = (name: string) => values[name] !== undefined;
  if (has('url') && has('connection'))
    throw new UsageError(t('errors.excludeEachOther', { one: '--url', other: '--connection' }));
  if (has('practice-dir') && (has('url') || has('connection'))) {
    throw new UsageError(t('errors.practiceDirAlone'));
  }
  for (const name of addressOptions) {
    if (has(name) && !has('url')) throw new UsageError(t('errors.goesWithUrl', { option: name }));
  }
  if (has('client-key') && !has('client-cert')) throw new UsageError(t('errors.clientKeyAlone'));
  if (has('url')) {
    for (const name of ['namespace', 'main-path']) {
      if (!has(name)) throw new UsageError(t('errors.urlNeeds', { option: name }));
    }
  }
}

/** The connection that the options name. Throws a UsageError if no connection has that name or the options do not fit. */
export async function chooseConnection(
  ask: Ask,
  dataFolder: DataFolder,
  values: Values,
  remark: (text: string) => void,
): Promise<Connection> {
  const state = await knownConnections(ask);
  const { connections } = state;
  const own = await givenSettings(values, remark);
  if (dataFolder.kind === 'address') return savedOnce(ask, { ...addressOf(values), ...own });
  const chosen =
    dataFolder.kind === 'practice' ? connections.find(({ kind }) => kind === 'practice') : named(state, values);
  if (!chosen) throw new Error('the practice connection is missing');
  if (Object.keys(own).length === 0) return chosen;
  if (dataFolder.kind === 'saved') {
    throw new UsageError(t('errors.savedHasSettings'));
  }
  return save(ask, { ...settingsOfConnection(chosen), ...own }, chosen.id);
}

async function knownConnections(ask: Ask): Promise<ConnectionsState> {
  const state = await ask('connections.state', {});
  if (state.ok) return state.value;
  const { failure } = state;
  throw startError(failure, t('errors.connectionsUnreadable', { why: failureText(failure) }));
}

function named({ connections, unreadable = 0 }: ConnectionsState, values: Values): Connection {
  const wanted = textOf(values, 'connection') ?? '';
  const found =
    connections.find(({ name }) => name === wanted) ??
    connections.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  // Its data belongs to the running app; two services must not write it.
  if (found?.kind === 'practice') {
    throw new UsageError(t('errors.practiceIsDefault'));
  }
  if (found) return found;
  const names = connections.filter(({ kind }) => kind === 'service').map(({ name }) => name);
  const name = JSON.stringify(wanted);
  const missing =
    names.length > 0
      ? t('errors.noConnectionButThese', { name, names: names.join(', ') })
      : t('errors.noConnectionYet', { name });
  throw new UsageError(unreadable > 0 ? `${missing} ${t('errors.connectionsBroken', { count: unreadable })}` : missing);
}

function addressOf(values: Values): SettingsInput {
  const url = (textOf(values, 'url') ?? '').replace(/\/+$/, '');
  const easySignPath = textOf(values, 'easy-sign-path');
  return {
    name: 'given on the command line',
    baseUrl: url,
    mainPath: textOf(values, 'main-path') ?? '',
    namespaceUri: textOf(values, 'namespace') ?? '',
    ...(easySignPath === undefined ? {} : { easySignPath }),
  };
}

async function givenSettings(values: Values, remark: (text: string) => void): Promise<Partial<SettingsInput>> {
  const overrides: Partial<SettingsInput> = {};
  const soap = soapOf(values, 'soap');
  if (soap !== undefined) overrides.soapVersion = soap;
  const easySignSoap = soapOf(values, 'easy-sign-soap');
  if (easySignSoap !== undefined) overrides.easySignSoapVersion = easySignSoap;
  if (isSet(values, 'soap-action')) overrides.soapAction12 = true;
  if (isSet(values, 'send-false')) overrides.sendFalse = true;
  const elements = listOf(values, 'element').map((pair) => {
    const [, name, own] = /^([^=]+)=([^=]+)$/.exec(pair) ?? [];
    if (!name || !own) throw new UsageError(t('errors.element', { given: JSON.stringify(pair) }));
    return [name, own];
  });
  if (elements.length > 0) overrides.elementNames = Object.fromEntries(elements);
  const proxy = textOf(values, 'proxy');
  if (proxy !== undefined) overrides.proxy = proxy === 'none' ? { mode: 'none' } : { mode: 'manual', address: proxy };
  const ca = textOf(values, 'ca');
  if (ca !== undefined) {
    overrides.extraCa = await certificatesIn(ca);
    if (holdsPrivateKey(overrides.extraCa)) remark(t('results.privateKeyLeftOut', { file: nameOnLine(ca) }));
  }
  return overrides;
}

function soapOf(values: Values, name: string): '1.1' | '1.2' | undefined {
  const soap = textOf(values, name);
  if (soap === undefined || soap === '1.1' || soap === '1.2') return soap;
  throw new UsageError(t('errors.soap', { option: name }));
}

const certificateBlock = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/** Text of a PEM file whose certificates can all be read, and nothing else of which is stored. Throws a UsageError. */
async function certificatesIn(path: string): Promise<string> {
  const text = await readSmallFile('--ca', path, maxCaBytes);
  const blocks = text.match(certificateBlock) ?? [];
  if (blocks.length === 0) throw new UsageError(t('errors.noCertificate', { file: nameOnLine(path) }));
  for (const block of blocks) {
    try {
      new X509Certificate(block);
    } catch {
      throw new UsageError(t('errors.badCertificate', { file: nameOnLine(path) }));
    }
  }
  return text;
}

/**
 * Finds or adds the one entry for an address with its settings. Several commands may do this at the same moment and must get the same entry, because
 * the ledger belongs to it.
 */
async function savedOnce(ask: Ask, input: SettingsInput): Promise<Connection> {
  const digest = createHash('sha256').update(JSON.stringify(input)).digest('hex').slice(0, 8);
  const name = `${input.baseUrl.slice(0, 60)} (${digest})`;
  return saved(await ask('connections.findOrAdd', { settings: { ...input, name } }));
}

/** The option of each setting, for error messages. */
const optionOf: Readonly<Record<string, string>> = {
  baseUrl: '--url',
  namespaceUri: '--namespace',
  mainPath: '--main-path',
  easySignPath: '--easy-sign-path',
  elementNames: '--element',
  proxy: '--proxy',
  extraCa: '--ca',
};

async function save(ask: Ask, settings: SettingsInput, id: string): Promise<Connection> {
  return saved(await ask('connections.save', { id, settings }));
}

/** Throws an error that names the options. */
function saved(answer: Envelope<Connection>): Connection {
  if (answer.ok) return answer.value;
  const { failure } = answer;
  const problems = Object.entries(failure.fields ?? {}).map(([field, text]): string => {
    const option = optionOf[field.split('.')[1] ?? ''] ?? field;
    return text === fieldReasons.notEncrypted ? t('errors.inClear', { option }) : `${option} ${text}`;
  });
  throw startError(failure, problems.length > 0 ? `${problems.join('; ')}.` : failureText(failure));
}
