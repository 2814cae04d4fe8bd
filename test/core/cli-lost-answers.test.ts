import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCommandLine, type CommandLine } from '../harness/command-line.ts';
import { plainPdf } from '../harness/pdf.ts';
import { type Behaviour, type RecordingService, recordingService } from '../harness/recording-service.ts';

const env = { SEALDESK_API_KEY: 'KEY-91d7', SEALDESK_API_SIG: 'SIG-0b3e' };
const documentId = '6f9619ff-8b86-d011-b42d-00cf4fc964ff';
const details = (name: string, date: string): Behaviour => ({
  xml: `<DocumentName>${name}</DocumentName><CreatedDate>${date}</CreatedDate><Errors>0</Errors>`,
});
const soon = () => new Date(Date.now() + 500).toISOString();

describe('jobs accept settles a lost answer', () => {
  let cli: CommandLine;
  let service: RecordingService;
  let answer: () => Behaviour = () => 'hang-up';
  let jobId = '';
  const run = (...words: string[]) => cli.run([...words, '--json', ...service.connection], { env });
  const accept = (...more: string[]) => run('jobs', 'accept', jobId, documentId, ...more);
  const job = async (...words: string[]) =>
    ((await run('jobs', 'list', ...words)).lines[0] as { entries: { jobId: string }[] }).entries[0];

  beforeAll(async () => {
    cli = await buildCommandLine();
    service = await recordingService((operation) => (operation.startsWith('Add') ? 'hang-up' : answer()));
    writeFileSync(join(cli.home, 'lease.pdf'), plainPdf('lease'));
    expect(await run('register', 'lease.pdf')).toMatchObject({ code: 3 });
    jobId = (await job())?.jobId ?? '';
  });
  afterAll(async () => {
    await service.close();
    cli.remove();
  });

  it.each<[string, number, string, () => Behaviour]>([
    ['has another name', 2, 'document-name', () => details('Foreign', soon())],
    ['was made before the attempt', 2, 'time', () => details('lease', '2020-01-01T00:00:00Z')],
    ['says nothing that speaks for it', 2, 'speaks for', () => ({ xml: '<Errors>0</Errors>' })],
    ['is not known', 2, 'does not know', () => ({ result: '-124' })],
    ['has an ID that is not valid', 2, 'does not know', () => ({ xml: '<Errors>-151</Errors>' })],
    ['cannot be asked about', 4, '', () => ({ page: '<html>Maintenance</html>' })],
  ])('not with a document that %s', async (_what, code, note, says) => {
    answer = says;
    const refused = await accept();
    expect(refused, refused.out + refused.err).toMatchObject({ code, lines: [{ ok: false }] });
    expect(refused.out).toContain(note);
  });

  it('with a document whose name and time are its own', async () => {
    expect(await job(jobId)).toMatchObject({ state: 'in-doubt' });
    answer = () => details('lease', soon());
    expect(await accept()).toMatchObject({ code: 0, lines: [{ ok: true, documentId }] });
    expect(await job(jobId)).toMatchObject({ state: 'done', documentId });
  });

  it('without an ID only where a look found that the service knows the file, and with it later', async () => {
    writeFileSync(join(cli.home, 'deed.pdf'), plainPdf('deed'));
    expect(await run('register', 'deed.pdf')).toMatchObject({ code: 3 });
    const id = (await job())?.jobId ?? '';
    expect(await run('jobs', 'accept', id)).toMatchObject({ code: 2, lines: [{ ok: false }] });
    expect(await run('jobs', 'accept', id, '--unchecked')).toMatchObject({ code: 2 });
    answer = () => ({ result: 'Valid' });
    expect(await run('jobs', 'look', id)).toMatchObject({ code: 0, lines: [{ ok: true, entries: [] }] });
    expect(await run('jobs', 'accept', id)).toMatchObject({ code: 0, lines: [{ ok: true, details: { jobId: id } }] });
    expect(await job(id)).toMatchObject({ state: 'done', documentId: null });
    const other = '7a9619ff-8b86-d011-b42d-00cf4fc964ff';
    expect(await run('jobs', 'accept', id, other, '--unchecked')).toMatchObject({ code: 0 });
    expect(await job(id)).toMatchObject({ state: 'done', documentId: other });
  });

  it('a note by a person’s word, as nothing can be asked about it', async () => {
    expect(await run('note', 'Call back')).toMatchObject({ code: 3 });
    const id = (await job())?.jobId ?? '';
    expect(await run('jobs', 'accept', id)).toMatchObject({ code: 0, lines: [{ ok: true, details: { jobId: id } }] });
    expect(await job(id)).toMatchObject({ state: 'done', documentId: null, isByWord: true });
  });
});
