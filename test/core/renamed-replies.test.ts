import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCommandLine, type CommandLine } from '../harness/command-line.ts';
import { connect, newCore, newFolder, register, untilEnded, writePdfs } from './jobs-setup.ts';
import { type Rewrite, rewritten } from './rewriting-service.ts';

/** Another name for the result of an operation. */
const renamed =
  (operation: string, name: string): Rewrite =>
  (reply) =>
    reply.replaceAll(`${operation}Result>`, `${name}>`).replaceAll(`${operation}Result `, `${name} `);

async function ready() {
  const { service, control, rewriteBy } = await rewritten();
  const core = await newCore();
  const connectionId = await connect(core, service, { doubtLimit: 100 });
  const newFile = async () => writePdfs(await newFolder(), ['a.pdf']);
  const request = async () => {
    const { token } = await core.core.acceptPath((await newFile())[0] ?? '');
    const { batchId } = await core.must('signatures.request', {
      kind: 'plain',
      connectionId,
      fileToken: token,
      creditType: 1,
      emails: ['ann@example.com'],
      documentName: 'Lease 7',
    });
    return untilEnded(core, batchId);
  };
  const registered = async () => untilEnded(core, await register(core, connectionId, await newFile()));
  const notices = async () => (await core.must('app.info', {})).notices.map(({ kind, fileName }) => [kind, fileName]);
  return { core, connectionId, control, rewriteBy, request, registered, notices };
}

describe.each(['GetESignListReturn', 'return'])('a service whose list is called %s', (name) => {
  it('keeps what is tracked, finds a request in doubt, and says so once', async () => {
    const { core, connectionId, control, rewriteBy, request, notices } = await ready();
    for (let times = 0; times < 3; times++) await request();
    await core.must('signatures.refresh', { connectionId, listType: 1 });
    const total = async () =>
      (await core.must('tracking.entries', { connectionId, listType: 1, offset: 0, limit: 10 })).total;
    expect(await total()).toBe(3);
    control.misbehave({ mischief: { kind: 'drop-after' }, times: 1 });
    const [lost] = await request();
    expect(lost?.state).toBe('in-doubt');
    control.misbehave(null);
    rewriteBy(renamed('GetESignList', name));
    const { verdict, candidates } = await core.must('jobs.reconcile', { jobId: lost?.id ?? '' });
    expect(['found', 'ambiguous']).toContain(verdict);
    expect(candidates.length).toBeGreaterThan(0);
    await core.must('signatures.refresh', { connectionId, listType: 1 });
    expect(await total()).toBe(4);
    expect(await notices()).toEqual([['reply-renamed', `Service – GetESignList – ${name}`]]);
  });
});

it('a look for a request in doubt does not say "not found" if the lists cannot be read as lists', async () => {
  const { core, control, rewriteBy, request } = await ready();
  control.misbehave({ mischief: { kind: 'drop-after' }, times: 1 });
  const [lost] = await request();
  control.misbehave(null);
  const ways: Rewrite[] = [
    (reply) =>
      reply.replace(/<GetESignListResult/, '<Status>0</Status><Listing').replaceAll('GetESignListResult', 'Listing'),
    (reply) => reply.replaceAll('<ESignList>', '<Page><ESignList>').replaceAll('</ESignList>', '</ESignList></Page>'),
    (reply) => reply.replaceAll('ServiceDocumentID>', 'DocId>'),
    (reply) =>
      reply.replaceAll(
        /<(\/?)(DocumentName|CreatedDate|OrigServiceDocumentID|ServiceDocumentID|Email|Name|SecretWord)>/g,
        '<$1x$2>',
      ),
  ];
  const verdicts: string[] = [];
  for (const way of ways) {
    rewriteBy(way);
    verdicts.push((await core.must('jobs.reconcile', { jobId: lost?.id ?? '' })).verdict);
  }
  expect(verdicts).not.toContain('not-found');
});

describe('an add whose answer has another name', () => {
  it('is done with an ID', async () => {
    const { rewriteBy, registered, notices } = await ready();
    rewriteBy(renamed('AddNewDocument', 'return'));
    expect(await registered()).toMatchObject([
      { state: 'done', documentId: expect.stringMatching(/^[0-9a-f-]{36}$/i) },
    ]);
    expect(await notices()).toEqual([['reply-renamed', 'Service – AddNewDocument – return']]);
  });
  it.each(['0', 'OK', '-143', '-121', 'true'])('is in doubt with %s, which may be anything', async (text) => {
    const { rewriteBy, registered } = await ready();
    rewriteBy((reply) => reply.replace(/<AddNewDocumentResult>.*<\/AddNewDocumentResult>/, `<Status>${text}</Status>`));
    expect(await registered()).toMatchObject([
      {
        state: 'in-doubt',
        raw: text,
        documentId: null,
        failure: { code: 'outcome-unknown', detail: 'unclear-answer' },
      },
    ]);
  });
});

describe('the command line', () => {
  let cli: CommandLine;
  beforeAll(async () => {
    cli = await buildCommandLine();
  });
  afterAll(() => cli.remove());

  it('prints the list under another name, and says so; what is no list is a failure', async () => {
    const { service, rewriteBy } = await rewritten();
    const { baseUrl, namespaceUri, mainPath, easySignPath, apiKey, apiSig } = service;
    const core = await newCore();
    const connectionId = await connect(core, service);
    const [path = ''] = await writePdfs(await newFolder(), ['a.pdf']);
    const { token } = await core.core.acceptPath(path);
    const wish = { kind: 'plain' as const, connectionId, fileToken: token, creditType: 1, emails: ['ann@example.com'] };
    await untilEnded(core, (await core.must('signatures.request', { ...wish, documentName: 'Lease 7' })).batchId);
    const run = () =>
      cli.run(
        [
          ...['requests', '--list', '1', '--url', baseUrl, '--namespace', namespaceUri],
          ...['--main-path', mainPath, '--easy-sign-path', easySignPath],
        ],
        { env: { SEALDESK_API_KEY: apiKey, SEALDESK_API_SIG: apiSig } },
      );
    rewriteBy(renamed('GetESignList', 'return'));
    const ran = await run();
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('Lease 7') });
    expect(ran.err).toContain('GetESignList – return');
    rewriteBy((reply) => renamed('GetESignList', 'return')(reply).replace('<return', '<a>0</a><return'));
    const odd = await run();
    expect(odd.code).toBe(4);
    expect(odd.out).not.toContain('empty');
  });
});
