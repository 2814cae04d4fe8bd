import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { readFloors, root } from './floors.ts';

/** Of `import … from`, `export … from`, imports for their side effect, `import(…)` and types written as `import('…')`. */
const imports = /\b(?:from|import)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g;
/** Files that are started as workers: every path in `new URL(…, import.meta.url)`. */
const urls = /\bnew URL\(([^;]*?),\s*import\.meta\.url\s*\)/g;

export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Each file with the files that it imports; what a path names but is not there (a built file, a style sheet) is left out. */
export function graphOf(texts: ReadonlyMap<string, string>): Graph {
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
export function circlesIn(graph: Graph): string[] {
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
export function forbiddenIn(graph: Graph): string[] {
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
/** Every source of the repository with its text. */
export const sources = new Map(
  listed
    .split('\n')
    .filter((file) => /\.(ts|tsx|mts|mjs)$/.test(file) && existsSync(join(root, file)))
    .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
);
