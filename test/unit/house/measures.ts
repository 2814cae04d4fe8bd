/** How large the product is. `npx node test/unit/house/measures.ts` prints each figure beside the most that it may be (measures.json). */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync } from 'vite';
import { parseLimits } from '../../../bench/limits.ts';
import { root } from './floors.ts';
import { circlesIn, forbiddenIn, graphOf, sources } from './graph.ts';

const fewLines = 60;
const manyFiles = 25;
const isOurs = (file: string) => /^(contract|electron|renderer|hosts|practice)\//.test(file);

export function measure(): Readonly<Record<string, number>> {
  const typescript = [...sources].filter(([file]) => isOurs(file) && /(?<!\.d|\.test)\.tsx?$/.test(file));
  const lengths = typescript.map(([, text]) => linesOf(text));
  const styles = execFileSync('git', ['ls-files', 'renderer/*.css'], { cwd: root, encoding: 'utf8' }).split('\n');
  const css = styles.filter(Boolean).map((file) => linesOf(readFileSync(join(root, file), 'utf8')));
  const folders = new Map<string, number>();
  for (const [file] of typescript) folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1);
  const graph = graphOf(sources);
  return {
    'TypeScript lines': sum(lengths),
    files: lengths.length,
    'files under 60 lines': lengths.filter((lines) => lines < fewLines).length,
    'folders over 25 files': [...folders.values()].filter((files) => files > manyFiles).length,
    'CSS lines': sum(css),
    'functions over 60 lines': sum(typescript.map(([file, text]) => longFunctionsIn(file, text))),
    'lines about signed PDFs': sum(
      typescript.filter(([file]) => file.includes('/pdf-signatures/')).map(([, text]) => linesOf(text)),
    ),
    'import circles': circlesIn(graph).length,
    'imports up': forbiddenIn(graph).length,
  };
}

export const readMeasures = () => parseLimits(readFileSync(join(import.meta.dirname, 'measures.json'), 'utf8'));

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
const linesOf = (text: string) => text.split('\n').length - 1;

function longFunctionsIn(file: string, text: string): number {
  // Most files hold no such function, and need no parser.
  if (linesOf(text) <= fewLines) return 0;
  let found = 0;
  const visit = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return;
    const { type, start = 0, end = 0 } = node as { type?: string; start?: number; end?: number };
    const isFunction = type === 'FunctionDeclaration' || type === 'FunctionExpression' || type?.startsWith('Arrow');
    if (isFunction && linesOf(text.slice(start, end)) >= fewLines) found += 1;
    Object.values(node).forEach(visit);
  };
  visit(parseSync(file, text).program.body);
  return found;
}

if (process.argv[1] === import.meta.filename) {
  const most = readMeasures();
  for (const [name, value] of Object.entries(measure()))
    process.stdout.write(`${name.padEnd(24)} ${String(value).padStart(7)} of ${most[name]?.limit}\n`);
}
