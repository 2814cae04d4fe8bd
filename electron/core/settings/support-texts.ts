import { open } from 'node:fs/promises';
import { arch, availableParallelism, release, totalmem } from 'node:os';
import type { AppInfo } from '../../../contract/app.ts';
import type { Connection, ConnectionsState } from '../../../contract/connections.ts';
import {
  type StorageUsage,
  type SupportFileName,
  type SupportReport,
  supportFiles,
} from '../../../contract/diagnostics.ts';
import type { Failure } from '../../../contract/failure.ts';
import type { Store } from '../../store/store.ts';
import type { Ports } from '../foundation/ports.ts';
import { redactNamed } from '../foundation/redactor.ts';
import { measureStorage } from './storage-calls.ts';

export interface ReportSources {
  readonly info: () => AppInfo;
  readonly ports: Pick<Ports, 'dataDir' | 'logFile' | 'otherLogFiles' | 'crashes' | 'systemLanguages'>;
  readonly store: Pick<Store, 'jobs' | 'documents' | 'verifyRuns'>;
  readonly connections: { readonly state: () => ConnectionsState };
  /** Checks a connection, within half a minute. Never rejects. */
  readonly check: (connectionId: string) => Promise<readonly string[]>;
  readonly redact: (text: string) => string;
}

/**
 * The texts of a report for support, in English. Connections have numbers instead of their names, which people choose; addresses of services are in them only as
 * far as the checks quote them.
 */
export async function supportTexts(sources: ReportSources): Promise<SupportReport['files']> {
  const { info, ports, connections, check, store, redact } = sources;
  const { logFile, otherLogFiles = [] } = ports;
  const state = connections.state();
  const [checked, log, stored] = await Promise.all([
    check(state.currentId),
    reportLogLines(logFile === null ? otherLogFiles : [...otherLogFiles, logFile]),
    measureStorage(ports.dataDir, logFile),
  ]);
  const lines: Readonly<Record<SupportFileName, readonly string[]>> = {
    program: [
      titleLine(),
      ...programLines(info(), ports.systemLanguages()),
      ...state.connections.map((connection, at) => connectionLine(connection, at + 1, state.currentId)),
    ],
    connection: ['Check of the connection in use', ...checked],
    records: [storageLine(stored), ...countLines(store)],
    crashes: crashLines(ports.crashes),
    log: logLines(log),
  };
  const unnamed = (text: string) =>
    state.connections.reduce((left, { name }, at) => withoutName(left, name, at + 1), text);
  return supportFiles.map((name) => ({ name, text: redact(redactNamed(unnamed(`${lines[name].join('\n')}\n`))) }));
}

/** The report's texts where the register cannot be used, so that nothing but it is known: neither connections nor counts. Never rejects. */
export async function textsWithoutRegister(
  ports: Ports,
  policy: AppInfo['policy'],
  { code, detail }: Failure,
): Promise<SupportReport['files']> {
  const { dataDir, logFile, otherLogFiles = [] } = ports;
  const [log, stored] = await Promise.all([
    reportLogLines(logFile === null ? otherLogFiles : [...otherLogFiles, logFile]),
    measureStorage(dataDir, logFile),
  ]);
  const lines: Readonly<Record<SupportFileName, readonly string[]>> = {
    program: [titleLine(), ...systemLines(ports, ports.systemLanguages()), policyLine(policy)],
    connection: ['Not known without the register'],
    records: [storageLine(stored), `Register: ${[code, detail].filter(Boolean).join(', ')}`],
    crashes: crashLines(ports.crashes),
    log: logLines(log),
  };
  return supportFiles.map((name) => ({ name, text: redactNamed(`${lines[name].join('\n')}\n`) }));
}

const titleLine = () => `Sealdesk report for support, ${new Date().toISOString()}`;
const logLines = (log: readonly string[]) => (log.length > 0 ? log : ['No lines']);

function storageLine({ bytes }: StorageUsage): string {
  const sizes = Object.entries(bytes).map(([part, size]) => `${part} ${size}`);
  return `Storage in bytes: ${sizes.join(', ')}`;
}

function systemLines(
  program: Pick<AppInfo, 'version' | 'host' | 'installation'>,
  languages: readonly string[],
): string[] {
  const { node, electron, chrome } = process.versions;
  const engine = electron ? `, Electron ${electron}, Chromium ${chrome}` : '';
  return [
    `Program: ${program.version} (${program.host}, ${program.installation}), Node ${node}${engine}`,
    `System: ${process.platform} ${release()} ${arch()}, ${Math.round(totalmem() / 1024 ** 3)} GiB, ${availableParallelism()} processors`,
    `Languages: ${languages.slice(0, 5).join(', ')}`,
  ];
}

function programLines(info: AppInfo, languages: readonly string[]): string[] {
  const preferences = Object.entries(info.preferences).map(([name, value]) => `${name} ${value}`);
  return [
    ...systemLines(info, languages),
    `Settings: ${preferences.join(', ')}; log ${info.log.level}; the system shows a tray: ${info.hasTray ? 'yes' : 'no'}`,
    policyLine(info.policy),
    `Notices: ${info.notices.map(({ kind }) => kind).join(', ') || 'none'}`,
  ];
}

function policyLine({ isPresent, locked, problems }: AppInfo['policy']): string {
  if (!isPresent) return 'Policy: none';
  const wrong = problems.map(({ kind, key }) => `${kind} ${key}`.trim());
  return `Policy: sets ${locked.join(', ') || 'nothing'}; problems: ${wrong.join(', ') || 'none'}`;
}

function countLines({ jobs, documents, verifyRuns }: ReportSources['store']): string[] {
  const counts = Object.entries(jobs.counts()).map(([state, count]) => `${state} ${count}`);
  const { total } = documents.list({ search: '', sort: 'registeredAt', descending: true, offset: 0, limit: 1 });
  const runs = verifyRuns.list({ offset: 0, limit: 1 }).total;
  return [`Jobs: ${counts.join(', ')}`, `Documents: ${total}; verifications: ${runs}`];
}

function crashLines(crashes: ReportSources['ports']['crashes']): string[] {
  const ends = (crashes?.all() ?? []).map(({ at, part, reason }) => `${at} ${part} ${reason}`);
  const dumps = crashes?.dumps() ?? 0;
  return [
    ...(ends.length > 0 ? ends : ['No unexpected end']),
    `Memory images kept on this computer, not part of this report: ${dumps}`,
  ];
}

function connectionLine(connection: Connection, number: number, currentId: string): string {
  const { id, kind, soapVersion, proxy, credentials, parallel } = connection;
  const use = id === currentId ? ', in use' : '';
  return `Connection ${number} (${kind}${use}): SOAP ${soapVersion}, proxy ${proxy.mode}, credentials ${credentials}, ${parallel} at the same time`;
}

/** A person may have named a connection after somebody. Shorter names would match parts of words. */
function withoutName(text: string, name: string, number: number): string {
  return name.length >= 3 ? text.replaceAll(name, `[connection ${number}]`) : text;
}

/** Name of the folder in the zip file, and of the zip file itself without its ending. */
export function supportName(at: Date): string {
  return `Sealdesk-support-${at.toISOString().slice(0, 10)}`;
}

/** The report's files by the names that they are saved under. */
export function supportEntries({
  files,
}: Pick<SupportReport, 'files'>): readonly (readonly [name: string, text: string])[] {
  return files.map(({ name, text }) => [`${name}.txt`, text]);
}

/** A report as a zip file of text files. It is small: the log in it is bounded. */
export async function supportZip(report: Pick<SupportReport, 'files'>, at: Date): Promise<Uint8Array> {
  const { strToU8, zipSync } = await import('fflate');
  const entries = supportEntries(report).map(([name, text]) => [`${supportName(at)}/${name}`, strToU8(text)]);
  return zipSync(Object.fromEntries(entries), { mtime: at });
}

/** How much of each log is read, from its end, and how many of its lines are in a report. */
const mostBytes = 256 * 1024;
const mostLines = 1_000;
const longestLine = 400;

/** Fields whose texts come from the program itself: closed sets, names of errors, local IDs. Numbers and switches of any name are harmless. */
const ownTexts = new Set([
  ...[
    'level',
    'code',
    'detail',
    'kind',
    'state',
    'step',
    'call',
    'event',
    'doing',
    'reason',
    'signal',
    'operation',
    'part',
    'platform',
    'release',
    'arch',
    'version',
    'electron',
    'chrome',
    'node',
  ],
  ...['name', 'error', 'reference', 'jobId', 'bulkId', 'connectionId', 'id'],
]);
/** What the texts of these fields look like: one word, so no sentence, no path and no address gets through. */
const oneWord = /^[\w.:-]{1,80}$/;
/** `name` is the name of an error, or a file in an older log: only the former is shown. */
const fileLike = /\.[a-z\d]{1,8}$/i;

/** The last lines of the logs, each reduced to what can hold no secret, path, file name, address or name of a person. Never rejects. */
async function reportLogLines(logFiles: readonly string[]): Promise<string[]> {
  const lines: string[] = [];
  for (const file of logFiles) {
    for (const part of [`${file}.old`, file]) {
      const text = await endOf(part).catch(() => '');
      lines.push(...text.split('\n').flatMap((line) => reportLogLine(line) ?? []));
    }
  }
  // Each line begins with its time.
  return lines.sort().slice(-mostLines);
}

/** One line; null if it is none of the log's own. */
export function reportLogLine(line: string): string | null {
  const entry = parsed(line);
  if (entry === null) return null;
  const { at, message, ...fields } = entry;
  if (typeof message !== 'string') return null;
  const shown = Object.entries(fields).map(([name, value]) => `${name}=${shownValue(name, value)}`);
  const time = typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? at : '';
  return [time, message, ...shown].join(' ').slice(0, longestLine);
}

function shownValue(name: string, value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  const isShown = typeof value === 'string' && ownTexts.has(name) && oneWord.test(value) && !fileLike.test(value);
  return isShown ? value : '[left out]';
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

async function endOf(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const from = Math.max(0, size - mostBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(size, mostBytes)), 0, undefined, from);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
