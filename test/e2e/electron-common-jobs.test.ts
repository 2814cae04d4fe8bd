import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSql } from '../../electron/store/database/sql.ts';
import { type RunningCore, startCore } from '../harness/core.ts';
import { ask } from '../harness/desktop-bridge.ts';
import { middle, registerFilesInHand, seen, wordsIn } from '../harness/desktop-page.ts';
import { type Desktop, dropFiles, findElectron, newHome, removeHomes, startDesktop } from '../harness/electron.ts';
import { type OtherService, otherServiceName, startOtherService } from '../harness/other-service.ts';
import { plainPdf } from '../harness/pdf.ts';

const electron = findElectron();
const why = 'missing' in electron ? ` (skipped: ${electron.missing})` : '';
const page1280 = resolve(import.meta.dirname, '../../test-results/home.png');
const doc = readFileSync(resolve(import.meta.dirname, '../../docs/common-jobs.md'), 'utf8');

const awayName = 'Archive, Paris';

/** What a practice of years looks like: the service's lists end at 100 entries. */
const [documents, requests, signatures, cut, running] = [300, 301, 161, 100, 40];

describe.skipIf(why !== '')(`common jobs with real amounts, counted in real Electron${why}`, () => {
  let desktop: Desktop;
  let page: Page;
  let service: OtherService;
  let folder = '';
  let connectionId = '';
  const counted: { clicks: number; keys: number; words: number[] } = { clicks: 0, keys: 0, words: [] };

  beforeAll(async () => {
    folder = newHome();
    const home = join(folder, 'home');
    mkdirSync(join(home, 'data'), { recursive: true, mode: 0o700 });
    service = await startOtherService(join(folder, 'service'));
    await service.control.setCredits({ document: 5_000, prepaid: 5_000, eSign: 5_000 });
    const core = await startCore({ dataDir: join(home, 'data'), pace: { soonMs: 9e6, leastMs: 9e6, mostMs: 9e6 } });
    connectionId = await fill(core);
    await core.stop();
    makeOlder(join(home, 'data', 'sealdesk.db'));
    desktop = await startDesktop({ home });
    page = desktop.page;
    await service.connect(desktop);
    for (const { id, name } of (await ask(desktop, 'connections.state', {})).connections)
      if (name === awayName) await ask(desktop, 'connections.setCredentials', { id, ...service.credentials });
    await page.setViewportSize({ width: 1280, height: 800 });
  }, 300_000);
  afterAll(async () => {
    await desktop?.quit();
    await service?.close();
    removeHomes();
  });

  function write(name: string): string {
    const path = join(folder, `${name}.pdf`);
    writeFileSync(path, plainPdf(name));
    return path;
  }

  /** 300 documents, 301 requests, 161 signatures, three adds without an answer, one refused request, and a connection whose service is away. */
  async function fill(core: RunningCore): Promise<string> {
    const { control, settings } = service;
    const save = async (name: string, baseUrl = settings.baseUrl) => {
      const given = {
        ...settings,
        name,
        baseUrl,
        maxItems: cut,
        parallel: 8,
        doubtLimit: 20,
        proxy: { mode: 'none' as const },
      };
      const { id } = await core.must('connections.save', { settings: given });
      await core.must('connections.setCredentials', { id, ...service.credentials });
      return id;
    };
    const id = await save(otherServiceName);
    const register = async (to: string, names: readonly string[]) => {
      const tokens = await Promise.all(names.map(async (name) => (await core.core.acceptPath(write(name))).token));
      const intake = await core.must('files.scan', { tokens, purpose: 'register' });
      return (await core.must('documents.register', { connectionId: to, intakeId: intake.id, creditType: 1 })).batchId;
    };
    const ended = async (batchId: string) => {
      for (;;) {
        const { jobs } = await core.must('jobs.list', { batchId, limit: 500 });
        if (jobs.every(({ state }) => !['prepared', 'waiting', 'sending'].includes(state))) return jobs;
        await new Promise((later) => setTimeout(later, 50));
      }
    };
    await ended(
      await register(
        id,
        Array.from({ length: documents }, (_each, n) => `Contract no. ${2000 + n}`),
      ),
    );
    const sent: { documentId: string; emails: string[] }[] = [];
    const people = ['ana', 'bo', 'chidi', 'dana', 'emre', 'farid', 'greta'].map((name) => `${name}@example.com`);
    for (let n = 0; n < requests; n += 1) {
      const emails = people.slice(n % 5, (n % 5) + 1 + (n % 3));
      const fileToken = (await core.core.acceptPath(write(`Lease unit ${n}`))).token;
      const given = {
        kind: 'plain' as const,
        connectionId: id,
        fileToken,
        creditType: 2,
        documentName: `Lease unit ${n}`,
      };
      const [job] = await ended((await core.must('signatures.request', { ...given, emails })).batchId);
      sent.push({ documentId: job?.documentId ?? '', emails });
      if (n % 60 === 0) await lists(core, id);
    }
    await lists(core, id);
    let left = signatures;
    for (const { documentId, emails } of sent.toReversed())
      for (const email of emails.slice(0, sent.length % 2 === 0 ? 1 : 2)) {
        if (left === 0) break;
        await control.sign(documentId, email);
        left -= 1;
        if (left % 60 === 0) await lists(core, id);
      }
    // The service gives a signing link for those from a template.
    const template = { kind: 'easy-sign-template', connectionId: id, templateId: 'TPL-1001' } as const;
    const two = { emails: ['ana@example.com', 'bo@example.com'], names: ['Ana Petrov', 'Bo Lindqvist'] };
    await ended(
      (await core.must('signatures.request', { ...template, ...two, documentName: 'Lease unit 3 no. 2290' })).batchId,
    );
    await lists(core, id);
    control.misbehave({ mischief: { kind: 'drop-after' } });
    await ended(await register(id, ['Power of attorney, Rossi', 'Deed of gift, Tanaka']));
    const fileToken = (await core.core.acceptPath(write('Deed of sale'))).token;
    const plain = { kind: 'plain' as const, connectionId: id, fileToken, creditType: 2, documentName: 'Deed of sale' };
    await ended((await core.must('signatures.request', { ...plain, emails: ['rossi@example.com'] })).batchId);
    const nda = (await core.core.acceptPath(write('NDA'))).token;
    control.misbehave({ mischief: { kind: 'answer', text: '-113' }, times: 1 });
    await ended(
      (
        await core.must('signatures.request', {
          ...plain,
          fileToken: nda,
          documentName: 'NDA',
          emails: ['nda@example.com'],
        })
      ).batchId,
    );
    control.misbehave(null);
    const away = await save(awayName, 'http://127.0.0.1:9');
    await register(away, ['Minutes of 12 November']);
    await new Promise((later) => setTimeout(later, 1_500));
    return id;
  }

  async function lists(core: RunningCore, id: string): Promise<void> {
    for (const listType of [1, 2]) await core.must('signatures.refresh', { connectionId: id, listType });
  }

  /** A part of the requests was sent three weeks ago, and the person was last here an hour ago. */
  function makeOlder(path: string): void {
    const sql = openSql(path);
    const ago = (column: string, by: string) => `${column} = strftime('%Y-%m-%dT%H:%M:%fZ', ${column}, '${by}')`;
    const old = "state = 'done' AND seq % 2 = 0 AND operation <> 'AddNewEasySignTemplate'";
    const times = ['created_at', 'departed_at', 'attempt_ended_at'].map((column) => ago(column, '-22 days'));
    sql.run(`UPDATE jobs SET ${times.join(', ')} WHERE ${old}`);
    sql.run(`UPDATE job_events SET ${ago('at', '-22 days')} WHERE job_seq IN (SELECT seq FROM jobs WHERE ${old})`);
    sql.run(`UPDATE requests SET ${ago('sent_at', '-22 days')} WHERE job_id IN (SELECT id FROM jobs WHERE ${old})`);
    sql.close();
  }

  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const words = async () => void counted.words.push(await wordsIn(page));
  /** `shown`: what is there once the step is done. */
  const click = async (one: Locator, shown?: Locator) => {
    counted.clicks += 1;
    await one.click();
    await shown?.waitFor();
    await words();
  };
  const press = async (key: string, shown?: Locator) => {
    counted.keys += key.split('+').length;
    await page.keyboard.press(key);
    await shown?.waitFor();
    await words();
  };
  const type = async (text: string) => {
    counted.keys += text.length;
    await page.keyboard.type(text);
    await words();
  };
  const wrong: string[] = [];
  /** Counts a job from Home on. */
  const job = async (name: string, work: () => Promise<void>) => {
    await home();
    Object.assign(counted, { clicks: 0, keys: 0, words: [] });
    await words();
    await work();
    const { clicks, keys } = counted;
    console.log(`| ${name} | ${clicks} | ${keys} | ${counted.words.join(', ')} |`);
    if (!doc.includes(`| ${name} | ${clicks} | ${keys} |`)) wrong.push(`${name}: ${clicks} clicks, ${keys} keys`);
  };
  const home = async () => {
    const rail = page.getByRole('navigation', { name: 'Screens' });
    await rail.getByRole('button', { name: /^Start/ }).click();
    await seen(page, /^Needs you/);
  };

  it('says on Home what waits, what is in doubt, what is late, what runs and whether everything is connected', async () => {
    service.control.misbehave({ mischief: { kind: 'delay', ms: 3_000 }, operation: 'AddNewDocument' });
    const names = Array.from({ length: running }, (_each, n) => `Protocol ${n + 1}`);
    await dropFiles(page, names.map(write), await middle(page));
    await registerFilesInHand(page, running);
    await page.waitForTimeout(6_000);
    await home();
    await page.waitForTimeout(1_500);
    mkdirSync(resolve(page1280, '..'), { recursive: true });
    await page.screenshot({ path: page1280 });
    console.log(
      JSON.stringify(
        await ask(desktop, 'home.summary', {
          connectionId,
          today: new Date().toISOString().slice(0, 10),
          isHere: true,
        }),
      ),
    );
    console.log(JSON.stringify((await ask(desktop, 'tracking.state', { connectionId })).requests));
    service.control.misbehave(null);
    await expect.poll(async () => (await ask(desktop, 'jobs.list', { limit: 1 })).counts.sending).toBe(0);
  }, 120_000);

  it('takes as many clicks and keys to find and to check as the docs say', async () => {
    const rail = (screen: string) =>
      page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: new RegExp(`^${screen}`) });
    const rows = page.getByRole('row');
    await job('what waits, what needs me, what went out today, what is late: read from Home', async () => undefined);
    await job('correct a refused request: its form, filled in', async () => {
      await click(button('Correct…').first(), page.getByText(/^Once this is sent/).first());
    });
    await job('the requests that wait for longer than two weeks', async () => {
      await click(button(/^\d+ longer than 2 weeks/).first(), rows.nth(2));
    });
    await job('the requests of which it is not known', async () => {
      await click(button(/^Not counted here/), rows.nth(2));
    });
    await job('who has not signed the lease, and its signing link copied', async () => {
      await click(rail('Signatures'), rows.nth(2));
      await click(rows.filter({ hasText: 'Lease unit 3 no. 2290' }).getByRole('button', { name: 'Copy link' }));
    });
    await job('who has not signed a lease (Ctrl K, its name, Enter)', async () => {
      await press('Control+k');
      await type('Lease unit 296');
      await page
        .getByRole('option', { name: /^Lease unit 296/ })
        .first()
        .waitFor();
      await press('Enter', page.getByText('Only this request'));
    });
    await job('all requests of one person (Ctrl K, the name, Enter)', async () => {
      await press('Control+k');
      await type('dana');
      await page
        .getByRole('option', { name: /dana@example\.com/ })
        .first()
        .waitFor();
      await press('Enter', rows.nth(2));
    });
    await job('find a document of last week by its name, and download it', async () => {
      await click(rail('Documents'), rows.nth(2));
      await click(page.getByRole('searchbox', { name: 'Search documents' }));
      await type('no. 2011');
      await rows.filter({ hasText: 'Contract no. 2011' }).first().waitFor();
      await click(button(/^Download/).first());
    });
    await page.keyboard.press('Escape');
    await check200();
    expect(wrong).toEqual([]);
  }, 240_000);

  /** 200 files, of which the service knows 184. */
  async function check200() {
    const known = Array.from({ length: 184 }, (_each, n) => join(folder, `Contract no. ${2000 + n}.pdf`));
    const letters = Array.from({ length: 16 }, (_each, n) => write(`Letter ${n}`));
    await job('which of 200 files are not confirmed, and why; the next file by an arrow', async () => {
      await dropFiles(page, [...known, ...letters], await middle(page));
      await click(button(/^Verify 200 files/));
      await click(
        page.getByRole('dialog').getByRole('button', { name: 'Verify 200 files' }),
        page.getByText(/^200 files verified/),
      );
      await click(button(/^Details/).first());
      await press('ArrowDown');
    });
    await job('a report of 200 files (then the kind of file, and where)', async () => {
      await click(page.getByRole('navigation', { name: 'Screens' }).getByRole('button', { name: /^Verify/ }));
      await click(button(/^Open/).first());
      await click(button(/^Save report/), page.getByRole('menuitem').first());
    });
    await page.keyboard.press('Escape');
  }

  it('takes as many clicks for an add in doubt as the docs say', async () => {
    wrong.length = 0;
    await job('answer an add in doubt that the service has (*It’s this one*)', async () => {
      await click(button('It’s this one').first());
      await page.getByRole('button', { name: /^Undo/ }).waitFor();
    });
    await job('answer an add in doubt of which only the file can be asked for', async () => {
      await click(button('Check the file').first());
      await click(button('Count as registered').first());
      await page.getByRole('button', { name: /^Undo/ }).last().waitFor();
    });
    expect(wrong).toEqual([]);
  }, 120_000);
});
