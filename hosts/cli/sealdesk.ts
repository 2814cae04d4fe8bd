import { writeSync } from 'node:fs';
import { argumentsGiven } from './arguments-given.ts';

/** Prints the version, which installers and scripts ask for, without loading anything; false if that is not what is asked, or cannot be printed at once. */
function isVersionPrinted(): boolean {
  if (argumentsGiven.length !== 1 || argumentsGiven[0] !== '--version') return false;
  try {
    writeSync(process.stdout.fd, `${__VERSION__}\n`);
    return true;
  } catch {
    return false;
  }
}

if (!isVersionPrinted()) await import('./run.ts');
