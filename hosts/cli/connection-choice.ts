import { createHash, X509Certificate } from 'node:crypto';
import type { z } from 'zod';
import type { Connection, ConnectionSettings, connectionSettings } from '../../contract/connections.ts';
import type { Envelope } from '../../contract/failure.ts';
import type { Ask } from '../../contract/index.ts';
import type { DataFolder } from './data-folder.ts';
import { nameOnLine } from './printer.ts';
import { UsageError } from './usage-error.ts';
import { isSet, listOf, readSmallFile, textOf, type Values } from './values.ts';

type SettingsInput = z.input<typeof connectionSettings>;

/** The limit of a connection's certificates, in bytes. */
const maxCaBytes = 200_000;

/** Only with --url: a saved connection and the practice service have their own. */
const addressOptions = ['namespace', 'main-path', 'easy-sign-path'] as const;

/** Throws a UsageError for options that contradict each other. */
export function checkConnectionOptions(values: Values): void {
  const has = (name: string) => values[name] !== undefined;
  if (has('url') && has('connection')) throw new UsageError('--url and --connection exclude each other.');
  if (has('practice-dir') && (has('url') || has('connection'))) {
    throw new UsageError('--practice-dir is for the practice service: leave out --url and --connection.');
  }
  for (const name of addressOptions) {
    if (has(name) && !has('url')) throw new UsageError(`--${name} goes with --url ADDRESS.`);
  }
  if (has('url')) {
    for (const name of ['namespace', 'main-path']) {
      if (!has(name)) throw new UsageError(`--url needs --${name} as well.`);
    }
  }
}

/** The connection that the options name. Throws a UsageError if no connection has that name or the options do not fit. */
export async function chooseConnection(ask: Ask, dataFolder: DataFolder, values: Values): Promise<Connection> {
  const connections = await knownConnections(ask);
  const own = await givenSettings(values);
  if (dataFolder.kind === 'address') return savedOnce(ask, { ...addressOf(values), ...own });
  const chosen =
    dataFolder.kind === 'practice' ? connections.find(({ kind }) => kind === 'practice') : named(connections, values);
  if (!chosen) throw new Error('the practice connection is missing');
  if (Object.keys(own).length === 0) return chosen;
  if (dataFolder.kind === 'saved') {
    throw new UsageError(
      '--soap, --easy-sign-soap, --soap-action, --send-false, --element, --proxy and --ca are settings of a saved connection: change them in the app.',
    );
  }
  return save(ask, { ...settingsOf(chosen), ...own }, chosen.id);
}

async function knownConnections(ask: Ask): Promise<readonly Connection[]> {
  const state = await ask('connections.state', {});
  if (!state.ok) throw new UsageError(`The saved connections cannot be read: ${state.failure.note}`);
  return state.value.connections;
}

function named(connections: readonly Connection[], values: Values): Connection {
  const wanted = textOf(values, 'connection') ?? '';
  const found =
    connections.find(({ name }) => name === wanted) ??
    connections.find(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  // Its data belongs to the running app; two services must not write it.
  if (found?.kind === 'practice') {
    throw new UsageError('The practice service is used without --connection; --practice-dir DIR keeps its data.');
  }
  if (found) return found;
  const names = connections.filter(({ kind }) => kind === 'service').map(({ name }) => name);
  const there = names.length > 0 ? `There are: ${names.join(', ')}.` : 'None is saved yet: the app saves them.';
  throw new UsageError(`There is no saved connection called ${JSON.stringify(wanted)}. ${there}`);
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

async function givenSettings(values: Values): Promise<Partial<SettingsInput>> {
  const overrides: Partial<SettingsInput> = {};
  const soap = soapOf(values, 'soap');
  if (soap !== undefined) overrides.soapVersion = soap;
  const easySignSoap = soapOf(values, 'easy-sign-soap');
  if (easySignSoap !== undefined) overrides.easySignSoapVersion = easySignSoap;
  if (isSet(values, 'soap-action')) overrides.soapAction12 = true;
  if (isSet(values, 'send-false')) overrides.sendFalse = true;
  const elements = listOf(values, 'element').map((pair) => {
    const [, name, own] = /^([^=]+)=([^=]+)$/.exec(pair) ?? [];
    if (!name || !own) throw new UsageError(`--element takes NAME=OWN, not ${JSON.stringify(pair)}.`);
    return [name, own];
  });
  if (elements.length > 0) overrides.elementNames = Object.fromEntries(elements);
  const proxy = textOf(values, 'proxy');
  if (proxy !== undefined) overrides.proxy = proxy === 'none' ? { mode: 'none' } : { mode: 'manual', address: proxy };
  const ca = textOf(values, 'ca');
  if (ca !== undefined) {
    overrides.extraCa = await certificatesIn(ca);
  }
  return overrides;
}

function soapOf(values: Values, name: string): '1.1' | '1.2' | undefined {
  const soap = textOf(values, name);
  if (soap === undefined || soap === '1.1' || soap === '1.2') return soap;
  throw new UsageError(`--${name} takes 1.1 or 1.2.`);
}

const certificateBlock = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g;

/** Text of a PEM file whose certificates can all be read. Throws a UsageError. */
async function certificatesIn(path: string): Promise<string> {
  const text = await readSmallFile('--ca', path, maxCaBytes);
  const blocks = text.match(certificateBlock) ?? [];
  if (blocks.length === 0) throw new UsageError(`--ca: ${nameOnLine(path)} holds no certificate in PEM.`);
  for (const block of blocks) {
    try {
      new X509Certificate(block);
    } catch {
      throw new UsageError(`--ca: ${nameOnLine(path)} holds a certificate that cannot be read.`);
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

function settingsOf(connection: Connection): ConnectionSettings {
  const { id: _id, kind: _kind, credentials: _credentials, ...settings } = connection;
  return settings;
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

/** Throws a UsageError that names the options. */
function saved(answer: Envelope<Connection>): Connection {
  if (answer.ok) return answer.value;
  const problems = Object.entries(answer.failure.fields ?? {}).map(([field, text]) => {
    const [, setting = ''] = field.split('.');
    return `${optionOf[setting] ?? field} ${text}`;
  });
  throw new UsageError(problems.length > 0 ? `${problems.join('; ')}.` : answer.failure.note);
}
