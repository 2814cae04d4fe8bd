import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFloors, root } from './floors.ts';

/** What a file may import of ours and of libraries, and what not, as the linter is asked about it. */
interface Case {
  readonly file: string;
  readonly refused: readonly string[];
  readonly allowed: readonly string[];
}

const { rooms, mayImport } = readFloors();

/** A file in a room; `other` for a second one, in another folder where the room stands for several. */
function fileIn(room: string, other = false): string {
  if (room.endsWith('.ts')) return room;
  return posix.join(room.replace('*', other ? 'two' : 'one'), other ? 'y.ts' : 'x.ts');
}

/** From `file`, everything that there is in the other rooms. */
function caseOf(file: string, room: string): Case {
  const others = rooms.filter((other) => other !== room || other.endsWith('*'));
  const path = (to: string) => {
    const relative = posix.relative(posix.dirname(file), fileIn(to, true));
    return relative.startsWith('.') ? relative : `./${relative}`;
  };
  // A room inside of this one, or around it, is of the same folder: the graph of all imports tells them apart.
  const apart = others.filter((other) => !other.startsWith(`${room}/`) && !room.startsWith(`${other}/`));
  const may = (to: string) => mayImport(room, to) && to !== room;
  return { file, refused: apart.filter((to) => !may(to)).map(path), allowed: apart.filter(may).map(path) };
}

/** Folders that have folders of their own: the way to another room is one step longer there. */
const nested = new Set(
  ['signatures', 'documents', 'verify', 'jobs', 'connections', 'output'].map((name) => `electron/core/${name}`),
);
const own: readonly Case[] = rooms.flatMap((room) => {
  const inner = ['electron/store', 'electron/shell', 'hosts/cli', 'locales'].includes(room) || nested.has(room);
  const files = [fileIn(room), ...(inner ? [`${room}/inner/x.ts`] : [])];
  return files.map((file) => caseOf(file, room));
});

const libraries: readonly Case[] = [
  { file: 'contract/l.ts', refused: ['node:path', 'react', 'electron'], allowed: ['./y.ts', 'zod'] },
  ...['core/jobs', 'core/files', 'core/foundation', 'store', 'host-kit'].map((folder) => ({
    file: `electron/${folder}/l.ts`,
    refused: ['electron', 'electron/main', 'soap', 'soap/lib'],
    allowed: ['node:fs', 'zod', './y.ts'],
  })),
  { file: 'electron/soap/l.ts', refused: ['electron'], allowed: ['soap', 'node:net', './y.ts'] },
  { file: 'electron/shell/l.ts', refused: ['soap'], allowed: ['electron', './y.ts'] },
  { file: 'electron/shell/system/l.ts', refused: ['soap'], allowed: ['electron', '../window.ts'] },
  ...['app', 'screens/one', 'features', 'bridge', 'parts'].map((folder) => ({
    file: `renderer/${folder}/l.ts`,
    refused: ['electron', 'node:fs'],
    allowed: ['react', './y.ts'],
  })),
  {
    file: 'locales/l.ts',
    refused: ['electron', 'node:fs', '../renderer/parts/y.ts'],
    allowed: ['i18next', './y.ts', '../contract/y.ts'],
  },
  { file: 'renderer/viewer/l.ts', refused: ['react'], allowed: ['./y.ts', 'pdfjs-dist/legacy/build/pdf.mjs'] },
  { file: 'practice/l.ts', refused: ['electron'], allowed: ['./y.ts', 'saxes', 'node:http'] },
  { file: 'hosts/cli/commands/l.ts', refused: ['electron', 'soap'], allowed: ['node:fs', '../y.ts'] },
];

/** Folders that may import i18next: the texts, the window, and those that write texts. */
const writesTexts = (room: string) =>
  ['locales', 'electron/shell'].includes(room) ||
  /^electron\/core\/(documents|signatures|verify)$/.test(room) ||
  isOfWindow(room);
const isOfWindow = (room: string) => /^renderer\/(app|screens|features|bridge|parts)\b/.test(room);

/** The libraries for the command line and for texts, in every folder. */
const ofFewFolders: readonly Case[] = rooms
  .filter((room) => !room.endsWith('.ts'))
  .map((room) => {
    const may: Readonly<Record<string, boolean>> = {
      commander: room === 'hosts/cli',
      pg: room === 'electron/core/team',
      i18next: writesTexts(room),
      'react-i18next': isOfWindow(room),
    };
    const names = Object.keys(may);
    const file = posix.join(posix.dirname(fileIn(room)), 'm.ts');
    return { file, refused: names.filter((name) => !may[name]), allowed: names.filter((name) => may[name]) };
  });

const cases = [...own, ...libraries, ...ofFewFolders];
const refusedIn = new Map<string, string[]>();
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'import-rules-'));
  cpSync(join(root, 'biome.json'), join(folder, 'biome.json'));
  const lines = new Map(cases.map(({ file, refused, allowed }) => [file, [...refused, ...allowed]]));
  for (const [file, names] of lines) {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, names.map((name, n) => `export { a as a${n} } from '${name}';\n`).join(''));
  }
  const biome = join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
  const args = ['lint', '--vcs-enabled=false', '--only=style/noRestrictedImports', '--max-diagnostics=none', '.'];
  const ran = spawnSync(process.execPath, [biome, ...args], { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 });
  for (const [, file = '', line] of (ran.stdout + ran.stderr).matchAll(
    /^(\S+\.ts):(\d+):\d+ lint\/style\/noRestrictedImports/gm,
  ))
    refusedIn.set(file, [...(refusedIn.get(file) ?? []), lines.get(file)?.[Number(line) - 1] ?? '']);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the linter refuses what the tables of docs/architecture.md do not allow', () => {
  it.each(cases)('$file', ({ file, refused }) => {
    expect([...new Set(refusedIn.get(file))].sort()).toEqual([...refused].sort());
  });
});
