import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildCommandLine, type CommandLine } from '../harness/command-line.ts';
import { assetsDir } from '../harness/core.ts';
import { plainPdf } from '../harness/pdf.ts';
import { startPractice } from '../harness/practice.ts';

/** A line has exactly these keys. */
const line = z.strictObject({
  operation: z.string(),
  ok: z.boolean(),
  raw: z.string().nullable(),
  documentId: z.string().optional(),
  answer: z.strictObject({ group: z.string(), meaning: z.string() }).optional(),
  entries: z.array(z.unknown()).optional(),
  details: z.record(z.string(), z.unknown()).optional(),
  file: z.string().optional(),
  failure: z.strictObject({ code: z.string(), note: z.string(), serviceCode: z.string().optional() }).optional(),
});

describe('sealdesk with the practice service', () => {
  let cli: CommandLine;
  beforeAll(async () => {
    cli = await buildCommandLine();
    writeFileSync(join(cli.home, 'contract.pdf'), plainPdf('contract'));
    writeFileSync(join(cli.home, 'notes.txt'), 'just text');
    writeFileSync(join(cli.home, 'empty.pdf'), '');
  });
  afterAll(() => cli.remove());

  async function asked(args: readonly string[], code = 0) {
    const ran = await cli.runHere([...args, '--json']);
    expect(ran.code, ran.out + ran.err).toBe(code);
    return ran.lines.map((object) => line.parse(object));
  }

  /** Waits for completion, because nothing can be downloaded before. */
  async function completed(documentId: string, kept: readonly string[]) {
    await expect.poll(async () => (await asked(['status', documentId, ...kept]))[0]?.raw).toBe('Completed');
  }

  it('registers, prints status and details, downloads, and verifies the downloaded file', async () => {
    const kept = ['--practice-dir', 'kept'];
    const [registered] = await asked(['register', 'contract.pdf', '--client-id', '4711', ...kept]);
    const documentId = registered?.documentId ?? '';
    expect(registered).toMatchObject({ operation: 'AddNewDocument', ok: true, raw: documentId, file: 'contract.pdf' });
    expect(documentId).toMatch(/^[0-9a-f-]{36}$/i);

    const [status] = await asked(['status', documentId, ...kept]);
    expect(status).toMatchObject({ operation: 'GetDocumentStatus', documentId });
    expect(['Processing', 'Completed']).toContain(status?.raw);

    const [details] = await asked(['details', documentId, ...kept]);
    expect(details?.details).toMatchObject({ documentName: 'contract', clientId: '4711', errors: 0 });

    const target = join(cli.home, 'copy.pdf');
    await completed(documentId, kept);
    const [download] = await asked(['download', documentId, '-o', 'copy.pdf', ...kept]);
    expect(download).toEqual({ operation: 'GetDocument', ok: true, raw: null, documentId, file: target });
    expect(readFileSync(target).subarray(0, 5).toString()).toBe('%PDF-');

    const [confirmed] = await asked(['verify', 'copy.pdf', ...kept]);
    expect(confirmed).toMatchObject({ operation: 'ValidateDocument', ok: true, file: 'copy.pdf' });
    expect(confirmed?.answer?.group).toMatch(/^confirmed/);

    const bytes = readFileSync(target);
    bytes[20] = (bytes[20] ?? 0) ^ 1;
    writeFileSync(join(cli.home, 'changed.pdf'), bytes);
    const both = await asked(['verify', 'copy.pdf', 'changed.pdf', ...kept], 1);
    expect(Object.fromEntries(both.map(({ file, ok }) => [file, ok]))).toEqual({
      'copy.pdf': true,
      'changed.pdf': false,
    });
    expect(both.find(({ ok }) => !ok)?.answer?.group).toBe('not-confirmed');

    const [note] = await asked(['verify', 'notes.txt', ...kept], 1);
    expect(note).toMatchObject({
      ok: false,
      raw: '-150',
      answer: { group: 'not-pdf' },
      failure: { serviceCode: '-150' },
    });
    const { out } = await cli.runHere(['verify', 'notes.txt', ...kept]);
    expect(out).toMatch(/^notes\.txt: not a PDF\b/);
  });

  it('replaces existing files only with --replace, also in a folder', async () => {
    const kept = ['--practice-dir', 'kept-2'];
    const [registered] = await asked(['register', 'contract.pdf', ...kept]);
    const id = registered?.documentId ?? '';
    await completed(id, kept);
    await asked(['download', id, ...kept]);
    expect(existsSync(join(cli.home, `${id}.pdf`))).toBe(true);
    const again = await cli.runHere(['download', id, ...kept]);
    expect(again).toMatchObject({ code: 2, out: '' });
    expect(again.err).toContain('exists already');
    const own = join(cli.home, 'own.pdf');
    writeFileSync(own, 'mine');
    const named = await cli.runHere(['download', id, '-o', 'own.pdf', ...kept]);
    expect(named).toMatchObject({ code: 2, out: '' });
    expect(named.err).toContain('own.pdf exists already: name another file, or replace it with --replace.');
    expect(readFileSync(own, 'utf8')).toBe('mine');
    await asked(['download', id, '-o', 'own.pdf', '--replace', ...kept]);
    expect(readFileSync(own).subarray(0, 5).toString()).toBe('%PDF-');
    mkdirSync(join(cli.home, 'into'));
    const [into] = await asked(['download', id, '-o', 'into', ...kept]);
    expect(into).toMatchObject({ file: join(cli.home, 'into', `${id}.pdf`) });
    const device = await cli.runHere(['download', id, '-o', '/dev/null', '--replace', ...kept]);
    expect(device).toMatchObject({ code: 2, out: '', err: expect.stringContaining('/dev/null is no file') });
    const nowhere = await cli.runHere(['download', id, '-o', 'none/copy.pdf', ...kept]);
    expect(nowhere).toMatchObject({ code: 2, out: '' });
    expect(nowhere.err).toContain('there is no folder');
  });

  it('prints a file with an unusual name on one line, and does not read devices', async () => {
    const name = 'a\nb.pdf: sent\u202e\u001b[2J.pdf';
    writeFileSync(join(cli.home, name), plainPdf('odd'));
    const { out, code } = await cli.run(['register', name]);
    expect(code).toBe(0);
    expect(out).toMatch(/^a\ufffdb\.pdf: sent\ufffd\ufffd\[2J\.pdf: [0-9a-f-]{36}\n$/i);
    const [line] = await asked(['register', name]);
    expect(line).toMatchObject({ ok: true, file: name });
    expect((await cli.runHere(['register', name, '--json'])).out).not.toMatch(/[\u202e\u001b]/);
    execFileSync('mkfifo', [join(cli.home, 'pipe')]);
    const template = ['easy-sign-template', 'TPL-1002', '--email', 'a@example.com', '--xml-data'];
    for (const path of ['/dev/zero', 'pipe']) {
      const { code: refused, err } = await cli.runHere([...template, path]);
      expect([refused, err]).toEqual([
        2,
        expect.stringContaining(`--xml-data: ${path} cannot be read: this is a device or a pipe`),
      ]);
      const given = await cli.runHere(['register', path]);
      expect([given.code, given.out]).toEqual([1, `${path}: this is a device or a pipe, not a file\n`]);
    }
  });

  it('leaves nothing behind without --practice-dir', async () => {
    // A place of its own: other files of this run make folders of such names meanwhile.
    const place = mkdtempSync(join(cli.home, 'temporary-'));
    const env = { TMPDIR: place, TEMP: place, TMP: place };
    expect(await cli.run(['register', 'contract.pdf'], { env })).toMatchObject({ code: 0 });
    expect(readdirSync(place).filter((name) => name.startsWith('sealdesk-'))).toEqual([]);
  });

  it('sends the usable files, and prints the reason for each of the others', async () => {
    writeFileSync(join(cli.home, 'second.pdf'), plainPdf('second'));
    const lines = await asked(['register', 'notes.txt', 'contract.pdf', 'empty.pdf', 'second.pdf'], 1);
    const ended = Object.fromEntries(lines.map(({ file, failure }) => [file, failure?.note ?? 'sent']));
    expect(ended).toEqual({
      'notes.txt': expect.stringMatching(/not a PDF: only PDF documents can be registered/),
      'empty.pdf': 'the file is empty',
      'contract.pdf': 'sent',
      'second.pdf': 'sent',
    });
  });

  it('passes over an already sent document, and sends it on request, with a remark', async () => {
    copyFileSync(join(cli.home, 'contract.pdf'), join(cli.home, 'copy-of-it.pdf'));
    const twice = await cli.run(['register', 'contract.pdf', 'copy-of-it.pdf', '--send-duplicates', '--json']);
    expect(twice.lines.map(({ ok, raw }) => [ok, typeof raw])).toEqual([
      [true, 'string'],
      [true, 'string'],
    ]);
    expect(twice.err).toMatch(/the same (bytes were sent before|was in the queue as well)/);
    const lines = await asked(['register', 'contract.pdf', 'copy-of-it.pdf']);
    expect(lines.map(({ ok, failure }) => [ok, failure])).toEqual([
      [true, undefined],
      [true, undefined],
    ]);
    // The queue decides which of the two is the first.
    expect(lines.filter(({ details }) => details !== undefined)).toEqual([
      expect.objectContaining({
        ok: true,
        documentId: expect.any(String),
        details: { passedOver: true, sameAs: expect.any(String) },
      }),
    ]);
  });

  it('distinguishes files of the same name in different folders', async () => {
    for (const name of ['a', 'b']) mkdirSync(join(cli.home, name), { recursive: true });
    writeFileSync(join(cli.home, 'a/x.pdf'), 'no PDF');
    writeFileSync(join(cli.home, 'b/x.pdf'), plainPdf('b'));
    const lines = await asked(['register', 'a/x.pdf', 'b/x.pdf'], 1);
    expect(lines.map(({ file, ok }) => [file, ok])).toEqual([
      ['a/x.pdf', false],
      ['b/x.pdf', true],
    ]);
  });

  it('requests signatures and finds the request in the list', async () => {
    const kept = ['--practice-dir', 'kept-3'];
    const email = ['--email', 'ann@example.com'];
    const [plain] = await asked(['request-signatures', 'contract.pdf', '--credit', '2', ...email, ...kept]);
    expect(plain).toMatchObject({ operation: 'AddNewDocumentESign', ok: true });
    const [easy] = await asked(['easy-sign', 'contract.pdf', ...email, '--signer-name', 'Ann Lee', ...kept]);
    expect(easy).toMatchObject({ operation: 'AddNewEasySignDocument', ok: true });
    const [list] = await asked(['requests', '--list', '1', ...kept]);
    expect(list?.entries).toEqual(
      expect.arrayContaining([expect.objectContaining({ email: 'ann@example.com', documentName: 'contract' })]),
    );
    const [note] = await asked(['note', 'Called the bank', ...kept]);
    expect(note).toMatchObject({ operation: 'AddQuickNote', ok: true });
  });

  it('prints the words of a refusal, with exit code 1', async () => {
    const [refused] = await asked(['register', 'contract.pdf', '--credit', '77'], 1);
    expect(refused).toMatchObject({
      ok: false,
      raw: '-130',
      failure: { code: 'service-refused', serviceCode: '-130' },
    });
    const [unknown] = await asked(['download', '6f9619ff-8b86-d011-b42d-00cf4fc964ff', '-o', 'never.pdf'], 1);
    expect(unknown).toMatchObject({ ok: false });
    expect(existsSync(join(cli.home, 'never.pdf'))).toBe(false);
  });

  it('uses SOAP 1.2 on request', async () => {
    for (const more of [[], ['--soap-action', '--easy-sign-soap', '1.1']])
      expect(await asked(['version', '--soap', '1.2', ...more])).toEqual([
        { operation: 'GetVersion', ok: true, raw: expect.any(String) },
      ]);
  });

  it('checks the connection', async () => {
    const steps = await asked(['doctor']);
    expect(steps.map(({ answer }) => answer?.meaning)).toContain('credentials');
    expect(steps.every(({ ok }) => ok)).toBe(true);
  });

  it('checks a connection with other element names, and prints these', async () => {
    const options = { dataDir: join(cli.home, 'other'), assetsDir, elementNames: { ServiceDocumentID: 'AcmeID' } };
    const other = await startPractice(options);
    const where = ['--url', other.baseUrl, '--namespace', other.namespaceUri, '--main-path', other.mainPath];
    const env = { SEALDESK_API_KEY: other.apiKey, SEALDESK_API_SIG: other.apiSig };
    const ran = await cli.runHere(['doctor', '--json', ...where], env);
    await other.close();
    expect(ran).toMatchObject({ code: 1, err: '' });
    const status = ran.lines.find(({ answer }) => (answer as { meaning: string }).meaning === 'status');
    expect(status).toMatchObject({
      ok: false,
      answer: { group: 'failed' },
      details: { proposal: 'read-wsdl', elements: ['GetDocumentStatus.ServiceDocumentID'] },
    });
  });

  it('runs the service in the foreground until it is stopped, for another command line', async () => {
    let address: Record<string, string> = {};
    let used: Awaited<ReturnType<CommandLine['run']>> | undefined;
    const served = await cli.run(['practice', '--json', '--practice-dir', 'served'], {
      meanwhile: (child) => {
        child.stdout?.once('data', async (text: string) => {
          address = JSON.parse(text).details;
          const { baseUrl = '', namespaceUri = '', mainPath = '', apiKey = '', apiSig = '' } = address;
          const where = ['--url', baseUrl, '--namespace', namespaceUri, '--main-path', mainPath];
          const env = { SEALDESK_API_KEY: apiKey, SEALDESK_API_SIG: apiSig };
          used = await cli.run(['register', 'contract.pdf', ...where], { env });
          child.kill('SIGINT');
        });
      },
    });
    expect(served).toMatchObject({ code: 0, err: '' });
    expect(used).toMatchObject({ code: 0 });
    expect(used?.out).toMatch(/^contract\.pdf: [0-9a-f-]{36}$/im);
    expect(`${used?.out}${used?.err}`).not.toContain(address.apiKey);
  });

  it('simulates faults on request', async () => {
    let used: Awaited<ReturnType<CommandLine['run']>> | undefined;
    await cli.run(['practice', '--json', '--misbehave', 'answer', '--misbehave-value=-999'], {
      meanwhile: (child) => {
        child.stdout?.once('data', async (text: string) => {
          const { baseUrl, namespaceUri, mainPath } = JSON.parse(text).details;
          used = await cli.run([
            'version',
            '--json',
            '--url',
            baseUrl,
            '--namespace',
            namespaceUri,
            '--main-path',
            mainPath,
          ]);
          child.kill('SIGTERM');
        });
      },
    });
    expect(used?.out).toContain('-999');
  });

  it('reports a port that is in use', async () => {
    const second = await new Promise<Awaited<ReturnType<CommandLine['run']>>>((done) => {
      void cli.run(['practice', '--json'], {
        meanwhile: (child) => {
          child.stdout?.once('data', async (text: string) => {
            const { port } = new URL(JSON.parse(text).details.baseUrl);
            const ran = await cli.run(['practice', '--port', port]);
            child.kill('SIGINT');
            done(ran);
          });
        },
      });
    });
    expect(second).toMatchObject({ code: 2, out: '' });
    expect(second.err).toContain('is in use: choose another with --port');
  });
});
