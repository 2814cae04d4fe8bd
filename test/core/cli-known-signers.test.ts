import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
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
  const { out } = await commandLine.run(['pdf-signatures', at('signed.pdf'), '--trusted', at('known')]);
  expect(out).toMatch(/Jane Doe · known to the organisation · revocation not checked: offline · fits/);
});

it('says that nobody is known where the folder or the list is missing, and is none the worse for it', async () => {
  const options = ['--trusted', at('gone'), '--trust-list', at('gone.json')];
  const { code, lines } = await commandLine.run(['pdf-signatures', at('signed.pdf'), '--json', ...options]);
  expect(code).toBe(0);
  expect(lines[0]).toMatchObject({
    verdict: 'unchanged',
    signatures: [{ trust: { by: null, reason: 'The list of known signers is missing or cannot be read.' } }],
  });
});

it('knows whom a file of trust lists knows, and names the list with its date', async () => {
  const entry = { purpose: 'signatures', granted: [{ from: '2020-01-01T00:00:00Z', until: null }] };
  const list = { name: 'DE: List', date: '2026-01-01T00:00:00Z', nextUpdate: '2026-02-01T00:00:00Z' };
  const certificates = [{ ...entry, certificate: root.certificate.toString('base64') }];
  const written = { format: 'sealdesk-trust-lists', version: 1, lists: [{ ...list, certificates }] };
  await writeFile(at('lists.json'), JSON.stringify(written));
  const { lines } = await commandLine.run([
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

it('checks the places of a policy before it is rolled out: what is missing there, or old', async () => {
  await writeFile(at('bad.cer'), 'none');
  await mkdir(at('mixed'));
  await writeFile(at('mixed/bad.cer'), 'none');
  const check = async (policy: object) => {
    await writeFile(at('policy.json'), JSON.stringify(policy));
    const { code, lines } = await commandLine.run(['policy', at('policy.json'), '--json']);
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
