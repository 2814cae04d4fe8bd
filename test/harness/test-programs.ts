import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { folderBeside, onceInRun, runFolder } from './run-folder.ts';

const tests = resolve(import.meta.dirname, '..');

/** The sources of all programs that tests start and kill, by their names below test/ without the ending. */
export function programFiles(): Record<string, string> {
  const names = globSync('{faults,hostile,team}/*program.ts', { cwd: tests });
  return Object.fromEntries(names.map((name) => [name.replace(/\.ts$/, ''), join(tests, name)]));
}

/**
 * Answers the path of a program that tests start, by the path of its source. Built once in a run, each in few files: reading 400 sources anew was two thirds of what a
 * start took. Where no run is known, the source itself.
 */
export async function testPrograms(): Promise<(source: string) => string> {
  if (!runFolder()) return (source) => source;
  const folder = await onceInRun('programs', buildPrograms);
  return (source) => join(folder, relative(tests, source).replace(/\.ts$/, '.js'));
}

function buildPrograms(): string {
  const outDir = join(folderBeside(), 'programs');
  const vite = join(tests, '../node_modules/vite/bin/vite.js');
  const words = ['build', '-c', join(import.meta.dirname, 'vite.programs.config.ts'), '--outDir', outDir];
  execFileSync(process.execPath, [vite, ...words], { stdio: ['ignore', 'ignore', 'inherit'] });
  return outDir;
}
