import './jobs/interruption.ts';
import { z } from 'zod';
import { argumentsGiven } from './arguments/arguments-given.ts';
import { interrupted, underWay } from './jobs/interruption.ts';
import { runCommandLine } from './main.ts';
import { exitCodes } from './output/exit-code.ts';
import { openOutput } from './output/output.ts';
import { t } from './output/texts.ts';

// Before the first schema is used: otherwise zod probes whether eval is allowed.
z.config({ jitless: true });
// If DEBUG is set, node-soap prints whole requests including the credentials.
delete process.env.DEBUG;

// If stderr cannot be written, there is no other place to report it.
const err = openOutput(process.stderr, () => undefined);
const tell = (text: string) => err.write(`${t('errors.program', { text })}\n`);
let isOutputLost = false;
const out = openOutput(process.stdout, (reason) => {
  isOutputLost = true;
  const why = reason.known ? t(`results.lostBecause.${reason.known}`) : reason.code;
  tell(t('results.outputLost', { why }));
});

// If the event loop runs empty before the work is done, the exit code must not say success.
process.exitCode = exitCodes.refused;
process.once('exit', () => {
  if (!isDone) tell(t('results.endedEarly'));
});
let isDone = false;

try {
  process.exitCode = await runCommandLine(argumentsGiven, {
    env: process.env,
    out,
    err,
    interrupted,
    underWay,
  });
} catch (error) {
  // Name and place only: a library's message may quote a request.
  const at = error instanceof Error ? (error.stack ?? '').split('\n').find((line) => /^\s+at /.test(line)) : '';
  tell(t('results.unexpected', { what: `${error instanceof Error ? error.name : typeof error}${at ?? ''}` }));
}
await Promise.all([out.drained(), err.drained()]);
// A pipe reports its error in a later turn of the event loop.
await new Promise((done) => setImmediate(done));
if (isOutputLost && process.exitCode === exitCodes.fine) process.exitCode = exitCodes.outputLost;
isDone = true;
// A handle that a library keeps open must not keep the shell waiting.
setTimeout(() => process.exit(), 1000).unref();
