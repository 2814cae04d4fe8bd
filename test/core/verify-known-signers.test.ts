import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { issue, revocationList } from '../harness/chains.ts';
import { needTool, outputOf } from '../harness/independent-tool.ts';
import { writtenPolicy } from '../harness/policy.ts';
import { unsignedPdf } from '../harness/signed-pdf.ts';
import { reported } from './audit-setup.ts';
import { newCore, newFolder, scan } from './jobs-setup.ts';

const root = issue({ name: 'Root', authority: true });
const jane = issue({ name: 'Jane Doe', by: root });
const tom = issue({ name: 'Tom Gone', by: root });
const eve = issue({ name: 'Eve Unknown' });
const gone = revocationList({ by: root, revoked: [{ who: tom, at: '2026-03-01T00:00:00Z' }] });

it('whom the organisation knows stands beside each signature and in every report; a folder that is missing stops nothing', async (test) => {
  const folder = await newFolder();
  const known = join(folder, 'known');
  await mkdir(known);
  await writeFile(join(known, 'root.cer'), root.certificate);
  const signed = [jane, tom, eve].map((signer) =>
    unsignedPdf()
      .sign({ signer, signedAt: new Date('2026-03-03T09:41:07Z') })
      .addValidationData([], [gone]),
  );
  const paths = ['jane.pdf', 'tom.pdf', 'eve.pdf'].map((name) => join(folder, name));
  for (const [at, path] of paths.entries()) await writeFile(path, signed[at]?.bytes ?? '');
  const verified = async (trustedCertificates: string) => {
    const core = await newCore({ policy: writtenPolicy({ trustedCertificates }) });
    const intake = await scan(core, paths, 'verify');
    const { runId } = await core.must('verify.start', { connectionId: null, intakeId: intake.id });
    await core.untilTask('verification', ({ state }) => state !== 'running');
    const { results } = await core.must('verify.results', { runId });
    const trust = (name: string) => results.find((one) => one.name === name)?.signatures?.signatures[0]?.trust;
    return { core, runId, results, trust };
  };
  const { core, runId, trust } = await verified(known);
  expect(trust('jane.pdf')).toMatchObject({ by: 'organisation', validity: 'valid', revocation: 'good' });
  expect(trust('tom.pdf')).toMatchObject({ by: 'organisation', revocation: 'revoked' });
  expect(trust('eve.pdf')).toMatchObject({ by: null, reason: expect.any(String) });
  const csv = (await reported({ core, folder }, runId, 'csv')).bytes.toString();
  const [head = '', ...rows] = csv.trimEnd().split(/\r?\n/);
  expect(head).toMatch(/ownKnown.ownRevoked.ownPages.asked.checksSent.checksAnswered$/);
  expect(rows.map((row) => row.split(/[,;]/).slice(-6, -4)).sort()).toEqual([
    ['', ''],
    ['', 'Tom Gone'],
    ['Jane Doe', ''],
  ]);
  const json = JSON.parse((await reported({ core, folder }, runId, 'json')).bytes.toString());
  expect(json.files[0].signatures.signatures[0].trust).toEqual(trust(json.files[0].path));

  const missing = await verified(join(folder, 'missing'));
  expect(missing.results.map(({ signatures }) => signatures?.verdict)).toEqual(Array(3).fill('only-additions-allowed'));
  expect(missing.trust('jane.pdf')).toMatchObject({
    by: null,
    reason: 'The list of known signers is missing or cannot be read.',
  });

  needTool(test, 'pdftotext');
  const { path } = await reported({ core, folder }, runId, 'pdf');
  const text = outputOf(test, 'pdftotext', '-raw', path, '-').replace(/\s+/g, ' ');
  expect(text).toContain('Known signers: Jane Doe');
  expect(text).toContain('Revoked certificates: Tom Gone');
  expect(text).not.toMatch(/(Known signers|Revoked certificates): Eve/);
});
