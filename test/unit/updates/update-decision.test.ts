import { describe, expect, it } from 'vitest';
import type { Installation } from '../../../contract/app.ts';
import { openPolicy } from '../../../electron/core/settings/policy.ts';
import { noPolicy, readPolicy } from '../../../electron/core/settings/read-policy.ts';
import { decideUpdates } from '../../../electron/core/updates/signed-feed.ts';
import { newKey } from '../../harness/update-feed.ts';

const log = { info: () => undefined, error: () => undefined };
const key = newKey().setting;
const feed = 'https://updates.example/sealdesk';
const whole = { updateFeed: feed, updateKey: key };

async function decide(written: object | null | Error, installation: Installation = 'appimage', mayReplace = true) {
  const read = async () => {
    if (written instanceof Error) throw written;
    return written as Record<string, unknown> | null;
  };
  const policy = await openPolicy({ name: 'test', read, watch: () => () => undefined }, log);
  return decideUpdates(installation, policy, mayReplace);
}

describe('whether the program updates itself', () => {
  it.each(['appimage', 'disk-image', 'windows-installer'] as const)(
    '%s: with a feed and a key',
    async (installation) => {
      const settings = { feed, keys: key, publisher: null };
      expect(await decide(whole, installation)).toEqual({ off: null, settings });
      expect((await decide(null, installation)).off).toBe('no-feed');
    },
  );

  it.each(['source', 'folder', 'package', 'windows-msi'] as const)('%s: never', async (installation) => {
    expect((await decide(whole, installation)).off).toBe(installation);
    expect((await decide(new Error('broken'), installation)).off).toBe(installation);
  });

  it.each([
    ['no policy', null, 'no-feed'],
    ['a key without a feed', { updateKey: key }, 'no-feed'],
    ['a feed without a key', { updateFeed: feed }, 'no-key'],
    ['switched off', { ...whole, updates: false }, 'policy'],
    ['switched off in the registry', { ...whole, updates: 0 }, 'policy'],
    ['a switch that cannot be read', { ...whole, updates: 'perhaps' }, 'policy-broken'],
    ['a feed without encryption', { ...whole, updateFeed: 'http://updates.example' }, 'policy-broken'],
    ['a feed that only begins as this computer', { ...whole, updateFeed: 'http://localhost.example' }, 'policy-broken'],
    ['a key that is none', { ...whole, updateKey: 'secret' }, 'policy-broken'],
    ['a proxy that cannot be read', { ...whole, proxy: 'somewhere' }, 'policy-broken'],
    ['a policy that cannot be read', new Error('broken'), 'policy-broken'],
  ] as const)('%s: off', async (_what, written, reason) => {
    expect((await decide(written)).off).toBe(reason);
  });

  it('is off where the person may not replace the file', async () => {
    expect((await decide(whole, 'appimage', false)).off).toBe('not-replaceable');
  });

  it('takes a feed on this computer without encryption, and several keys', async () => {
    for (const updateFeed of ['http://127.0.0.1:8080/a', 'http://localhost', 'http://[::1]:1/']) {
      const written = { updateFeed, updateKey: `${key} ${newKey().setting}` };
      expect(readPolicy(written, noPolicy).problems).toEqual([]);
    }
  });
});
