import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { OpenUpdater, UpdateSource } from '../../../electron/core/foundation/ports.ts';
import { openPolicy } from '../../../electron/core/settings/policy.ts';
import { createUpdates } from '../../../electron/core/updates/updates.ts';
import { openStore } from '../../../electron/store/store.ts';
import { startFeed, type UpdateFeed } from '../../harness/update-feed.ts';

const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const day = 24 * 3_600_000;
let dataDir = '';
let feed: UpdateFeed;
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'sealdesk-list-date-'));
  feed = await startFeed();
});
afterEach(async () => {
  await feed.close();
  rmSync(dataDir, { recursive: true });
});

/** Reads the list as the program does, and installs nothing. */
async function openUpdater({ offer }: UpdateSource): Promise<OpenUpdater> {
  return {
    check: async () => ({ kind: 'none', version: (await offer(JSON.parse)).version }),
    download: () => Promise.reject(new Error('nothing is newer')),
    install: () => undefined,
    quit: () => undefined,
  };
}

/** A run of the program on its data; `check` answers what came of asking the feed once. */
async function newRun() {
  const { store } = await openStore({ dataDir, log });
  const written = { updateFeed: feed.address, updateKey: feed.key.setting };
  const policy = await openPolicy({ name: 'test', read: async () => written, watch: () => () => undefined }, log);
  const updates = createUpdates({
    ports: {
      installation: 'disk-image',
      version: '1.0.0',
      network: { resolveProxy: async () => 'DIRECT' },
      updater: { program: null, folder: dataDir, open: openUpdater },
      log,
    },
    policy,
    store,
    notices: {
      all: () => [],
      add: () => undefined,
      addOnce: () => undefined,
      dismiss: () => undefined,
      onDismiss: new Set(),
    },
    emit: () => undefined,
    onEvent: () => () => undefined,
    isWorking: () => false,
    target: { platform: 'linux', arch: 'x64' },
  });
  await expect.poll(() => updates.state().stage).toBe('idle');
  return {
    check: async () => {
      expect(updates.check().stage).toBe('checking');
      await expect.poll(() => updates.state().stage).toBe('idle');
      return updates.state().problem;
    },
    end: async () => {
      await updates.close()();
      store.close();
    },
  };
}

const offered = (issued: number, days?: number) =>
  feed.offer('1.0.1', Buffer.from('program'), { now: issued, ...(days === undefined ? {} : { days }) });

it('takes no list that is earlier than one that it has seen, also after a restart', async () => {
  const now = Date.now();
  let run = await newRun();
  offered(now - 2 * day);
  expect(await run.check()).toBeNull();
  offered(now - day);
  expect(await run.check()).toBeNull();
  offered(now - 2 * day);
  expect(await run.check()).toBe('outdated');
  await run.end();
  run = await newRun();
  expect(await run.check()).toBe('outdated');
  offered(now - day);
  expect(await run.check()).toBeNull();
  offered(now);
  expect(await run.check()).toBeNull();
  await run.end();
});

it('takes no list that has expired, nor one from far ahead, and neither holds off a good one', async () => {
  const now = Date.now();
  const run = await newRun();
  offered(now - 3 * day, 2);
  expect(await run.check()).toBe('outdated');
  offered(now + 30 * day);
  expect(await run.check()).toBe('outdated');
  offered(now - day, 2);
  expect(await run.check()).toBeNull();
  await run.end();
});

it('knows the date of the latest list of each feed only as its own', async () => {
  const now = Date.now();
  let run = await newRun();
  offered(now);
  expect(await run.check()).toBeNull();
  await run.end();
  const before = feed;
  feed = await startFeed();
  offered(now - day);
  run = await newRun();
  expect(await run.check()).toBeNull();
  await run.end();
  await before.close();
});
