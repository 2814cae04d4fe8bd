import { openOutput } from '../../hosts/cli/output/output.ts';

/** The command line with little patience (milliseconds), for tests on a full disk. Arguments: those of the command line. */
const storagePatienceMs = 300;

// The build defines it.
Object.assign(globalThis, { __VERSION__: '0.0.0-test' });
const { runCommandLine } = await import('../../hosts/cli/main.ts');
const lost = () => {
  throw new Error('the output is lost');
};
process.exitCode = await runCommandLine(process.argv.slice(2), {
  env: process.env,
  out: openOutput(process.stdout, lost),
  err: openOutput(process.stderr, lost),
  interrupted: new AbortController().signal,
  underWay: new Set(),
  storagePatienceMs,
});
setTimeout(() => process.exit(), 1_000).unref();
