import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildCommandLine, type CommandLine } from '../harness/command-line.ts';
import { freePort } from '../harness/free-port.ts';
import { unsignedPdf } from '../harness/signed-pdf.ts';
import { makeSigner } from '../harness/signers.ts';

let commandLine: CommandLine;
let folder: string;
const at = (name: string) => join(folder, name);
beforeAll(async () => {
  commandLine = await buildCommandLine();
  folder = await mkdtemp(join(tmpdir(), 'sealdesk-pdf-'));
  const signer = makeSigner({ key: 'p256', name: 'Jane Doe' });
  const signed = unsignedPdf().sign({ signer, signedAt: new Date('2026-03-03T09:41:07Z') });
  await writeFile(at('signed.pdf'), signed.bytes);
  await writeFile(at('shown.pdf'), signed.sign({ signer, box: [40, 690, 240, 725] }).bytes);
  await writeFile(at('later.pdf'), signed.replace({ 4: '<< /Length 3 >>\nstream\nq Q\nendstream' }).bytes);
  await writeFile(at('note.txt'), 'no PDF');
});
afterAll(async () => {
  commandLine.remove();
  await rm(folder, { recursive: true });
});

it('answers one line for each file in their order, and exits with 0 whatever the verdict', async () => {
  const files = ['later.pdf', 'signed.pdf', 'note.txt'].map(at);
  const { code, lines, err } = await commandLine.run(['pdf-signatures', ...files, '--json']);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(lines.map(({ file, verdict }) => [file, verdict])).toEqual([
    [files[0], 'changed'],
    [files[1], 'unchanged'],
    [files[2], 'undecidable'],
  ]);
  expect(lines[0]?.reason).toEqual(expect.any(String));
  expect(lines[1]).toMatchObject({
    revisions: 2,
    reason: null,
    signatures: [
      {
        integrity: 'intact',
        covers: 'whole',
        laterChanges: 'none',
        docMdp: null,
        level: 'PKCS7',
        algorithm: 'sha256/ecdsa',
        signer: 'Jane Doe',
        claimedTime: '2026-03-03T09:41:07Z',
        timestamp: null,
      },
    ],
  });
});

it('says it to a person in a line, with a line for each signature', async () => {
  const { code, out } = await commandLine.run(['pdf-signatures', at('signed.pdf'), at('shown.pdf')]);
  expect(code).toBe(0);
  expect(out).toMatch(
    /signed\.pdf: Signed and unchanged since\n {2}Signature\d+ · Jane Doe · not known here · fits · claimed 2026-03-03T09:41:07Z/,
  );
  expect(out).toMatch(
    /shown\.pdf: Signed; only allowed additions since\n {2}Something was added or filled in on page 1\. What it covers is not compared\.\n/,
  );
});

it('has another exit code only where a file cannot be opened, and a line for it all the same', async () => {
  const { code, lines } = await commandLine.run(['pdf-signatures', at('gone.pdf'), at('signed.pdf'), '--json']);
  expect(code).toBe(1);
  expect(lines).toMatchObject([
    { file: at('gone.pdf'), verdict: 'undecidable', signatures: [], failure: { code: 'file-unreadable' } },
    { verdict: 'unchanged' },
  ]);
});

it('is said by verify about files that the service was not asked about, as it does not answer', async () => {
  const port = await freePort();
  const files = Array.from({ length: 20 }, (_each, n) => at(`copy ${n}.pdf`));
  for (const file of files) await copyFile(at('later.pdf'), file);
  const service = ['--url', `http://127.0.0.1:${port}`, '--namespace', 'urn:away', '--main-path', '/away'];
  const keys = { SEALDESK_API_KEY: 'key', SEALDESK_API_SIG: 'signature' };
  const ran = await commandLine.run(['verify', ...files, ...service, '--allow-http', '--json'], { env: keys });
  expect(ran, ran.err).toMatchObject({ code: 4 });
  const unasked = ran.lines.filter(({ details }) => details);
  expect(unasked.length).toBeGreaterThan(0);
  expect(unasked[0]).toMatchObject({
    ok: false,
    details: { own: 'changed' },
    failure: { code: 'service-unreachable' },
  });
  expect(ran.lines.filter(({ file }) => files.includes(String(file)))).toHaveLength(20);
}, 60_000);
