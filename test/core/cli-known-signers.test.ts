import { execFileSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { issue } from '../harness/chains.ts';
import { buildCommandLine, type CommandLine } from '../harness/command-line.ts';
import { unsignedPdf } from '../harness/signed-pdf.ts';

let commandLine: CommandLine;
let folder: string;
const at = (name: string) => join(folder, name);
const root = issue({ name: 'Root', authority: true });
const jane = issue({ name: 'Jane Doe', by: root });
const pem = (bytes: Buffer) => `-----BEGIN CERTIFICATE-----\n${bytes.toString('base64')}\n-----END CERTIFICATE-----\n`;

beforeAll(async () => {
  commandLine = await buildCommandLine();
  folder = await mkdtemp(join(tmpdir(), 'sealdesk-known-'));
  await writeFile(at('signed.pdf'), unsignedPdf().sign({ signer: jane, signedAt: new Date() }).bytes);
  await mkdir(at('known'));
  await writeFile(
    at('known/root.pem'),
    pem(issue({ name: 'Other', authority: true }).certificate) + pem(root.certificate),
  );
  await writeFile(at('known/notes.txt'), 'not looked at');
});
afterAll(async () => {
  commandLine.remove();
  await rm(folder, { recursive: true });
});

it('knows whom the certificates of a folder know', async () => {
  const { code, lines } = await commandLine.run([
    'pdf-signatures',
    at('signed.pdf'),
    '--json',
    '--trusted',
    at('known'),
  ]);
  expect(code).toBe(0);
  expect(lines[0]).toMatchObject({
    verdict: 'unchanged',
    signatures: [{ trust: { by: 'organisation', reason: null } }],
  });
  const { out } = await commandLine.runHere(['pdf-signatures', at('signed.pdf'), '--trusted', at('known')]);
  expect(out).toMatch(/Jane Doe · known to the organisation · revocation not checked: offline · fits/);
});

it('refuses a folder and a list that it is told to trust and cannot use, and waits for none of them', async () => {
  await mkdir(at('odd'), { recursive: true });
  await copyFile(at('known/root.pem'), at('odd/root.pem'));
  const pipe = at('odd/pipe.pem');
  if (process.platform !== 'win32') execFileSync('mkfifo', [pipe]);
  const run = (...options: string[]) => commandLine.runHere(['pdf-signatures', at('signed.pdf'), '--json', ...options]);
  for (const place of [at('gone'), at('signed.pdf'), at('odd'), pipe, '/dev/zero'])
    for (const option of place === at('odd') ? ['--trust-list'] : ['--trusted', '--trust-list']) {
      const { code, out, err } = await run(option, place);
      expect([code, out], `${option} ${place}`).toEqual([2, '']);
      expect(err).toContain(option);
    }
  // One that is of use beside another does not hide that.
  expect((await run('--trusted', at('known'), '--trust-list', at('gone.json'))).code).toBe(2);
  const some = await run('--trusted', at('odd'));
  expect(some).toMatchObject({ code: 0, lines: [{ signatures: [{ trust: { by: 'organisation' } }] }] });
  if (process.platform !== 'win32') expect(some.err).toMatch(/--trusted: 1 files hold no certificate/);
});

it('knows whom a file of trust lists knows, and names the list with its date', async () => {
  const entry = { purpose: 'signatures', granted: [{ from: '2020-01-01T00:00:00Z', until: null }] };
  const list = { name: 'DE: List', date: '2026-01-01T00:00:00Z', nextUpdate: '2026-02-01T00:00:00Z' };
  const certificates = [{ ...entry, certificate: root.certificate.toString('base64') }];
  const written = { format: 'sealdesk-trust-lists', version: 1, lists: [{ ...list, certificates }] };
  await writeFile(at('lists.json'), JSON.stringify(written));
  const { lines } = await commandLine.runHere([
    'pdf-signatures',
    at('signed.pdf'),
    '--json',
    '--trust-list',
    at('lists.json'),
  ]);
  expect(lines[0]).toMatchObject({
    signatures: [{ trust: { by: 'list', list: { name: 'DE: List', date: '2026-01-01T00:00:00Z' } } }],
  });
});

const trustList = (services: string, head = '') => `<?xml version="1.0" encoding="UTF-8"?>
<t:TrustServiceStatusList xmlns:t="http://uri.etsi.org/02231/v2#"><t:SchemeInformation>
  <t:SchemeOperatorName><t:Name xml:lang="de">Behörde</t:Name><t:Name xml:lang="en">Agency</t:Name></t:SchemeOperatorName>
  <t:SchemeTerritory>XX</t:SchemeTerritory>${head}
  <t:ListIssueDateTime>2026-01-02T03:04:05+01:00</t:ListIssueDateTime><t:NextUpdate><t:dateTime>2049-01-01T00:00:00Z</t:dateTime></t:NextUpdate>
</t:SchemeInformation><t:TrustServiceProviderList><t:TrustServiceProvider><t:TSPServices>${services}</t:TSPServices></t:TrustServiceProvider></t:TrustServiceProviderList></t:TrustServiceStatusList>`;
const state = (kind: string, status: string, from: string, use = '') =>
  `<t:ServiceTypeIdentifier>http://uri.etsi.org/TrstSvc/Svctype/${kind}</t:ServiceTypeIdentifier>
  <t:ServiceStatus>http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/${status}</t:ServiceStatus><t:StatusStartingTime>${from}</t:StatusStartingTime>${
    use &&
    `<t:ServiceInformationExtensions><t:Extension Critical="true"><t:AdditionalServiceInformation><t:URI xml:lang="en">http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/${use}</t:URI></t:AdditionalServiceInformation></t:Extension></t:ServiceInformationExtensions>`
  }`;
const service = (now: string, before = '', certificate = root.certificate) =>
  `<t:TSPService><t:ServiceInformation>${now}<t:ServiceDigitalIdentity><t:DigitalId><t:X509Certificate>
  ${certificate.toString('base64')}</t:X509Certificate></t:DigitalId></t:ServiceDigitalIdentity></t:ServiceInformation>${
    before && `<t:ServiceHistory><t:ServiceHistoryInstance>${before}</t:ServiceHistoryInstance></t:ServiceHistory>`
  }</t:TSPService>`;

it('makes of trust lists the file that a policy names: qualified services for documents, as long as they were granted', async () => {
  const other = issue({ name: 'Web', authority: true }).certificate;
  const kept = [
    service(
      state('CA/QC', 'granted', '2016-07-01T00:00:00Z', 'ForeSignatures'),
      state('CA/QC', 'undersupervision', '2010-01-01T00:00:00Z'),
    ),
    service(
      state('CA/QC', 'withdrawn', '2026-02-01T00:00:00Z', 'ForeSeals'),
      state('CA/QC', 'granted', '2016-07-01T00:00:00Z', 'ForeSeals'),
    ),
    service(state('TSA/QTST', 'granted', '2016-07-01T00:00:00Z')),
  ];
  const dropped = [
    service(state('CA/QC', 'granted', '2016-07-01T00:00:00Z', 'ForWebSiteAuthentication'), '', other),
    service(state('CA/PKC', 'granted', '2016-07-01T00:00:00Z'), '', other),
    service(state('CA/QC', 'withdrawn', '2016-07-01T00:00:00Z'), '', other),
    service(state('CA/QC', 'granted', '2016-07-01T00:00:00Z'), '', Buffer.from('no certificate')),
  ];
  await writeFile(at('XX.xml'), trustList([...dropped, ...kept].join('')));
  const made = await commandLine.runHere(['trust-list', at('XX.xml'), '-o', at('made.json')]);
  expect(made).toMatchObject({
    code: 0,
    out: expect.stringMatching(/XX\.xml: XX: Agency, of 2026-01-02: 3 certificates/),
  });
  const [list] = JSON.parse(await readFile(at('made.json'), 'utf8')).lists;
  const certificate = root.certificate.toString('base64');
  expect(list).toEqual({
    name: 'XX: Agency',
    date: '2026-01-02T02:04:05Z',
    nextUpdate: '2049-01-01T00:00:00Z',
    certificates: [
      {
        purpose: 'signatures',
        certificate,
        granted: [
          { from: '2010-01-01T00:00:00Z', until: '2016-07-01T00:00:00Z' },
          { from: '2016-07-01T00:00:00Z', until: null },
        ],
      },
      {
        purpose: 'signatures',
        certificate,
        granted: [{ from: '2016-07-01T00:00:00Z', until: '2026-02-01T00:00:00Z' }],
      },
      { purpose: 'timestamps', certificate, granted: [{ from: '2016-07-01T00:00:00Z', until: null }] },
    ],
  });
  const { lines } = await commandLine.runHere([
    'pdf-signatures',
    at('signed.pdf'),
    '--json',
    '--trust-list',
    at('made.json'),
  ]);
  expect(lines[0]).toMatchObject({ signatures: [{ trust: { by: 'list', list: { name: 'XX: Agency' } } }] });
});

it.each([
  ['another document', '<a/>', /no TrustServiceStatusList/],
  ['entities', `<!DOCTYPE a [<!ENTITY b "c">]>${trustList('')}`, /no XML that is read here/],
  ['no end', trustList('').slice(0, -5), /no XML that is read here/],
  ['no date', trustList('').replace(/<t:ListIssueDateTime>.*?<\/t:ListIssueDateTime>/, ''), /when it was issued/],
])('writes nothing of a trust list that is none: %s', async (name, xml, why) => {
  const [bad, good] = [at(`${name}.xml`), at('good.xml')];
  await writeFile(bad, xml);
  await writeFile(good, trustList(''));
  const made = await commandLine.runHere(['trust-list', good, bad, '-o', at(`${name}.json`), '--json']);
  expect(made.code).not.toBe(0);
  expect(made.lines[1]).toMatchObject({ file: bad, failure: { code: 'bad-input', note: expect.stringMatching(why) } });
  await expect(readFile(at(`${name}.json`))).rejects.toThrow();
});

it('replaces no file unless it is told to', async () => {
  await writeFile(at('one.xml'), trustList(''));
  await writeFile(at('there.json'), 'old');
  expect(await commandLine.runHere(['trust-list', at('one.xml'), '-o', at('there.json')])).toMatchObject({ code: 2 });
  expect(await readFile(at('there.json'), 'utf8')).toBe('old');
  expect(await commandLine.runHere(['trust-list', at('one.xml'), '-o', at('there.json'), '--replace'])).toMatchObject({
    code: 0,
  });
  expect(await readFile(at('there.json'), 'utf8')).toMatch(/sealdesk-trust-lists/);
});

it('checks the places of a policy before it is rolled out: what is missing there, or old', async () => {
  await writeFile(at('bad.cer'), 'none');
  await mkdir(at('mixed'));
  await writeFile(at('mixed/bad.cer'), 'none');
  const check = async (policy: object) => {
    await writeFile(at('policy.json'), JSON.stringify(policy));
    const { code, lines } = await commandLine.runHere(['policy', at('policy.json'), '--json']);
    return { code, problems: (lines[0]?.details as { problems: object[] } | undefined)?.problems };
  };
  expect(await check({ trustedCertificates: at('known') })).toEqual({ code: 0, problems: [] });
  expect(await check({ trustedCertificates: at('gone'), trustList: at('lists.json') })).toEqual({
    code: 1,
    problems: [
      { kind: 'wrong-value', key: 'trustedCertificates', note: 'the folder cannot be read' },
      { kind: 'wrong-value', key: 'trustList', note: expect.stringMatching(/"DE: List" .* is old/) },
    ],
  });
  expect(await check({ trustedCertificates: at('mixed'), trustList: at('bad.cer') })).toMatchObject({
    problems: [{ note: '1 files hold no certificate that can be read' }, { note: expect.stringMatching(/trust-list/) }],
  });
  expect(await check({ trustedCertificates: 'known' })).toMatchObject({
    problems: [{ key: 'trustedCertificates', note: 'must be a whole path' }],
  });
});
