import { resolve } from 'node:path';
import { startPractice } from '../../../practice/practice-service.ts';
import type { PlainCommand, Run } from '../command.ts';
import { temporaryFolder, usableFolder } from '../data-folder.ts';
import { exitCodes } from '../exit-code.ts';
import { misbehaviourOf, misbehaviourOptions } from '../misbehaviour.ts';
import { option, repeatable } from '../options.ts';
import { UsageError } from '../usage-error.ts';
import { listOf, numberOf, textOf } from '../values.ts';

const assetsDir = resolve(import.meta.dirname, '../../assets');

export const practiceCommand: PlainCommand = {
  kind: 'plain',
  name: 'practice',
  summary: 'Runs the practice service in the foreground until Ctrl-C, for trying out this or any other client.',
  arguments: [],
  options: [
    option('--port <N>', 'port on 127.0.0.1 (any free one)'),
    option('--practice-dir <DIR>', 'keeps its data in this folder'),
    option('--processing-ms <N>', 'how long a document stays in Processing (1500)'),
    repeatable('--element <NAME=OWN>', 'calls an element of the interface otherwise'),
    ...misbehaviourOptions,
  ],
  remarks: ['Its credentials are made at each start, work nowhere else, and are therefore printed.'],
  examples: [
    ['--port 8090 --practice-dir ./practice-data', 'the same address and data every time'],
    [
      '--misbehave drop-after --misbehave-operation AddNewDocument --misbehave-times 1',
      'loses the answer to one document',
    ],
  ],
  run: async (run) => {
    const asked = textOf(run.values, 'practice-dir');
    const folder =
      asked === undefined
        ? temporaryFolder()
        : { path: usableFolder(resolve(asked), '--practice-dir'), remove: () => undefined };
    try {
      const service = await started(run, folder.path);
      announce(run, service);
      await untilAborted(run.interrupted);
      await service.close();
      return exitCodes.fine;
    } finally {
      folder.remove();
    }
  },
};

async function started({ values }: Run, dataDir: string) {
  const port = numberOf(values, 'port') ?? 0;
  if (port < 0 || port > 65535) throw new UsageError('--port takes a number from 0 to 65535.');
  const elements = listOf(values, 'element').map((pair) => pair.split('=', 2) as [string, string]);
  const elementNames = elements.length > 0 ? Object.fromEntries(elements) : undefined;
  const misbehave = misbehaviourOf(values);
  const processingMs = numberOf(values, 'processing-ms');
  try {
    return await startPractice({ dataDir, assetsDir, port, processingMs, elementNames, misbehave });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'EADDRINUSE')
      throw new UsageError(`Port ${port} is in use: choose another with --port, or leave it out.`);
    if (code === 'EACCES') throw new UsageError(`Port ${port} or ${dataDir} may not be used: choose another.`);
    throw error;
  }
}

function announce({ printer }: Run, service: Awaited<ReturnType<typeof startPractice>>): void {
  const { baseUrl, namespaceUri, mainPath, easySignPath, apiKey, apiSig } = service;
  const [setKey, setSig] =
    process.platform === 'win32'
      ? [`$env:SEALDESK_API_KEY = '${apiKey}'; `, `$env:SEALDESK_API_SIG = '${apiSig}'; `]
      : [`SEALDESK_API_KEY=${apiKey} `, `SEALDESK_API_SIG=${apiSig} `];
  const where = `--url ${baseUrl} --namespace ${namespaceUri} --main-path ${mainPath} --easy-sign-path ${easySignPath}`;
  const details = { baseUrl, namespaceUri, mainPath, easySignPath, apiKey, apiSig };
  printer.result(
    { operation: 'practice', ok: true, raw: null, details },
    `The practice service listens until Ctrl-C. Nothing leaves this computer.

Address         ${baseUrl}
Namespace       ${namespaceUri}
Main path       ${mainPath}
Easy Sign path  ${easySignPath}
API key         ${apiKey}
API signature   ${apiSig}
WSDL            ${baseUrl}${mainPath}?wsdl

Try it in another terminal:
${setKey}${setSig}sealdesk register contract.pdf ${where}
`,
  );
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener('abort', () => done(), { once: true });
    // An abort signal alone does not keep the process alive; the listening service does.
  });
}
