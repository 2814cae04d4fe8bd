import { resolve } from 'node:path';
import { type OperationName, operationNames } from '../../../contract/operation.ts';
import type { FaultInjector, FaultRule } from '../../../practice/misbehave.ts';
import type { RunningPractice } from '../../../practice/practice-service.ts';
import { type NamedOption, option, repeatable } from '../arguments/options.ts';
import { isSet, listOf, numberOf, textOf, type Values } from '../arguments/values.ts';
import type { PlainCommand, Run } from '../command.ts';
import { assetsDir, temporaryFolder, usableFolder } from '../data-folder.ts';
import { exitCodes, UsageError } from '../output/exit-code.ts';
import { inColumn } from '../output/printer.ts';
import { t } from '../output/texts.ts';

const kinds: readonly FaultRule['kind'][] = [
  'delay',
  'drop-before',
  'drop-after',
  'drop-in-answer',
  'fault',
  'html',
  'garbage',
  'truncated',
  'slow',
  'early',
  'answer',
];

const misbehaviourOptions: readonly NamedOption[] = [
  option('--misbehave <KIND>', kinds.join(', ')),
  option('--misbehave-operation <NAME>', t('options.misbehaveOperation')),
  option('--misbehave-every <N>', t('options.misbehaveEvery')),
  option('--misbehave-times <N>', t('options.misbehaveTimes')),
  option('--misbehave-value <VALUE>', t('options.misbehaveValue')),
  option('--misbehave-taken', t('options.misbehaveTaken')),
];

/** The fault that the options ask the practice service to simulate. Throws a UsageError. */
function misbehaviourOf(values: Values): FaultInjector | undefined {
  const kind = textOf(values, 'misbehave');
  if (kind === undefined) {
    const alone = misbehaviourOptions.map((one) => one.name()).find((name) => values[name] !== undefined);
    if (alone) throw new UsageError(t('errors.misbehaveAlone', { option: alone }));
    return undefined;
  }
  const operation = textOf(values, 'misbehave-operation');
  if (operation !== undefined && !isOperation(operation)) {
    throw new UsageError(t('errors.takesOneOf', { option: 'misbehave-operation', values: operationNames.join(', ') }));
  }
  return {
    mischief: mischiefOf(kind, values),
    operation,
    every: numberOf(values, 'misbehave-every'),
    times: numberOf(values, 'misbehave-times'),
  };
}

function mischiefOf(kind: string, values: Values): FaultRule {
  const text = textOf(values, 'misbehave-value');
  const number =
    text === undefined || kind === 'answer' || kind === 'fault' ? undefined : numberOf(values, 'misbehave-value');
  const taken = isSet(values, 'misbehave-taken') || undefined;
  switch (kind) {
    case 'delay':
      return { kind, ms: number ?? 5000 };
    case 'drop-before':
      return { kind, afterBytes: number };
    case 'drop-after':
    case 'drop-in-answer':
    case 'truncated':
    case 'slow':
      return { kind };
    case 'fault':
      return { kind, text, taken };
    case 'html':
      return { kind, status: number, taken };
    case 'garbage':
      return { kind, taken };
    case 'early':
      if (number !== undefined && number !== 302 && number !== 401 && number !== 413) {
        throw new UsageError(t('errors.misbehaveEarly'));
      }
      return { kind, status: number ?? 413 };
    case 'answer':
      return { kind, text: text ?? '-100', taken };
    default:
      throw new UsageError(t('errors.takesOneOf', { option: 'misbehave', values: kinds.join(', ') }));
  }
}

const isOperation = (name: string): name is OperationName => operationNames.some((known) => known === name);

export const practiceCommand: PlainCommand = {
  kind: 'plain',
  name: 'practice',
  summary: t('commands.practice.summary'),
  arguments: [],
  options: [
    option('--port <N>', t('options.port')),
    option('--practice-dir <DIR>', t('options.practiceData')),
    option('--processing-ms <N>', t('options.processingMs')),
    repeatable('--element <NAME=OWN>', t('options.practiceElement')),
    ...misbehaviourOptions,
  ],
  remarks: [t('commands.practice.credentials')],
  examples: [
    ['--port 8090 --practice-dir ./practice-data', t('commands.practice.same')],
    ['--misbehave drop-after --misbehave-operation AddNewDocument --misbehave-times 1', t('commands.practice.lose')],
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
  if (port < 0 || port > 65535) throw new UsageError(t('errors.port'));
  const elements = listOf(values, 'element').map((pair) => pair.split('=', 2) as [string, string]);
  const elementNames = elements.length > 0 ? Object.fromEntries(elements) : undefined;
  const misbehave = misbehaviourOf(values);
  const processingMs = numberOf(values, 'processing-ms');
  const { startPractice } = await import('../../../practice/practice-service.ts');
  try {
    return await startPractice({ dataDir, assetsDir, port, processingMs, elementNames, misbehave });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : '';
    if (code === 'EADDRINUSE') throw new UsageError(t('errors.portInUse', { port }));
    if (code === 'EACCES') throw new UsageError(t('errors.portDenied', { port, folder: dataDir }));
    throw error;
  }
}

function announce({ printer }: Run, service: RunningPractice): void {
  const { baseUrl, namespaceUri, mainPath, easySignPath, apiKey, apiSig } = service;
  const [setKey, setSig] =
    process.platform === 'win32'
      ? [`$env:SEALDESK_API_KEY = '${apiKey}'; `, `$env:SEALDESK_API_SIG = '${apiSig}'; `]
      : [`SEALDESK_API_KEY=${apiKey} `, `SEALDESK_API_SIG=${apiSig} `];
  const where = `--url ${baseUrl} --namespace ${namespaceUri} --main-path ${mainPath} --easy-sign-path ${easySignPath}`;
  const details = { baseUrl, namespaceUri, mainPath, easySignPath, apiKey, apiSig };
  const rows: readonly (readonly [string, string])[] = [
    [t('results.practice.address'), baseUrl],
    [t('results.practice.namespace'), namespaceUri],
    [t('results.practice.mainPath'), mainPath],
    [t('results.practice.easySignPath'), easySignPath],
    [t('results.practice.apiKey'), apiKey],
    [t('results.practice.apiSignature'), apiSig],
    [t('results.practice.wsdl'), `${baseUrl}${mainPath}?wsdl`],
  ];
  const labels = rows.map(([label]) => label);
  const text = `${t('results.practice.listens')}

${rows.map(([label, value]) => `${inColumn(label, labels)}  ${value}`).join('\n')}

${t('results.practice.tryIt')}
${setKey}${setSig}sealdesk-cli register contract.pdf ${where}
`;
  printer.result({ operation: 'practice', ok: true, details }, text);
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) done();
    else signal.addEventListener('abort', () => done(), { once: true });
    // An abort signal alone does not keep the process alive; the listening service does.
  });
}
