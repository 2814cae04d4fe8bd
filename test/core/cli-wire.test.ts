import { mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCommandLine, type CommandLine } from '../harness/command-line.ts';
import { plainPdf } from '../harness/pdf.ts';
import { type RecordingService, recordingService } from '../harness/recording-service.ts';

const id = '6f9619ff-8b86-d011-b42d-00cf4fc964ff';
const key = 'KEY-7c9a';
const sig = 'SIG-55e1';
const word = 'open sesame';
const credentials = [
  ['apiKey', key],
  ['apiSig', sig],
];
const base64 = (bytes: Buffer) => bytes.toString('base64');

describe('sealdesk: every option is sent in its element', () => {
  let cli: CommandLine;
  let service: RecordingService;
  const pdf = plainPdf('wire');
  const image = Buffer.from('89504e470d0a1a0a', 'hex');
  beforeAll(async () => {
    cli = await buildCommandLine();
    service = await recordingService((operation) =>
      operation === 'GetESignList'
        ? { xml: '' }
        : operation === 'GetDocumentDetails'
          ? { xml: '<Errors>0</Errors>' }
          : { result: id },
    );
    writeFileSync(join(cli.home, 'a b.pdf'), pdf);
    writeFileSync(join(cli.home, 'image.png'), image);
    writeFileSync(join(cli.home, 'data.xml'), '<fields>ü &amp; more</fields>');
  });
  afterAll(async () => {
    await service.close();
    cli.remove();
  });

  /** The request that a command line sends. */
  async function sent(...args: string[]) {
    const before = service.requests.length;
    const env = { SEALDESK_API_KEY: key, SEALDESK_API_SIG: sig, WORD: word };
    const ran = await cli.runHere([...args, '--json', ...service.connection], env);
    expect(ran.out + ran.err).not.toMatch(new RegExp(`${key}|${sig}|${word}`));
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(service.requests).toHaveLength(before + 1);
    return { ...ran, request: service.requests[before] };
  }

  it('sends no elements for version and schedule', async () => {
    expect((await sent('version')).request).toEqual({ path: '/api.asmx', operation: 'GetVersion', children: [] });
    expect((await sent('schedule')).request).toEqual({ path: '/api.asmx', operation: 'GetSchedule', children: [] });
  });

  it('sends token', async () => {
    const { request, lines } = await sent('token');
    expect(request).toEqual({ path: '/api.asmx', operation: 'GetAuthToken', children: credentials });
    expect(lines).toEqual([{ operation: 'GetAuthToken', ok: true, raw: id }]);
  });

  it('sends register', async () => {
    const { request, lines } = await sent(
      ...[
        'register',
        'a b.pdf',
        '--name',
        '{name} <1> & "2"',
        '--description',
        'D',
        '--client-id',
        '4711',
        '--credit',
        '3',
      ],
    );
    expect(request).toEqual({
      path: '/api.asmx',
      operation: 'AddNewDocument',
      children: [
        ...credentials,
        ['Document', base64(pdf)],
        ['creditType', '3'],
        ['DocumentName', 'a b <1> & "2"'],
        ['Description', 'D'],
        ['ClientID', '4711'],
      ],
    });
    expect(lines).toEqual([
      {
        operation: 'AddNewDocument',
        ok: true,
        raw: id,
        documentId: id,
        answer: { group: 'document-id', meaning: expect.any(String) },
        file: 'a b.pdf',
      },
    ]);
  });

  it('omits elements of options that were not given to register, and uses the first credit type', async () => {
    writeFileSync(join(cli.home, 'c d.pdf'), plainPdf('another'));
    const { request } = await sent('register', 'c d.pdf');
    expect(request?.children.slice(3)).toEqual([
      ['creditType', '1'],
      ['DocumentName', 'c d'],
    ]);
  });

  it('sends request-signatures', async () => {
    const { request } = await sent(
      ...['request-signatures', 'a b.pdf', '--name', 'N', '--description', 'D', '--client-id', 'C', '--credit', '2'],
      // Others than are asked for the same bytes below, which would be the same request.
      ...['--email', 'eve@example.com', '--email', 'flo@example.com', '--owner-signs', '--owner-first'],
      ...['--secret-word-env', 'WORD'],
    );
    expect(request).toEqual({
      path: '/api.asmx',
      operation: 'AddNewDocumentESign',
      children: [
        ...credentials,
        ['Document', base64(pdf)],
        ['creditType', '2'],
        ['DocumentName', 'N'],
        ['Description', 'D'],
        ['ClientID', 'C'],
        ['Emails', 'eve@example.com;flo@example.com'],
        ['ReqOwnerESign', 'true'],
        ['OwnerESignFirst', 'true'],
        ['SecretWord', word],
      ],
    });
  });

  const easySignArgs = [
    ...[
      '--name',
      'N',
      '--description',
      'D',
      '--client-id',
      'C',
      '--email',
      'ann@example.com',
      '--email',
      'bo@example.com',
    ],
    ...['--signer-name', 'Ann Lee', '--signer-name', 'Bo', '--cc', 'cy@example.com', '--cc', 'di@example.com'],
    ...['--owner-signs', '--xml-data', 'data.xml', '--unique-id', 'U', '--allow-element-add', '--image', 'image.png'],
    ...['--enforce-click', '--message', 'M', '--subject', 'S', '--id-verify'],
  ];
  const easySignFirst = [
    ['DocumentName', 'N'],
    ['Description', 'D'],
    ['ClientID', 'C'],
    ['Emails', 'ann@example.com;bo@example.com'],
    ['Names', 'Ann Lee;Bo'],
    ['ReqOwnerESign', 'true'],
    ['XMLData', '<fields>ü &amp; more</fields>'],
  ];
  const easySignLast = [
    ['UniqueID', 'U'],
    ['AllowSignerElementAdd', 'true'],
    ['AdditionalImage', base64(image)],
    ['EnforceSigClick', 'true'],
    ['MessageToSigners', 'M'],
    ['CustomSubject', 'S'],
    ['IDVerify', 'true'],
    ['CCEmails', 'cy@example.com;di@example.com'],
  ];

  it('sends easy-sign', async () => {
    const { request } = await sent('easy-sign', 'a b.pdf', ...easySignArgs, '--elements-from', 'E');
    expect(request).toEqual({
      path: '/easy.asmx',
      operation: 'AddNewEasySignDocument',
      children: [
        ...credentials,
        ['Document', base64(pdf)],
        ...easySignFirst,
        ['ElementsFromTemplateID', 'E'],
        ...easySignLast,
      ],
    });
  });

  it('sends easy-sign-template', async () => {
    const { request } = await sent('easy-sign-template', 'T-1', ...easySignArgs);
    expect(request).toEqual({
      path: '/easy.asmx',
      operation: 'AddNewEasySignTemplate',
      children: [...credentials, ['TemplateID', 'T-1'], ...easySignFirst, ...easySignLast],
    });
  });

  it('copies no picture of more than 256 MB, and sends nothing', async () => {
    writeFileSync(join(cli.home, 'large.png'), image);
    truncateSync(join(cli.home, 'large.png'), 256 * 1024 * 1024 + 1);
    const env = { SEALDESK_API_KEY: key, SEALDESK_API_SIG: sig };
    for (const [command = '', what = ''] of [
      ['easy-sign', 'a b.pdf'],
      ['easy-sign-template', 'T-1'],
    ]) {
      const before = service.requests.length;
      const words = [command, what, '--email', 'ann@example.com', '--image', 'large.png', '--json'];
      const ran = await cli.runHere([...words, ...service.connection], env);
      expect(ran, ran.out + ran.err).toMatchObject({ code: 2, lines: [{ ok: false, failure: { code: 'bad-input' } }] });
      expect(ran.out).toContain('256 MB');
      expect(service.requests).toHaveLength(before);
    }
    const kept = readdirSync(cli.home, { recursive: true, encoding: 'utf8' });
    expect(kept.filter((name) => name.endsWith('.image'))).toEqual([]);
  });

  it('sends false for --no-…', async () => {
    const negated = ['--no-id-verify', '--no-enforce-click', '--no-allow-element-add'];
    const { request } = await sent('easy-sign-template', 'T-1', '--email', 'ann@example.com', ...negated);
    const children = new Map(request?.children);
    for (const name of ['IDVerify', 'EnforceSigClick', 'AllowSignerElementAdd'])
      expect(children.get(name)).toBe('false');
  });

  it('sends status and details', async () => {
    const children = [...credentials, ['ServiceDocumentID', id]];
    expect((await sent('status', id)).request).toEqual({ path: '/api.asmx', operation: 'GetDocumentStatus', children });
    expect((await sent('details', id)).request).toEqual({
      path: '/api.asmx',
      operation: 'GetDocumentDetails',
      children,
    });
  });

  it('sends requests', async () => {
    const { request, lines } = await sent('requests', '--list', '2', '--max', '7');
    expect(request).toEqual({
      path: '/api.asmx',
      operation: 'GetESignList',
      children: [...credentials, ['ListType', '2'], ['MaxItems', '7']],
    });
    expect(lines).toEqual([{ operation: 'GetESignList', ok: true, raw: null, entries: [] }]);
  });

  it('sends note', async () => {
    const children = [...credentials, ['QuickNoteMessage', 'Hello'], ['description', 'D']];
    const expected = { path: '/api.asmx', operation: 'AddQuickNote', children };
    expect((await sent('note', 'Hello', '--description', 'D')).request).toEqual(expected);
    expect((await sent('note', '--message', 'Hello', '--description', 'D')).request).toEqual(expected);
  });

  it('sends false for absent choices with --send-false', async () => {
    const { request } = await sent('easy-sign-template', 'T-1', '--email', 'ann@example.com', '--send-false');
    const children = new Map(request?.children);
    for (const name of ['IDVerify', 'EnforceSigClick', 'AllowSignerElementAdd', 'ReqOwnerESign'])
      expect(children.get(name)).toBe('false');
  });

  it('accepts every whole number of 32 bits for --max', async () => {
    const { request } = await sent('requests', '--list', '1', '--max=-2147483648');
    expect(request?.children.at(-1)).toEqual(['MaxItems', '-2147483648']);
  });

  it('sends the own element name of the service with --element', async () => {
    const { request } = await sent('status', id, '--element', 'ServiceDocumentID=AcmeID');
    expect(request?.children.at(-1)).toEqual(['AcmeID', id]);
  });

  it('takes all files below a folder, in order, and skips files that are no PDF', async () => {
    mkdirSync(join(cli.home, 'in/deep'), { recursive: true });
    writeFileSync(join(cli.home, 'in/1.pdf'), plainPdf('1'));
    writeFileSync(join(cli.home, 'in/deep/2.pdf'), plainPdf('2'));
    writeFileSync(join(cli.home, 'in/readme.txt'), 'no PDF');
    const before = service.requests.length;
    const env = { SEALDESK_API_KEY: key, SEALDESK_API_SIG: sig };
    const words = ['register', 'in', '--name', '{n} {folder} {name}', '--json'];
    const ran = await cli.runHere([...words, ...service.connection], env);
    expect(ran.code).toBe(0);
    expect(ran.lines.map(({ file }) => file).sort()).toEqual(['in/1.pdf', 'in/deep/2.pdf']);
    expect(ran.err).toContain('in/readme.txt: passed over');
    const names = service.requests.slice(before).map(({ children }) => new Map(children).get('DocumentName'));
    expect(names.sort()).toEqual(['1 in 1', '2 in/deep 2']);
  });
});
