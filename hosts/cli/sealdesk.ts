import { z } from 'zod';
import { exitCodes } from './exit-code.ts';
import { runCommandLine } from './main.ts';
import { openOutput } from './output.ts';

// Before the first schema is used: else zod tries whether code may be made from text.
z.config({ jitless: true });
// node-soap prints whole requests, with the credentials, where this is set.
delete process.env.DEBUG;

const interruption = new AbortController();
/** Ids of jobs that have left and of which no end was told. */
const underWay = new Set<string>();
const interrupt = () => {
  // The second Ctrl-C means it: what was being sent stands in the ledger as sent.
  if (interruption.signal.aborted) process.exit(underWay.size > 0 ? exitCodes.inDoubt : exitCodes.interrupted);
  interruption.abort();
};
process.on('SIGINT', interrupt);
process.on('SIGTERM', interrupt);
// The terminal was closed.
process.on('SIGHUP', interrupt);

// Nobody can be told where stderr cannot be written.
const err = openOutput(process.stderr, () => undefined);
let isOutputLost = false;
const out = openOutput(process.stdout, (why) => {
  isOutputLost = true;
  err.write(
    `sealdesk: the results cannot be written any more (${why}). The work goes on; what becomes of it is not shown.\n`,
  );
});

// Should nothing be left to wait for before the work is done, that must not look like success.
process.exitCode = exitCodes.refused;
process.once('exit', () => {
  if (!isDone) err.write('sealdesk: ended before the work was done\n');
});
let isDone = false;

try {
  process.exitCode = await runCommandLine(process.argv.slice(2), {
    env: process.env,
    out,
    err,
    interrupted: interruption.signal,
    underWay,
  });
} catch (error) {
  // Name and place only: a library's message may quote a request.
  const at = error instanceof Error ? (error.stack ?? '').split('\n').find((line) => /^\s+at /.test(line)) : '';
  err.write(`sealdesk: unexpected error (${error instanceof Error ? error.name : typeof error}${at ?? ''})\n`);
}
// An error of a pipe is told in a later turn.
await new Promise((done) => setImmediate(done));
if (isOutputLost && process.exitCode === exitCodes.fine) process.exitCode = exitCodes.outputLost;
isDone = true;
// A handle that a library keeps open must not keep the shell waiting.
setTimeout(() => process.exit(), 1000).unref();
