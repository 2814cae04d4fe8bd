import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { CallInput } from '../../contract/index.ts';
import { longestPassedText } from '../../contract/text.ts';
import { httpAnswer, type RawPeer, startRawServer } from '../harness/raw-server.ts';
import { recordingService } from '../harness/recording-service.ts';
import { namespaceUri, replyOf } from '../harness/soap-texts.ts';
import {
  atEnd,
  connect,
  jobsOf,
  newCore,
  newFolder,
  newService,
  register,
  untilEnded,
  writePdfs,
} from './jobs-setup.ts';

/** Jobs with servers other than the practice service. */
const xml = 'text/xml; charset=utf-8';
const guid = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

async function coreWith(settings: Partial<CallInput<'connections.save'>['settings']> & { readonly baseUrl: string }) {
  const core = await newCore();
  const { id } = await core.must('connections.save', {
    settings: {
      name: 'Elsewhere',
      mainPath: '/api.asmx',
      easySignPath: '/easy.asmx',
      namespaceUri,
      proxy: { mode: 'none' },
      timeouts: { connectMs: 5_000, idleMs: 5_000, answerMs: 5_000 },
      ...settings,
    },
  });
  await core.must('connections.setCredentials', { id, apiKey: 'key-for-tests', apiSig: 'signature-for-tests' });
  return { core, id };
}

describe('a 417 answer to Expect', () => {
  it('makes a job depart twice in the ledger but send its bytes once, and end as done', async () => {
    const bodies: number[] = [];
    const server = await startRawServer(async (peer: RawPeer, index) => {
      peer.socket.on('close', () => {
        bodies[index] = peer.received().length - peer.received().indexOf('\r\n\r\n') - 4;
      });
      if (index === 0) {
        await peer.arrived(1);
        return void peer.socket.end(httpAnswer(417, 'text/html', '<p>no</p>'));
      }
      await peer.nextRequest({ discardBody: true });
      peer.socket.end(httpAnswer(200, xml, replyOf('AddNewDocument', guid)));
    });
    atEnd(server.close);
    const { core, id } = await coreWith({ baseUrl: server.url });
    const batch = await register(core, id, await writePdfs(await newFolder(), ['a.pdf'], 1_500_000));
    const [job] = await untilEnded(core, batch);
    expect(job).toMatchObject({ state: 'done', documentId: guid });
    const story = await core.must('jobs.history', { jobId: job?.id ?? '' });
    expect(story.map(({ kind }) => kind).filter((kind) => /departed|answer-began/.test(kind))).toEqual([
      'departed',
      'departed',
      'answer-began',
    ]);
    expect(bodies[0]).toBe(0);
    expect(bodies[1]).toBeGreaterThan(2_000_000);
  });
});

describe('an empty answer to an add', () => {
  it('leaves every kind of job in doubt, while a negative code refuses it', async () => {
    const service = await newService();
    const core = await newCore();
    const id = await connect(core, service, { doubtLimit: 100 });
    // Another document each time: one in doubt is held as a duplicate.
    const newFile = async () => writePdfs(await newFolder(), ['a.pdf']);
    const newToken = async () => (await core.core.acceptPath((await newFile())[0] ?? '')).token;
    const emails = ['ada@example.com'];
    const adds: readonly (() => Promise<string>)[] = [
      async () => register(core, id, await newFile()),
      async () => (await core.must('service.addQuickNote', { connectionId: id, message: 'hello' })).batchId,
      async () =>
        (
          await core.must('signatures.request', {
            connectionId: id,
            kind: 'plain',
            emails,
            fileToken: await newToken(),
            creditType: 1,
          })
        ).batchId,
      async () =>
        (
          await core.must('signatures.request', {
            connectionId: id,
            kind: 'easy-sign',
            emails,
            fileToken: await newToken(),
          })
        ).batchId,
      async () =>
        (
          await core.must('signatures.request', {
            connectionId: id,
            kind: 'easy-sign-template',
            emails,
            templateId: 'TPL-1001',
          })
        ).batchId,
    ];
    for (const text of ['', ' \n ', '\u200b']) {
      service.control.misbehave({ mischief: { kind: 'answer', text } });
      for (const start of adds) {
        expect(await untilEnded(core, await start())).toMatchObject([
          { state: 'in-doubt', documentId: null, failure: { code: 'outcome-unknown', detail: 'empty-reply' } },
        ]);
      }
    }
    service.control.misbehave({ mischief: { kind: 'answer', text: '-140' } });
    for (const start of adds) expect(await untilEnded(core, await start())).toMatchObject([{ state: 'refused' }]);
    expect((await jobsOf(core)).filter(({ state }) => state === 'done')).toEqual([]);
  });
});

describe('XMLData and UniqueID', () => {
  const odd = [
    '\r\n <a>\r</a>\n\t ',
    ' \n ',
    '<![CDATA[ x ]]>',
    '&amp; &#13; "quoted" \'single\' ]]>',
    'not <well-formed',
    '\u00a0\u2028\ufeff𝄞\u0085',
  ];
  async function recorder() {
    const service = await recordingService(() => ({ result: guid }));
    atEnd(service.close);
    const [, url = '', , namespace = ''] = service.connection;
    const { core, id } = await coreWith({ baseUrl: url, namespaceUri: namespace });
    const send = async (text: string, uniqueId = text) => {
      const { batchId } = await core.must('signatures.request', {
        connectionId: id,
        kind: 'easy-sign-template',
        emails: ['ada@example.com'],
        templateId: 'T',
        xmlData: text,
        uniqueId,
      });
      expect(await untilEnded(core, batchId, 30_000)).toMatchObject([{ state: 'done' }]);
      return Object.fromEntries(service.requests.at(-1)?.children ?? []);
    };
    return { core, id, send, service };
  }

  it('arrive unchanged', async () => {
    const { send } = await recorder();
    for (const text of odd) expect(await send(text)).toMatchObject({ XMLData: text, UniqueID: text });
  });

  it('arrive unchanged from the cells of a spreadsheet', async () => {
    const { core, id, service } = await recorder();
    const path = `${await newFolder()}/people.csv`;
    await writeFile(
      path,
      'E-mail,Unique ID,Template ID\nada@example.com," two  spaces\r\n ",T\nbo@example.com,   ,T\n',
    );
    const { token } = await core.core.acceptPath(path);
    const content = { kind: 'easy-sign-template' as const, uniqueId: ' for all ' };
    const bulk = await core.must('bulk.check', { connectionId: id, tableToken: token, content });
    expect(bulk).toMatchObject({ counts: { ready: 2 } });
    await core.must('bulk.send', { id: bulk.id, rows: 'all', perMinute: 6_000 });
    await service.came(2);
    const ids = service.requests.map(({ children }) => Object.fromEntries(children).UniqueID);
    expect(ids.sort()).toEqual([' for all ', ' two  spaces\r\n ']);
  });

  it('may be long, and are refused if they are too long', async () => {
    const { core, id, send } = await recorder();
    const long = '<entry>some text</entry>\r\n'.repeat(80_000);
    const got = await send(long, 'u'.repeat(5_000));
    expect(got.XMLData === long).toBe(true);
    expect(got.UniqueID).toHaveLength(5_000);
    const answer = await core.ask('signatures.request', {
      connectionId: id,
      kind: 'easy-sign-template',
      emails: ['ada@example.com'],
      templateId: 'T',
      xmlData: 'x'.repeat(longestPassedText + 1),
    });
    expect(answer).toMatchObject({
      ok: false,
      failure: { code: 'bad-input', fields: { xmlData: expect.any(String) } },
    });
  });
});

describe('nil entries of the list', () => {
  it('are counted and skipped by every reader', async () => {
    const service = await newService({ nilEntryEvery: 3 });
    const core = await newCore();
    const id = await connect(core, service);
    service.control.fillESignList(2_000);
    const input = { connectionId: id, listType: 1 };
    expect(await core.must('signatures.refresh', { ...input, maxItems: -2147483648 })).toMatchObject({
      total: 2_000,
      nilEntries: 666,
    });
    expect(service.control.seen().at(-1)?.children.MaxItems).toBe('-2147483648');
    const { entries, total } = await core.must('tracking.entries', { ...input, offset: 1_600, limit: 500 });
    expect({ total, listed: entries.length, named: entries.filter(({ email }) => email !== null).length }).toEqual({
      total: 2_000,
      listed: 400,
      named: 400,
    });
  });
});
