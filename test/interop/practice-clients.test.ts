import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startPractice } from '../harness/practice.ts';

const run = promisify(execFile);
const assetsDir = resolve(import.meta.dirname, '../../assets');
const sample = join(assetsDir, 'samples', 'letter-of-engagement.pdf');
const guid = /^[0-9A-Fa-f]{8}-([0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}$/;

const scripts = join(import.meta.dirname, 'clients');

interface Client {
  readonly name: string;
  readonly command: string;
  /** Arguments before SOAP version and document. */
  readonly args: readonly string[];
  /** A command that succeeds if the client is installed. */
  readonly probe: readonly string[];
  readonly package: string;
}

const clients: readonly Client[] = [
  {
    name: 'zeep (Python)',
    // Debian's packages belong to Debian's Python, which need not be the first one in the path.
    command: spawnSync('/usr/bin/python3', ['-V']).status === 0 ? '/usr/bin/python3' : 'python3',
    args: [join(scripts, 'zeep_client.py')],
    probe: ['-c', 'import zeep'],
    package: "Debian's python3-zeep",
  },
  {
    name: 'SoapClient (PHP)',
    command: 'php',
    args: [join(scripts, 'soap_client.php')],
    probe: ['-r', 'exit(class_exists("SoapClient") ? 0 : 1);'],
    package: "Debian's php-soap",
  },
  {
    name: 'gSOAP (C)',
    // Generates code from the WSDLs, compiles it with the client, and runs it: `$0` is the client's source.
    command: 'sh',
    args: [
      '-c',
      `mkdir -p "$WORK_DIR/gsoap-$1" && cd "$WORK_DIR/gsoap-$1" && {
         wsdl2h -c -o practice.h "$MAIN_ADDRESS?wsdl" "$EASY_SIGN_ADDRESS?wsdl" &&
         soapcpp2 "-\${1#1.}" -c -C -x -I/usr/share/gsoap/import practice.h &&
         cc -w -I. -o client "$0" soapC.c soapClient.c -lgsoap; } >build.log 2>&1 && ./client "$@"`,
      join(scripts, 'gsoap_client.c'),
    ],
    probe: ['-c', 'command -v wsdl2h soapcpp2 && echo "#include <stdsoap2.h>" | cc -E -x c -'],
    package: "one of Debian's gsoap, libgsoap-dev and gcc",
  },
];

let dataDir = '';
let service: Awaited<ReturnType<typeof startPractice>>;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'practice-interop-'));
  service = await startPractice({ dataDir, assetsDir, processingMs: 0, nilEntryEvery: 2 });
});
afterAll(async () => {
  await service.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** All answers that the client received, by operation. */
async function answersOf(client: Client, version: string) {
  const { stdout } = await run(client.command, [...client.args, version, sample], {
    env: {
      ...process.env,
      WORK_DIR: dataDir,
      MAIN_ADDRESS: service.baseUrl + service.mainPath,
      EASY_SIGN_ADDRESS: service.baseUrl + service.easySignPath,
      NAMESPACE_URI: service.namespaceUri,
      API_KEY: service.apiKey,
      API_SIG: service.apiSig,
    },
  });
  return JSON.parse(stdout) as Record<string, unknown> & { id: string; requestId: string; document: string };
}

for (const client of clients) {
  const installed = spawnSync(client.command, [...client.probe]).status === 0;
  const why = installed ? '' : ` (${client.package} is not installed)`;
  // In CI a client that is not there fails.
  describe.skipIf(!installed && !process.env.CI)(`an independent client: ${client.name}${why}`, () => {
    test.each(['1.1', '1.2'])('calls all operations over SOAP %s by the WSDL', async (version) => {
      const answers = await answersOf(client, version);
      expect(answers).toMatchObject({
        version: '2.0',
        schedule: expect.stringContaining('Monday to Sunday'),
        token: expect.stringMatching(/^[\w-]{32}$/),
        id: expect.stringMatching(guid),
        status: 'Completed',
        details: {
          DocumentName: 'Mietvertrag & Anlage <ü>.pdf',
          Description: 'two\nlines',
          ClientID: 'C-7',
          Pages: '1',
          Errors: 0,
        },
        validated: 'Valid',
        requestId: expect.stringMatching(guid),
        list: [
          { email: 'owner@practice.example', secret: 'heron', id: answers.requestId.toLowerCase() },
          { email: 'bo@example.com', secret: 'heron', year: new Date().getUTCFullYear() },
        ],
        nilEntries: 1,
        emptyList: 0,
        note: 'OK',
        easyId: expect.stringMatching(guid),
        easyUrl: expect.stringMatching(/^https:\/\//),
        refused: '-121',
        fault: expect.stringMatching(/Server was unable to read request|is no operation of this address/),
      });
      const sealed = Buffer.from(answers.document, 'base64');
      const original = await readFile(sample);
      expect(sealed.subarray(0, original.length).equals(original)).toBe(true);
      expect(service.control.seen().at(-1)?.soapVersion).toBe(version);
    });
  });
}

const pdfTools = [
  { command: 'pdftotext', package: 'poppler-utils', args: (file: string) => [file, '-'], says: /Letter of engagement/ },
  { command: 'qpdf', package: 'qpdf', args: (file: string) => ['--check', file], says: /No syntax or stream/ },
];
for (const tool of pdfTools) {
  const installed = spawnSync(tool.command, ['--version']).error === undefined;
  const why = installed ? '' : ` (skipped: Debian's ${tool.package} is not installed)`;
  test.skipIf(!installed && !process.env.CI)(`a sealed document is a PDF to ${tool.command}${why}`, async () => {
    const reply = await fetch(service.baseUrl + service.mainPath, requestFor('AddNewDocument', await readFile(sample)));
    const id = /Result>([^<]+)</.exec(await reply.text())?.[1] ?? '';
    const sealed = join(dataDir, 'documents', `${id}.pdf`);
    const { stdout } = await run(tool.command, tool.args(sealed));
    expect(stdout).toMatch(tool.says);
    const broken = join(dataDir, 'broken.pdf');
    await writeFile(broken, (await readFile(sealed)).subarray(0, 1000));
    await expect(run(tool.command, tool.args(broken))).rejects.toThrow();
  });
}

function requestFor(operation: string, document: Buffer): RequestInit {
  const children = `<apiKey>${service.apiKey}</apiKey><apiSig>${service.apiSig}</apiSig><Document>${document.toString('base64')}</Document><creditType>1</creditType>`;
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/soap+xml; charset=utf-8' },
    body: `<s:Envelope xmlns:s="http://www.w3.org/2003/05/soap-envelope"><s:Body><${operation} xmlns="${service.namespaceUri}">${children}</${operation}></s:Body></s:Envelope>`,
  };
}
