import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DatabaseSync } from '@photostructure/sqlite';
import { openStore } from '../electron/store/store.ts';
import { isBuilt } from '../scripts/setup.mjs';
import { startCore } from '../test/harness/core.ts';
import { findElectron } from '../test/harness/electron.ts';
import { openAnswers } from './answer-runs.ts';
import { interleaved, isSmall, median, quantile, runForResult, startPeer, timed, withFolder } from './harness.ts';
import { portions, silentLog, typed } from './invented-documents.ts';
import { peakAbove, withReader, writeLarge, writeSigned } from './signed-files.ts';
import { openSmallFiles } from './small-files.ts';
import { connectionTo, intoBareTable, listText, throughReader, throughSaxes } from './tracking-store.ts';
import type { WindowStarts } from './window-starts.ts';
import { openWire, type Sample } from './wire-runs.ts';

/** What was measured: the value that has a limit, and what it comes from. */
export interface Figure {
  readonly value: number;
  readonly from: string;
}

/** Figures that are measured together. */
export interface Group {
  readonly names: readonly string[];
  /** Why it cannot be measured here. */
  readonly missing?: () => string | null;
  readonly measure: () => Promise<Readonly<Record<string, Figure>>>;
}

const exec = promisify(execFile);
const rounds = isSmall ? 1 : 5;

const ms = (times: readonly number[]) => `${median(times).toFixed(median(times) < 10 ? 2 : 0)} ms`;

function ratio(ours: readonly number[], reference: readonly number[], of: string): Figure {
  return { value: median(ours) / median(reference), from: `${ms(ours)}, ${of} ${ms(reference)}` };
}

const bothOf = (first: readonly number[], second: readonly number[]) =>
  first.map((each, at) => each + (second[at] ?? 0));

/** Of this process, for work in one turn: a tail of many times is not to hold what other programs did meanwhile. */
function processorMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const wireMiB = isSmall ? 10 : 100;
/** As many as the limit is promised for: of a short list, most of the time is the compiling of code. */
const wireEntries = isSmall ? 1_000 : 100_000;

const wire: Group = {
  names: ['upload', 'download', 'list', 'upload-memory', 'download-memory', 'list-memory'],
  measure: () =>
    withFolder(async (folder) => {
      const runs = await openWire(folder, [wireMiB]);
      const memory = { up: [] as number[], down: [] as number[], list: [] as number[] };
      const ours = (kind: keyof typeof memory, call: () => Promise<Sample>) => async () => {
        const { tookMs, aboveIdleMB = 0 } = await call();
        memory[kind].push(aboveIdleMB);
        return tookMs;
      };
      const took = (call: () => Promise<Sample>) => async () => (await call()).tookMs;
      try {
        await runs.warmUp(wireEntries);
        const times = await interleaved(rounds, {
          up: ours('up', () => runs.up('ours', wireMiB)),
          curlUp: took(() => runs.curlUp(wireMiB)),
          hash: () => runs.hash(wireMiB),
          down: ours('down', () => runs.down('ours', wireMiB)),
          curlDown: async () => {
            const { tookMs, syncMs } = await runs.curlDown(wireMiB);
            return tookMs + syncMs;
          },
          list: ours('list', () => runs.list('ours', wireEntries)),
          // Takes six seconds: once, in the middle.
          stockList: async (round) =>
            round === Math.floor(rounds / 2) ? (await runs.list('stock', wireEntries)).tookMs : null,
        });
        const most = (kind: keyof typeof memory): Figure => {
          const value = median(memory[kind]);
          return { value, from: `${value.toFixed(0)} MB above idle` };
        };
        return {
          upload: ratio(times.up, bothOf(times.curlUp, times.hash), 'curl -T and a hash'),
          download: ratio(times.down, times.curlDown, 'curl -o and sync'),
          list: ratio(times.list, times.stockList, 'stock node-soap'),
          'upload-memory': most('up'),
          'download-memory': most('down'),
          'list-memory': most('list'),
        };
      } finally {
        await runs.close();
      }
    }),
};

/** Each round reads the list for the first time into a new connection, and again. */
const reading: Group = {
  names: ['reading-first', 'reading-again'],
  measure: () =>
    withFolder(async (folder) => {
      const server = await startPeer('list-server.ts', String(isSmall ? 1_000 : 6_000));
      const core = await startCore({ dataDir: join(folder, 'data') });
      try {
        const text = await listText(server.told);
        const rows = throughReader(text);
        const read = (connectionId: string) =>
          timed(() => core.must('signatures.refresh', { connectionId, listType: 1, maxItems: 0 }));
        const kept = await connectionTo(core, server.told);
        await read(kept);
        const times = await interleaved(rounds, {
          first: async () => {
            const id = await connectionTo(core, server.told, 'New');
            const took = await read(id);
            await core.must('connections.remove', { id });
            return took;
          },
          again: () => read(kept),
          saxes: () => throughSaxes(text),
          table: () => intoBareTable(rows, folder),
        });
        const least = bothOf(times.saxes, times.table);
        return {
          'reading-first': ratio(times.first, least, 'saxes and a bare table'),
          'reading-again': ratio(times.again, times.saxes, 'saxes alone'),
        };
      } finally {
        await core.stop();
        await server.stop();
      }
    }),
};

const files: Group = {
  names: ['small-files', 'staging'],
  measure: () =>
    withFolder(async (folder) => {
      const count = isSmall ? 10 : 40;
      const small = await openSmallFiles(folder);
      try {
        // The code is compiled, and the service has been asked once.
        await small.add(10);
        const times = await interleaved(rounds, {
          add: () => small.add(count),
          addLeast: () => small.addLeast(count),
          stage: async () => (await small.stage(count * 2)).copiedMs,
          copyLeast: () => small.copyLeast(count * 2),
        });
        return {
          'small-files': ratio(times.add, times.addLeast, `${count} copies, notes and requests`),
          staging: ratio(times.stage, times.copyLeast, `${count * 2} copies and notes on the disk`),
        };
      } finally {
        await small.close();
      }
    }),
};

const answers: Group = {
  names: ['answer'],
  measure: () =>
    withFolder(async (folder) => {
      const runs = await openAnswers(folder);
      try {
        const times = await runs.measure(rounds, wireMiB, ['curl', 'copy', 'core']);
        return { answer: ratio(times.core, bothOf(times.curl, times.copy), 'curl -T and a copy') };
      } finally {
        await runs.close();
      }
    }),
};

/** Typed letter by letter in a big register; the reference reads all of a bare table. */
const search: Group = {
  names: ['search'],
  measure: () =>
    withFolder(async (folder) => {
      const count = isSmall ? 2_000 : 30_000;
      const { store } = await openStore({ dataDir: join(folder, 'data'), log: silentLog });
      const bare = new DatabaseSync(join(folder, 'bare.db'));
      bare.exec('CREATE TABLE bare (text TEXT); BEGIN');
      const insert = bare.prepare('INSERT INTO bare VALUES (?)');
      for (const some of portions('office', count)) {
        store.documents.putAll(some);
        for (const one of some)
          insert.run([one.name, one.description, one.clientId, one.signers, one.fileName, one.documentId].join(' '));
      }
      bare.exec('COMMIT');
      const scan = bare.prepare('SELECT count(*) FROM bare WHERE text LIKE ?');
      const words = typed(['lease', 'north 4', 'ozturk', 'case-77', 'scan_4711', 'signer42@example', 'rare remark']);
      const list = (word: string) =>
        store.documents.list({ search: word, sort: 'registeredAt', descending: true, offset: 0, limit: 100 });
      const times = await interleaved(rounds, {
        ours: async () => {
          const each = words.map((word) => processorMs(() => list(word)));
          return quantile(each, 0.95);
        },
        scan: () => processorMs(() => scan.get('%nowhere%')),
      });
      bare.close();
      store.close();
      return { search: ratio(times.ours, times.scan, `p95; a scan of ${count} rows`) };
    }),
};

const commandLine = join(import.meta.dirname, '../dist/cli/sealdesk.js');

/** What a command takes from its start to its end; `schedule` asks a service on this computer. */
const command: Group = {
  names: ['command-version', 'command-help', 'command-schedule'],
  missing: () => (isBuilt() ? null : 'not built (npm run build)'),
  measure: () =>
    withFolder(async (folder) => {
      const service = await startPeer('practice.ts', join(folder, 'practice'));
      const { baseUrl, namespaceUri, mainPath } = JSON.parse(service.told) as Record<string, string>;
      const target = ['--url', `${baseUrl}`, '--namespace', `${namespaceUri}`, '--main-path', `${mainPath}`];
      const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, APPDATA: folder, LOCALAPPDATA: folder };
      const start = (...words: string[]) => exec(process.execPath, words, { env });
      try {
        // Makes the data folder, and compiles what is kept compiled.
        await start(commandLine, 'schedule', ...target);
        const times = await interleaved(rounds * 2, {
          version: () => start(commandLine, '--version'),
          help: () => start(commandLine, '--help'),
          schedule: () => start(commandLine, 'schedule', ...target),
          node: () => start('-e', '0'),
        });
        return {
          'command-version': ratio(times.version, times.node, 'node -e 0'),
          'command-help': ratio(times.help, times.node, 'node -e 0'),
          'command-schedule': ratio(times.schedule, times.node, 'node -e 0'),
        };
      } finally {
        await service.stop();
      }
    }),
};

const window: Group = {
  names: ['start', 'idle-memory'],
  missing: () => {
    const found = findElectron();
    return 'missing' in found ? found.missing : null;
  },
  measure: async () => {
    const { times, restingMb } = await runForResult<WindowStarts>('window-starts.ts', [String(rounds)]);
    const { ours, empty } = restingMb ?? { ours: 0, empty: 1 };
    const from = `${ours.toFixed(0)} MB, an empty window ${empty.toFixed(0)} MB`;
    return {
      start: ratio(times.ours, times.empty, 'an empty window'),
      'idle-memory': { value: ours / empty, from: restingMb ? from : 'not told by this system' },
    };
  },
};

/** What a worker does with signed files: at most 10 ms for a signature, and memory that does not grow with the file. */
const signatures: Group = {
  names: ['signature', 'signature-memory'],
  measure: () =>
    withFolder(async (folder) => {
      const [signed, large] = [await writeSigned(folder), await writeLarge(folder, isSmall ? 2 ** 26 : 2 ** 31)];
      const count = isSmall ? 20 : 100;
      return withReader(signed, async (reader) => {
        const times = await interleaved(rounds, {
          ours: async () => {
            const took = await timed(async () => {
              for (let n = 0; n < count; n += 1) await reader.describe(signed);
            });
            return took / count;
          },
        });
        const memory = await peakAbove(async () => {
          const answer = await reader.describe(large);
          if (answer?.revisionEnds?.length !== 3) throw new Error(`the large file was not read: ${answer?.reason}`);
        });
        return {
          signature: {
            value: median(times.ours),
            from: `${(1000 / median(times.ours)).toFixed(0)} signatures a second`,
          },
          'signature-memory': {
            value: memory,
            from: `${memory.toFixed(0)} MB above idle at ${isSmall ? '64 MiB' : '2 GiB'}`,
          },
        };
      });
    }),
};

export const groups: readonly Group[] = [wire, reading, files, answers, search, command, window, signatures];
