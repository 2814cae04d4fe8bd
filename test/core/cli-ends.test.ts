import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildCommandLine, type CommandLine } from '../harness/command-line.ts';
import { freePort } from '../harness/free-port.ts';
import { plainPdf } from '../harness/pdf.ts';
import { type Behaviour, type RecordingService, recordingService } from '../harness/recording-service.ts';
import { sampled } from '../harness/test-length.ts';

const key = 'KEY-91d7-hush';
const sig = 'SIG-0b3e-hush';
const env = { SEALDESK_API_KEY: key, SEALDESK_API_SIG: sig };

describe('sealdesk: results and exit codes', () => {
  let cli: CommandLine;
  let service: RecordingService | undefined;
  beforeAll(async () => {
    cli = await buildCommandLine();
    writeFileSync(join(cli.home, 'a.pdf'), plainPdf('a'));
    writeFileSync(join(cli.home, 'b.pdf'), plainPdf('b'));
  });
  afterEach(() => service?.close());
  afterAll(() => cli.remove());

  async function against(behaviour: Behaviour | ((operation: string) => Behaviour)) {
    service = await recordingService(typeof behaviour === 'function' ? behaviour : () => behaviour);
    return service;
  }

  function writeFiles(folder: string, count: number): void {
    mkdirSync(join(cli.home, folder), { recursive: true });
    for (let n = 0; n < count; n += 1) writeFileSync(join(cli.home, folder, `${n}.pdf`), plainPdf(`${folder} ${n}`));
  }

  it.each(
    sampled<[string, Behaviour, string[], number, string]>(
      [
        ['a refusal', { result: '-121' }, ['register', 'a.pdf'], 1, 'credentials-rejected'],
        ['a business error', { result: '-140' }, ['register', 'a.pdf'], 1, 'service-refused'],
        ['a refusal to look at a file', { result: '-121' }, ['verify', 'a.pdf'], 1, 'credentials-rejected'],
        ['a refusal to list', { result: '-122' }, ['requests'], 1, 'credentials-rejected'],
        ['words where a list was expected', { result: 'Not Found' }, ['requests'], 4, 'reply-unreadable'],
        [
          'words where a document was expected',
          { result: 'Not Found' },
          ['download', 'x', '-o', 'o.pdf'],
          4,
          'reply-unreadable',
        ],
        ['a code in the details', { xml: '<Errors>-124</Errors>' }, ['details', 'x'], 1, 'service-refused'],
        ['no details', { xml: '' }, ['details', 'x'], 1, 'service-refused'],
        ['no number of errors', { xml: '<Errors>nope</Errors>' }, ['details', 'x'], 4, 'reply-unreadable'],
        ['details without errors', { xml: '<DocumentName>a</DocumentName>' }, ['details', 'x'], 4, 'reply-unreadable'],
        ['an empty status', { result: '' }, ['status', 'x'], 4, 'reply-unreadable'],
        ['an invisible status', { result: '\u200b' }, ['status', 'x'], 4, 'reply-unreadable'],
        ['an invisible answer to a note', { result: '\u200b' }, ['note', 'x'], 3, 'outcome-unknown'],
        ['a word of another language for an error', { result: 'Fehler' }, ['register', 'a.pdf'], 3, 'outcome-unknown'],
        ['a lost answer to an add', 'hang-up', ['register', 'a.pdf'], 3, 'outcome-unknown'],
        ['a page instead of an answer to an add', { page: '<html>portal</html>' }, ['note', 'x'], 3, 'outcome-unknown'],
        ['a page instead of an answer', { page: '<html>portal</html>' }, ['version'], 4, 'reply-unreadable'],
      ],
      { short: 5, ci: 2 },
    ),
  )('%s', async (what, behaviour, args, code, failure) => {
    const { connection } = await against(behaviour);
    const ran = await cli.runHere([...args, '--json', ...connection], env);
    expect(ran, ran.err).toMatchObject({ code });
    expect(ran.lines).toEqual([
      expect.objectContaining({ ok: false, failure: expect.objectContaining({ code: failure }) }),
    ]);
    // One for each exit code as a program.
    const isStarted = ['a refusal', 'a lost answer to an add', 'a page instead of an answer'].includes(what);
    const words = [...args, ...connection];
    const human = isStarted ? await cli.run(words, { env }) : await cli.runHere(words, env);
    expect(human.code).toBe(code);
    expect(human.out.length).toBeGreaterThan(10);
    expect(ran.out + ran.err + human.out + human.err).not.toMatch(/hush/);
  });

  it.each(sampled([['register', 'a.pdf'], ['version'], ['verify', 'a.pdf']], { short: 2, ci: 1 }))(
    'reports a service that is not reachable: %s',
    async (...args) => {
      const port = await freePort();
      const address = ['--url', `http://127.0.0.1:${port}`, '--namespace', 'urn:x/', '--main-path', '/a.asmx'];
      const ran = await cli.runHere([...args, '--json', ...address], env);
      expect(ran, ran.err).toMatchObject({ code: 4 });
      expect(ran.lines).toEqual([
        expect.objectContaining({ ok: false, failure: expect.objectContaining({ code: 'service-unreachable' }) }),
      ]);
    },
  );

  it('does not take unknown words for a confirmation', async () => {
    const { connection } = await against({ result: 'Perhaps.' });
    const ran = await cli.runHere(['verify', 'a.pdf', '--json', ...connection], env);
    expect(ran.code).toBe(1);
    expect(ran.lines).toEqual([expect.objectContaining({ ok: false, raw: 'Perhaps.' })]);
    expect(ran.lines[0]?.answer).toMatchObject({ group: 'unclear' });
  });

  it('leaves an add in doubt after Ctrl-C, and does not send waiting jobs', async () => {
    const { connection, requests, came } = await against('silence');
    writeFiles('many', 6);
    const ran = await cli.run(['register', 'many', '--json', ...connection], {
      env,
      meanwhile: (child) => void came(2).then(() => child.kill('SIGINT')),
    });
    expect(ran, ran.err).toMatchObject({ code: 3 });
    const codes = ran.lines.map(({ failure }) => (failure as { code: string }).code).sort();
    expect(codes).toEqual(['cancelled', 'cancelled', 'cancelled', 'cancelled', 'outcome-unknown', 'outcome-unknown']);
    expect(requests).toHaveLength(2);
  });

  it('waits with --wait-before, sends then, and takes back on Ctrl-C', async () => {
    const { connection, requests } = await against({ result: '6f9619ff-8b86-d011-b42d-00cf4fc964ff' });
    const began = performance.now();
    const sent = await cli.runHere(['register', 'a.pdf', '--json', '--wait-before', '1', ...connection], env);
    expect(sent, sent.err).toMatchObject({ code: 0 });
    expect(performance.now() - began).toBeGreaterThan(1_000);
    expect(requests).toHaveLength(1);
    const taken = await cli.run(['register', 'a.pdf', 'b.pdf', '--json', '--wait-before', '60', ...connection], {
      env,
      meanwhile: (child) => child.stderr?.once('data', () => child.kill('SIGINT')),
    });
    expect(taken, taken.err).toMatchObject({ code: 130 });
    expect(taken.lines.map(({ failure }) => (failure as { code: string }).code)).toEqual(['cancelled', 'cancelled']);
    expect(requests).toHaveLength(1);
    const wrong = await cli.runHere(['register', 'a.pdf', '--wait-before', '61', ...connection], env);
    expect(wrong).toMatchObject({ code: 2 });
  });

  it('leaves in doubt what is sent again out of doubt with --wait-before, and taken back by Ctrl-C', async () => {
    const { connection, requests } = await against('hang-up');
    expect(await cli.runHere(['register', 'a.pdf', ...connection], env)).toMatchObject({ code: 3 });
    const inDoubt = async () => {
      const { lines } = await cli.runHere(['jobs', 'list', '--json', ...connection], env);
      const { entries } = lines[0] as { entries: readonly { jobId: string; state: string }[] };
      return entries.flatMap((entry) => (entry.state === 'in-doubt' ? entry.jobId : []));
    };
    const [jobId = ''] = await inDoubt();
    const again = ['jobs', 'send-again', jobId, '--yes-send-again', '--wait-before', '60', ...connection];
    const taken = await cli.run(again, {
      env,
      meanwhile: (child) => child.stderr?.once('data', () => child.kill('SIGINT')),
    });
    expect(taken, taken.err).toMatchObject({ code: 3 });
    expect(await inDoubt()).toEqual([jobId]);
    expect(requests).toHaveLength(1);
  });

  it('never says ok of a file whose bytes are in doubt, and how to decide that', async () => {
    let isMended = false;
    const registered = '6f9619ff-8b86-d011-b42d-00cf4fc964ff';
    const { connection, requests } = await against(() => (isMended ? { result: registered } : 'hang-up'));
    const run = (...words: string[]) => cli.runHere([...words, '--json', ...connection], env);
    const register = (...more: string[]) => run('register', 'a.pdf', ...more);
    expect(await register()).toMatchObject({ code: 3 });
    isMended = true;
    const passedOver = await register();
    expect(passedOver, passedOver.err).toMatchObject({ code: 3, lines: [{ ok: false, details: {} }] });
    const [{ details, failure } = {}] = passedOver.lines;
    const { jobId, inDoubtSince } = details as Record<string, string>;
    const { note } = failure as { note: string };
    expect(note).toContain(`in doubt since ${inDoubtSince}: the same was sent then (a.pdf)`);
    for (const action of ['look', 'accept', 'send-again']) expect(note).toContain(`jobs ${action} ${jobId}`);
    expect(requests).toHaveLength(1);
    const sent = await register('--send-duplicates');
    expect(sent, sent.err).toMatchObject({ code: 0, lines: [{ ok: true, documentId: registered }] });
    expect(sent.err).toContain('sent, though the same bytes were sent before (a.pdf, which is in doubt)');
    // One of two sendings is registered; of the other nobody knows.
    expect(await register()).toMatchObject({ code: 3, lines: [{ ok: false, details: { jobId, inDoubtSince } }] });
    const other = '7f9619ff-8b86-d011-b42d-00cf4fc964ff';
    expect(await run('jobs', 'accept', jobId ?? '', other, '--unchecked')).toMatchObject({ code: 0 });
    expect(await register()).toMatchObject({ code: 0, lines: [{ ok: true, documentId: registered }] });
    expect(requests).toHaveLength(2);
  });

  it('stops after a few lost answers, with a line for every file, until a person lets one add go ahead', async () => {
    let isMended = false;
    const { connection, requests } = await against(() =>
      isMended ? { result: '6f9619ff-8b86-d011-b42d-00cf4fc964ff' } : 'hang-up',
    );
    writeFiles('lost', 8);
    const register = () => cli.runHere(['register', 'lost', '--json', ...connection], env);
    const codesOf = (ran: Awaited<ReturnType<typeof register>>) =>
      ran.lines.map(({ failure }) => (failure as { code: string } | undefined)?.code ?? 'ok').sort();
    const first = await register();
    expect(first, first.err).toMatchObject({ code: 3 });
    expect(codesOf(first)).toEqual(
      [...Array(3).fill('outcome-unknown'), ...Array(5).fill('service-unreachable')].sort(),
    );
    expect(requests).toHaveLength(3);
    const second = await register();
    // The three in doubt are skipped, and nothing else is sent.
    expect(codesOf(second)).toEqual(codesOf(first));
    expect(requests).toHaveLength(3);
    isMended = true;
    expect((await register()).code).toBe(3);
    expect(requests).toHaveLength(3);
    const resumed = await cli.runHere(['jobs', 'resume', '--held', ...connection], env);
    expect([resumed.code, resumed.err.trim()]).toEqual([0, 'Resumed. Nothing waits to be sent.']);
    const last = await register();
    expect(codesOf(last)).toEqual([...Array(5).fill('ok'), ...Array(3).fill('outcome-unknown')]);
    expect(requests).toHaveLength(8);
  });

  it('keeps no copy of refused documents', async () => {
    const { connection } = await against({ result: '-140' });
    await cli.runHere(['register', 'a.pdf', 'b.pdf', ...connection], env);
    const spool = join(cli.home, '.config/Sealdesk/command-line/spool');
    const kept = readdirSync(spool);
    // Only jobs in doubt keep their copies.
    await cli.runHere(['register', 'a.pdf', 'b.pdf', ...connection], env);
    expect(readdirSync(spool)).toEqual(kept);
  });

  it('does not send jobs of an earlier run, whatever the command', async () => {
    let isKilled = false;
    const answers: Readonly<Record<string, string>> = {
      GetVersion: '2.0',
      AddNewDocument: '6f9619ff-8b86-d011-b42d-00cf4fc964ff',
    };
    const { connection, requests, came } = await against((operation) =>
      isKilled ? { result: answers[operation] ?? '' } : 'silence',
    );
    writeFiles('left', 4);
    await cli.run(['register', 'left', ...connection], {
      env,
      meanwhile: (child) => void came(2).then(() => child.kill('SIGKILL')),
    });
    isKilled = true;
    expect(await cli.runHere(['version', ...connection], env)).toMatchObject({ code: 0, out: '2.0\n' });
    expect(await cli.runHere(['register', 'a.pdf', ...connection], env)).toMatchObject({ code: 0 });
    const operations = requests.slice(2).map(({ operation }) => operation);
    expect(operations).toEqual(['GetVersion', 'AddNewDocument']);
  });

  it('removes, and never waits for, what a killed command had not yet completed', async () => {
    const { connection, requests, came } = await against('silence');
    writeFiles('half', 3);
    await cli.run(['register', 'half', ...connection], {
      env,
      meanwhile: (child) => void came(1).then(() => child.kill('SIGKILL')),
    });
    // The state between the first prepared job and the completion of the batch, which is too short to be hit with a signal.
    const data = join(cli.home, '.config/Sealdesk/command-line');
    const ledger = new DatabaseSync(join(data, 'sealdesk.db'));
    onTestFinished(() => void ledger.close());
    // Many, so that what removes them outlives the command's own work.
    for (let n = 0; n < 300; n += 1) writeFileSync(join(data, `sealdesk.db.v1.bak.${999_000_000 + n}.part`), '');
    const { id: batch } = ledger.prepare('SELECT id FROM batches ORDER BY seq DESC LIMIT 1').get() as { id: string };
    const inBatch = 'batch_seq = (SELECT seq FROM batches WHERE id = ?)';
    ledger.prepare(`UPDATE jobs SET state = 'prepared', departed_at = NULL WHERE ${inBatch}`).run(batch);
    ledger.prepare('UPDATE batches SET complete = 0 WHERE id = ?').run(batch);
    const sent = requests.length;
    const ran = await cli.run(['jobs', 'resume', '--batch', batch, '--json', ...connection], {
      env,
      meanwhile: (child) => void setTimeout(() => child.kill('SIGKILL'), 12_000).unref(),
    });
    expect(ran, ran.err).toMatchObject({ code: 1 });
    expect(ran.lines).toHaveLength(3);
    for (const line of ran.lines) expect(line).toMatchObject({ ok: false, failure: { code: 'not-found' } });
    expect(requests).toHaveLength(sent);
    expect(ledger.prepare(`SELECT id FROM jobs WHERE ${inBatch}`).all(batch)).toEqual([]);
    expect(readdirSync(data).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('reads a fault in several languages in the language of the program', async () => {
    const reasons = ['de', 'fr', 'en'].map((tag) => `<s:Text xml:lang="${tag}">reason in ${tag}</s:Text>`).join('');
    const fault = `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><s:Fault><s:Code><s:Value>s:Receiver</s:Value></s:Code><s:Reason>${reasons}</s:Reason></s:Fault></s:Body></s:Envelope>`;
    const server = createHttpServer((request, response) => {
      request.resume().on('end', () => response.writeHead(500, { 'Content-Type': 'application/soap+xml' }).end(fault));
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const asked = ['version', '--json', '--url', url, '--namespace', 'urn:x/', '--main-path', '/a', '--soap', '1.2'];
    expect((await cli.runHere(asked, env)).lines).toMatchObject([{ raw: 'reason in en' }]);
  });

  it('ends a read at once on Ctrl-C', async () => {
    const { connection, came } = await against('silence');
    const ran = await cli.run(['verify', 'a.pdf', ...connection], {
      env,
      meanwhile: (child) => void came(1).then(() => child.kill('SIGINT')),
    });
    expect(ran.code).toBe(130);
  });

  it('waits for a reader of its output that is late', async () => {
    const raw = 'v'.repeat(300_000);
    const { connection } = await against({ result: raw });
    const ran = await cli.run(['version', '--json', ...connection], {
      env,
      meanwhile: (child) => {
        child.stdout?.pause();
        setTimeout(() => child.stdout?.resume(), 3_000);
      },
    });
    expect([ran.code, ran.lines[0]?.raw], ran.err).toEqual([0, raw]);
  });

  it('continues when the reader of its output ends', async () => {
    const { connection, requests } = await against({ result: '6f9619ff-8b86-d011-b42d-00cf4fc964ff' });
    const ran = await cli.run(['register', 'a.pdf', 'b.pdf', '--json', ...connection], {
      env,
      meanwhile: (child) => child.stdout?.destroy(),
    });
    expect(ran).toMatchObject({ code: 6 });
    expect(ran.err).toMatch(/^sealdesk-cli: the results cannot be written any more .*\n$/);
    expect(requests).toHaveLength(2);
  });

  it.each(
    sampled<[string, string[], string[]]>(
      [
        ['as sent', [], ['D-1', 'D-3', 'D-2']],
        ['by date', ['--sort', 'date'], ['D-2', 'D-1', 'D-3']],
        ['by date, the other way round', ['--sort', 'date-desc'], ['D-1', 'D-2', 'D-3']],
        ['by person', ['--sort', 'person'], ['D-3', 'D-2', 'D-1']],
      ],
      { short: 3, ci: 2 },
    ),
  )('requests: %s', async (_what, sort, expected) => {
    const entry = (name: string, date: string, who: string) =>
      `<ESignList><DocumentName>${name}</DocumentName>${date ? `<CreatedDate>${date}</CreatedDate>` : ''}<Name>${who}</Name></ESignList>`;
    const xml = [
      entry('D-1', '2026-03-02T00:00:00', 'Cy'),
      entry('D-3', '', 'Al'),
      entry('D-2', '2026-03-01T00:00:00', 'Bo'),
    ];
    const { connection, requests } = await against({ xml: xml.join('') });
    const names = async () => {
      const ran = await cli.runHere(['requests', '--max=-2147483648', ...sort, '--json', ...connection], env);
      expect(ran, ran.err).toMatchObject({ code: 0 });
      return ((ran.lines[0]?.entries ?? []) as readonly { readonly documentName: string }[]).map(
        ({ documentName }) => documentName,
      );
    };
    expect(await names()).toEqual(expected);
    // Also where all of them are known.
    expect(await names()).toEqual(expected);
    expect(new Map(requests[0]?.children).get('MaxItems')).toBe('-2147483648');
  });

  it('requests by date puts what has no date last: a day of year 1, in whatever zone', async () => {
    const dates = [
      '0001-01-01T00:00:00+02:00',
      '2026-03-02T00:00:00',
      '0001-01-01T00:00:00-11:00',
      '2026-03-01T00:00:00',
    ];
    const xml = dates.map(
      (date, n) => `<ESignList><DocumentName>${n}</DocumentName><CreatedDate>${date}</CreatedDate></ESignList>`,
    );
    const { connection } = await against({ xml: xml.join('') });
    for (const [sort, expected] of [
      ['date', '3102'],
      ['date-desc', '1302'],
    ] as const) {
      const ran = await cli.runHere(['requests', '--sort', sort, '--json', ...connection], env);
      const entries = (ran.lines[0]?.entries ?? []) as readonly { readonly documentName: string }[];
      expect(entries.map(({ documentName }) => documentName).join('')).toBe(expected);
    }
  });

  it.each(
    sampled<[string[], number, string]>(
      [
        [['--max', '1'], 1, 'No more than 1 entries were asked for; the service may have more.\n'],
        [['--max', '3'], 3, 'No more than 3 entries were asked for; the service may have more.\n'],
        [['--max', '4'], 3, ''],
        [['--max', '0'], 3, ''],
        [[], 3, ''],
      ],
      { short: 4, ci: 2 },
    ),
  )('requests says that a list may be cut: %j', async (max, count, remark) => {
    const xml = ['A', 'B', 'C'].map((name) => `<ESignList><DocumentName>${name}</DocumentName></ESignList>`).join('');
    const { connection } = await against({ xml });
    const ran = await cli.runHere(['requests', ...max, '--json', ...connection], env);
    expect(ran).toMatchObject({ code: 0, err: remark });
    expect(ran.lines[0]?.entries).toHaveLength(count);
  });

  it('does not print control characters of a service on the terminal', async () => {
    const { connection } = await against({ result: 'Version \u009b31m\u202e1.0' });
    const ran = await cli.runHere(['version', ...connection], env);
    expect(ran.out).toBe('Version \ufffd31m\ufffd1.0\n');
    const json = await cli.runHere(['version', '--json', ...connection], env);
    expect(json.out).toContain('\\u009b');
  });

  it('keeps no credentials on disk', async () => {
    const { connection } = await against({ result: '-121' });
    await cli.runHere(['register', 'a.pdf', ...connection], env);
    const folder = join(cli.home, '.config/Sealdesk');
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.map(({ name }) => name)).toContain('sealdesk.db');
    for (const file of files) {
      expect(readFileSync(join(file.parentPath, file.name)).includes('hush'), file.name).toBe(false);
    }
  });

  it.each(['a\uFFFDb', env.SEALDESK_API_KEY])(
    'takes no token for one that is not as the service made it: %j',
    async (text) => {
      const { connection } = await against({ result: text });
      const ran = await cli.runHere(['token', '--json', ...connection], env);
      expect(ran).toMatchObject({ code: 4, lines: [{ ok: false, failure: { code: 'reply-unreadable' } }] });
      const { lines } = await cli.runHere(['doctor', '--json', ...connection], env);
      const step = lines.find((line) => (line.answer as { meaning?: string } | undefined)?.meaning === 'credentials');
      expect(step).toMatchObject({ answer: { group: 'unclear' } });
    },
  );

  it.each(sampled(['', ' ', '\u200b'], { short: 2, ci: 1 }))('does not call a token %j one', async (text) => {
    const { connection } = await against({ result: text });
    const ran = await cli.runHere(['token', '--json', ...connection], env);
    expect(ran).toMatchObject({ code: 4, lines: [{ ok: false, raw: null, failure: { code: 'reply-unreadable' } }] });
  });

  it('asks for credentials on a terminal without showing them', async () => {
    const { connection, requests } = await against({ result: 'token' });
    const shown = await onTerminal(cli, ['token', ...connection], [key, sig]);
    expect(shown.output).toContain('API key for');
    expect(shown.output).not.toContain('hush');
    expect(requests[0]?.children).toEqual([
      ['apiKey', key],
      ['apiSig', sig],
    ]);
  });
});

/** Runs in a pseudo-terminal (util-linux' script) and types the answers when asked. */
function onTerminal(cli: CommandLine, args: readonly string[], answers: readonly string[]) {
  const quoted = cli
    .words(args)
    .map((word) => `'${word}'`)
    .join(' ');
  const env = {
    ...process.env,
    HOME: cli.home,
    XDG_CONFIG_HOME: join(cli.home, '.config'),
    SEALDESK_API_KEY: '',
    SEALDESK_API_SIG: '',
  };
  const child = spawn('script', ['-qec', quoted, '/dev/null'], { env, stdio: ['pipe', 'pipe', 'pipe'] });
  const left = [...answers];
  let output = '';
  return new Promise<{ output: string }>((done, reject) => {
    child.on('error', reject);
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (/: $/.test(text)) child.stdin.write(`${left.shift()}\r`);
    });
    child.on('close', () => done({ output }));
  });
}
