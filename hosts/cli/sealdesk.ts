import { z } from 'zod';
import { exitCodes } from './exit-code.ts';
import { runCommandLine } from './main.ts';
import { openOutput } from './output.ts';

// Before the first schema is used: otherwise zod probes whether eval is allowed.
z.config({ jitless: true });
// If DEBUG is set, node-soap prints whole requests including the credentials.
delete process.env.DEBUG;

const interruption = new AbortController();
/** Ids of jobs that were sent and whose end is not reported yet. */
const underWay = new Set<string>();
const interrupt = () => {
  // The second Ctrl-C ends the process at once: jobs that were being sent are recorded in the ledger as sent.
  if (interruption.signal.aborted) process.exit(underWay.size > 0 ? exitCodes.inDoubt : exitCodes.interrupted);
  interruption.abort();
};
process.on('SIGINT', interrupt);
process.on('SIGTERM', interrupt);
// The terminal was closed.
process.on('SIGHUP', interrupt);

// If stderr cannot be written, there is no other place to report it.
const err = openOutput(process.stderr, () => undefined);
let isOutputLost = false;
const out = openOutput(process.stdout, (why) => {
  isOutputLost = true;
  err.write(
    `sealdesk: the results cannot be written any more (${why}). The work goes on; what becomes of it is not shown.\n`,
  );
});

// If the event loop runs empty before the work is done, the exit code must not say success.
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
// A pipe reports its error in a later turn of the event loop.
await new Promise((done) => setImmediate(done));
if (isOutputLost && process.exitCode === exitCodes.fine) process.exitCode = exitCodes.outputLost;
isDone = true;
// A handle that a library keeps open must not keep the shell waiting.
setTimeout(() => process.exit(), 1000).unref();
