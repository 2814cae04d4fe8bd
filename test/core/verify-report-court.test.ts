import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { needTool, outputOf } from '../harness/independent-tool.ts';
import { reported } from './audit-setup.ts';
import {
  connect,
  newCore,
  newFolder,
  newService,
  patient,
  register,
  scan,
  untilEnded,
  writePdfs,
} from './jobs-setup.ts';

const [registered, unknown, withoutAnswer] = [180, 16, 4];
const total = registered + unknown + withoutAnswer;

/** 200 files: most registered, some unknown to the service, some without an answer; who reports is known. */
async function verified() {
  const [core, service, folder] = [await newCore(), await newService(), await newFolder()];
  await service.control.setCredits({ document: 1_000, prepaid: 1_000 });
  const connectionId = await connect(core, service, { parallel: 4, name: 'Archive of the court', timeouts: patient });
  const names = Array.from(
    { length: total },
    (_each, n) => `Lease ${1000 + n}, Harbour Street ${n}, unit ${n % 7}.pdf`,
  );
  const paths = await writePdfs(folder, names);
  await untilEnded(core, await register(core, connectionId, paths.slice(0, registered)), 240_000);
  service.control.misbehave({ mischief: { kind: 'answer', text: '-131' }, operation: 'ValidateDocument', times: 4 });
  const { id: intakeId } = await scan(core, paths, 'verify');
  const { runId } = await core.must('verify.start', { connectionId, intakeId });
  await core.untilTask(
    'verification',
    ({ progress: { run } }) => run.runId === runId && run.state === 'finished',
    240_000,
  );
  const { run, results } = await core.must('verify.results', { runId, limit: 500 });
  return { core, folder, service, runId, run, results };
}

describe('a report that a court can read', () => {
  it('of 200 files says who, what, how, the result that adds up, and each file with its answer on at most nine pages', async (test) => {
    needTool(test, 'pdftotext');
    const { core, folder, service, runId, run, results } = await verified();
    expect(await core.must('verify.reporter', {})).toBeNull();
    await core.must('verify.setReporter', { person: 'Ana Rossi', organisation: 'Rossi Notaries' });
    expect(await core.must('verify.reporter', {})).toEqual({ person: 'Ana Rossi', organisation: 'Rossi Notaries' });
    const { path } = await reported({ core, folder }, runId, 'pdf');
    const text = outputOf(test, 'pdftotext', '-layout', path, '-');
    const pages = text.split('\f').filter((page) => page.trim() !== '');
    expect(pages.length).toBeLessThanOrEqual(9);
    for (const [at, page] of pages.entries()) expect(page).toMatch(new RegExp(`Page ${at + 1} of ${pages.length}\\b`));
    const first = (pages[0] ?? '').replace(/\s+/g, ' ');
    for (const part of [runId, 'Ana Rossi, Rossi Notaries', hostname(), 'Archive of the court', service.baseUrl])
      expect(first).toContain(part);
    // In one line, and its parts are the whole.
    const line = first.match(/Result (\d+) = ((?:[A-Z][a-z ,]+ \d+ ?\+? ?)+)/);
    const parts = [...(line?.[2] ?? '').matchAll(/\d+/g)].map(Number);
    expect([Number(line?.[1]), parts.reduce((sum, n) => sum + n, 0)]).toEqual([total, total]);
    expect(parts.sort()).toEqual(Object.values(run.counts).filter(Boolean).sort());
    expect(first).toMatch(/What this shows .* What this does not show .* How .* Signature/);
    // IDs and checksums are each on one line.
    const ids = results.flatMap(({ sha256, knownHere }) => [sha256 ?? '', knownHere?.documentId ?? '']);
    expect(ids.filter((id) => !text.includes(id))).toEqual([]);
    for (const { name, raw } of results)
      expect(text).toContain(name.slice(0, 9) && (raw === null ? name.slice(0, 9) : `“${raw}”`));
    expect(text).not.toContain(service.apiKey);
    const [checksum = ''] = first.match(/[0-9a-f]{64}/) ?? [];
    const lines = results.map(
      ({ folder: below, name, sha256, raw }) => `${sha256}  ${below ? `${below}/` : ''}${name}  ${raw ?? ''}\n`,
    );
    expect(checksum).toBe(createHash('sha256').update(lines.join('')).digest('hex'));
    const facts = { person: 'Ana Rossi', organisation: 'Rossi Notaries', computer: hostname() };
    const json = JSON.parse((await reported({ core, folder }, runId, 'json')).bytes.toString());
    expect(json).toMatchObject({ checkedBy: { ...facts, account: '' }, checksum });
    const csv = (await reported({ core, folder }, runId, 'csv')).bytes.toString('utf8').slice(1);
    const { data } = Papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true });
    expect(data[0]).toMatchObject({
      ...facts,
      runId,
      service: `Archive of the court, ${service.baseUrl}${service.mainPath}`,
      checksum,
    });
  }, 600_000);

  it('leaves room for the name where nobody gave one, and takes no empty one', async (test) => {
    needTool(test, 'pdftotext');
    const [core, folder] = [await newCore(), await newFolder()];
    const { id: intakeId } = await scan(core, await writePdfs(folder, ['a.pdf']), 'verify');
    const { runId } = await core.must('verify.start', { connectionId: 'practice', intakeId });
    await core.untilTask('verification', ({ progress: { run } }) => run.runId === runId && run.state === 'finished');
    const { path } = await reported({ core, folder }, runId, 'pdf', 'de');
    const text = outputOf(test, 'pdftotext', '-layout', path, '-');
    expect(text).toMatch(/Geprüft durch\s+_{10,}/);
    expect(text).toMatch(/Seite 1 von 1\b/);
    expect(await core.ask('verify.setReporter', { person: ' ', organisation: 'x' })).toMatchObject({ ok: false });
    expect(await core.must('verify.reporter', {})).toBeNull();
  });
});
