import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readFloors, root } from './floors.ts';
import { circlesIn, forbiddenIn, graphOf, sources } from './graph.ts';

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
