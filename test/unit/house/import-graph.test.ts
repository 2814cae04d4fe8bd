import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, it } from 'vitest';
import { readFloors, root } from './floors.ts';

/** Of `import … from`, `export … from`, imports for their side effect, `import(…)` and types written as `import('…')`. */
const imports = /\b(?:from|import)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g;
/** Files that are started as workers: every path in `new URL(…, import.meta.url)`. */
const urls = /\bnew URL\(([^;]*?),\s*import\.meta\.url\s*\)/g;

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Each file with the files that it imports; what a path names but is not there (a built file, a style sheet) is left out. */
function graphOf(texts: ReadonlyMap<string, string>): Graph {
  return new Map(
    [...texts].map(([file, text]) => {
      const named = [...text.matchAll(imports)].map(([, , path = '']) => path);
      const started = [...text.matchAll(urls)].flatMap(([, inside = '']) =>
        [...inside.matchAll(/(['"])(\.{1,2}\/[^'"\n]+)\1/g)].map(([, , path = '']) => path),
      );
      const paths = [...named, ...started].map((path) => posix.join(posix.dirname(file), path));
      return [file, new Set(paths.filter((path) => texts.has(path)))] as const;
    }),
  );
}

/** Files that import each other, round and round: each as `a -> b -> a`. One for each group. */
function circlesIn(graph: Graph): string[] {
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, way: readonly string[]) => {
    const at = way.indexOf(file);
    if (at >= 0) circles.push([...way.slice(at), file].join(' -> '));
    if (at >= 0 || done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...way, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return circles;
}

/** Imports that the tables of docs/architecture.md do not allow, and files that they do not name. */
function forbiddenIn(graph: Graph): string[] {
  const floors = readFloors();
  const isOurs = (file: string) => /^(contract|electron|hosts|locales|practice|renderer)\//.test(file);
  const settings = /(\.config|\.d)\.ts$/;
  const screen = (file: string) => /^renderer\/screens\/[^/]+/.exec(file)?.[0];
  return [...graph].flatMap(([file, others]) => {
    if (!isOurs(file) || settings.test(file)) return [];
    const from = floors.roomOf(file);
    if (from === null) return [`${file} is on no floor`];
    return [...others].flatMap((other) => {
      const to = floors.roomOf(other);
      const isOwn = from === to && screen(file) === screen(other);
      const isAllowed = isOwn ? !floors.isUpInside(file, other) : to !== null && floors.mayImport(from, to);
      return isAllowed ? [] : [`${file} -> ${other}`];
    });
  });
}

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
});
const sources = new Map(
  listed
    .split('\n')
    .filter((file) => /\.(ts|tsx|mts|mjs)$/.test(file) && existsSync(join(root, file)))
    .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
);

it('finds imports of every kind, and circles and forbidden ones among them', () => {
  const graph = graphOf(
    new Map([
      ['electron/store/a.ts', "import type { B } from './b.ts';\nimport '../core/jobs/c.ts';"],
      ['electron/store/b.ts', "const worker = new URL(isSource ? './d.ts' : '../b.js', import.meta.url);"],
      ['electron/store/d.ts', "type A = import('./a.ts').A;\nawait import(\n  '../soap/e.ts'\n);"],
      ['electron/core/jobs/c.ts', "export { d } from '../../store/d.ts';"],
      ['electron/soap/e.ts', ''],
      ['electron/soap/wire/j.ts', "import '../reply/k.ts';"],
      ['electron/soap/reply/k.ts', "import { l } from '../wire/l.ts';"],
      ['electron/soap/wire/l.ts', ''],
      ['renderer/screens/one/f.tsx', "import { G } from '../two/g.tsx';\nimport { H } from './h.tsx';"],
      ['renderer/screens/one/h.tsx', ''],
      ['renderer/screens/two/g.tsx', ''],
      ['electron/other/i.ts', ''],
    ]),
  );
  expect(circlesIn(graph)).toContain(
    'electron/store/a.ts -> electron/store/b.ts -> electron/store/d.ts -> electron/store/a.ts',
  );
  expect(forbiddenIn(graph)).toEqual([
    'electron/store/a.ts -> electron/core/jobs/c.ts',
    'electron/store/d.ts -> electron/soap/e.ts',
    'electron/soap/wire/j.ts -> electron/soap/reply/k.ts',
    'renderer/screens/one/f.tsx -> renderer/screens/two/g.tsx',
    'electron/other/i.ts is on no floor',
  ]);
});

it('has no files that import each other', () => {
  expect(circlesIn(graphOf(sources))).toEqual([]);
});

it('has no import that runs up', () => {
  expect(forbiddenIn(graphOf(sources))).toEqual([]);
});

it('has a file behind every row of the tables', () => {
  const isThere = (room: string) => existsSync(join(root, room.replace(/\/\*$/, '')));
  expect(readFloors().rooms.filter((room) => !isThere(room))).toEqual([]);
});
