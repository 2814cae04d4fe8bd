import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openPolicy } from '../../../electron/core/settings/policy.ts';
import { createUpdates } from '../../../electron/core/updates/updates.ts';
import { newKey } from '../../harness/update-feed.ts';

const folder = mkdtempSync(join(tmpdir(), 'sealdesk-program-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What the program says of updates, installed in this folder by an installer, with a feed and a key. */
async function stateIn(place: string, installation: 'windows-installer' | 'disk-image') {
  const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const written = { updateFeed: 'https://updates.example', updateKey: newKey().setting };
  const policy = await openPolicy({ name: 'test', read: async () => written, watch: () => () => undefined }, log);
  const updates = createUpdates({
    ports: {
      installation,
      version: '1.0.0',
      network: { resolveProxy: async () => 'DIRECT' },
      updater: { program: null, folder: place, open: () => Promise.reject(new Error('nothing is asked')) },
      log,
    },
    policy,
    store: {
      settings: { get: () => null, put: () => undefined, putUnsynced: () => undefined, remove: () => undefined },
    },
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
  });
  await expect.poll(() => updates.state().offReason).not.toBe('source');
  const { stage, offReason } = updates.state();
  updates.close();
  return { stage, offReason };
}

it.each(['windows-installer', 'disk-image'] as const)(
  '%s: the program updates itself only where the person may write into its folder',
  async (installation) => {
    expect(await stateIn(folder, installation)).toEqual({ stage: 'idle', offReason: null });
    expect(await stateIn(join(folder, 'not-mine'), installation)).toEqual({
      stage: 'off',
      offReason: 'not-replaceable',
    });
  },
);
