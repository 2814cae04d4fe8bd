import { readFileSync, writeSync } from 'node:fs';
import module from 'node:module';
import { join } from 'node:path';
import { argumentsGiven } from './arguments/arguments-given.ts';
import { exitCodes } from './output/exit-code.ts';

const [first = '', second = '--help'] = argumentsGiven;

/** What the build has written beside this file for a question, or null: installers, scripts and people ask often for the version or a help, and no module is loaded for it. */
function writtenAnswer(): string | null {
  if (argumentsGiven.length === 1 && first === '--version') return `${__VERSION__}\n`;
  const name = isHelp(first) ? '' : first;
  if (argumentsGiven.length !== (name ? 2 : 1) || !isHelp(second)) return null;
  try {
    const texts: Readonly<Record<string, string>> = JSON.parse(
      readFileSync(join(import.meta.dirname, 'help.json'), 'utf8'),
    );
    return Object.hasOwn(texts, name) ? (texts[name] ?? null) : null;
  } catch {
    return null;
  }
}

function isHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}

/** False if nothing of it could be printed at once. */
function isPrinted(text: string): boolean {
  const bytes = Buffer.from(text);
  let from = 0;
  try {
    while (from < bytes.length) from += writeSync(process.stdout.fd, bytes, from);
  } catch {
    if (from === 0) return false;
    process.stdout.once('error', () => (process.exitCode = exitCodes.outputLost)).write(bytes.subarray(from));
  }
  return true;
}

/** Older ones lack what the program is written with, and fail in the middle of work. */
function isTooOld({ node, electron }: NodeJS.ProcessVersions): boolean {
  // Not `localeCompare`: it loads the rules of a language, which takes longer than all that is done here.
  const numberOf = (version: string) => version.split('.').reduce((sum, part) => sum * 1_000 + Number(part), 0);
  return electron === undefined && numberOf(node) < numberOf(__OLDEST_NODE__);
}

const answer = writtenAnswer();
if (answer === null && isTooOld(process.versions)) {
  console.error(`sealdesk-cli: needs Node ${__OLDEST_NODE__} or newer; this is ${process.versions.node}.`);
  process.exitCode = exitCodes.usage;
} else if (answer === null || !isPrinted(answer)) {
  // What Node compiles is kept beside this file for the next command, where this person may write: not in a package. Of a folder for all programs others could make one of theirs.
  module.enableCompileCache?.(join(import.meta.dirname, 'compiled'));
  await import('./run.ts');
}
