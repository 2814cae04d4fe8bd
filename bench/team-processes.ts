import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Starts a member's program (test/team/program.ts) as a process of its own. `ended` rejects if it fails. */
export function startProgram(env: Readonly<Record<string, string>>): {
  readonly started: Promise<void>;
  /** All of its jobs have ended; the last outcomes may wait for the next report. */
  readonly sent: Promise<void>;
  readonly ended: Promise<void>;
} {
  const program = fileURLToPath(new URL('../test/team/program.ts', import.meta.url));
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (bytes) => {
    out += bytes;
    child.emit('said');
  });
  const said = (word: string) =>
    new Promise<void>((resolve, reject) => {
      child.on('said', () => {
        if (out.includes(word)) resolve();
      });
      child.once('exit', () => reject(new Error(`a program ended before it said ${word}`)));
    });
  const ended = new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`a program ended with code ${code}`))));
  });
  return { started: said('started'), sent: said('sent'), ended };
}
