import { chmod, mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { policyFile } from '../../../electron/host-kit/policy-file.ts';
import { managedPreferences } from '../../../electron/host-kit/system-policy.ts';

// Folders above the temporary one belong to root; this one and the file to whoever runs the tests.
const owners = [process.getuid?.() ?? 0];
let folder: string;
let path: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'sealdesk-policy-')));
  path = join(folder, 'policy.json');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(text: string | Buffer, mode = 0o644): Promise<void> {
  await writeFile(path, text);
  await chmod(path, mode);
}

const read = (trusted = owners) => policyFile(path, trusted).read();
const broken = (note: RegExp) =>
  expect.objectContaining({
    failure: expect.objectContaining({ detail: 'policy-broken', note: expect.stringMatching(note) }),
  });

describe('a policy file', () => {
  it('is read, with a byte order mark too, and is nothing where it does not exist', async () => {
    expect(await read()).toBeNull();
    expect(await policyFile(join(path, 'below', 'a-file.json'), owners).read()).toBeNull();
    await write('\ufeff{"theme":"dark"}');
    expect(await read()).toEqual({ theme: 'dark' });
  });

  it.each([
    ['cut in half', '{"theme": "da', /not valid JSON/],
    ['empty', '', /not valid JSON/],
    ['a list', '[]', /one object/],
    ['a text', '"dark"', /one object/],
    ['of two values for one setting', '{"theme":"dark","language":"de","theme":"light"}', /names "theme" twice/],
    [
      'of two values within a setting',
      '{"connections":[{"name":"A"},{"name":"B","n\\u0061me":"C"}]}',
      /names "name" twice/,
    ],
    ['far too large', Buffer.alloc(4_000_001, 32), /larger than/],
  ])('that is %s is refused with a sentence', async (_what, text, note) => {
    await write(text);
    await expect(read()).rejects.toEqual(broken(note));
  });

  it('that is a folder is refused', async () => {
    await mkdir(path);
    await expect(read()).rejects.toEqual(broken(/is not a file|cannot be read/));
  });

  it('may name a thing in each of several objects, and say it in a text', async () => {
    const text = '{"connections":[{"name":"A","note":"{\\"name\\":1}"},{"name":"name"}],"name":{"name":[]}}';
    await write(text);
    expect(await read()).toEqual(JSON.parse(text));
  });

  it.each([
    ['its group', 0o664],
    ['everybody', 0o646],
  ])('that %s can write is refused', async (_who, mode) => {
    await write('{}', mode);
    await expect(read()).rejects.toEqual(broken(/chmod go-w/));
  });

  it('in a folder that others can write is refused, also behind a link', async () => {
    await write('{}');
    await chmod(folder, 0o777);
    await expect(read()).rejects.toEqual(broken(/chmod go-w/));
    const safe = await realpath(await mkdtemp(join(tmpdir(), 'sealdesk-policy-')));
    await symlink(path, join(safe, 'policy.json'));
    await expect(policyFile(join(safe, 'policy.json'), owners).read()).rejects.toEqual(broken(/chmod go-w/));
    await rm(safe, { recursive: true });
  });

  it('of somebody else than root is refused', async () => {
    await write('{}');
    const { chown } = await import('node:fs/promises');
    // Root can give it away; anybody else owns it already.
    if (process.getuid?.() === 0) await chown(path, 65534, 65534);
    await expect(read([])).rejects.toEqual(broken(/must belong to root/));
  });

  it('is noticed when it appears, changes and goes', async () => {
    let seen = 0;
    const changes = new Set<() => void>();
    const next = () => new Promise<void>((done) => changes.add(done));
    const stop = policyFile(path, owners, 100).watch(() => {
      seen += 1;
      for (const done of changes) done();
      changes.clear();
    });
    for (const change of [
      () => write('{}'),
      async () => {
        await writeFile(join(folder, 'new'), '{"theme":"dark"}');
        await rename(join(folder, 'new'), path);
      },
      () => rm(path, { force: true }),
    ]) {
      const noticed = next();
      // What is written before the first look is no change.
      const again = setInterval(() => void change(), 1_000);
      await change();
      await noticed;
      clearInterval(again);
    }
    expect(seen).toBeGreaterThanOrEqual(3);
    stop();
  }, 60_000);
});

describe('managed preferences', () => {
  const user = 'ana';
  const bundleId = 'org.example.program';
  const source = (converted: Readonly<Record<string, string>>) =>
    managedPreferences(bundleId, {
      user,
      where: folder,
      owners,
      toJson: async (file) => converted[file] ?? Promise.reject(new Error('no property list')),
    });

  it('of the computer come before those of the person, each key by itself', async () => {
    const [own, all] = [join(folder, user, `${bundleId}.plist`), join(folder, `${bundleId}.plist`)];
    expect(await source({}).read()).toBeNull();
    await mkdir(join(folder, user));
    await writeFile(own, 'bplist00', { mode: 0o644 });
    await writeFile(all, 'bplist00', { mode: 0o644 });
    const policy = source({
      [own]: '{"theme":"light","tray":true,"Recommended":{"atOnce":2,"language":"de"}}',
      [all]: '{"Theme":"dark","recommended":{"atOnce":3}}',
    });
    expect(await policy.read()).toEqual({ theme: 'dark', tray: true, recommended: { atonce: 3, language: 'de' } });
  });

  it('that are no property list are refused', async () => {
    await writeFile(join(folder, `${bundleId}.plist`), 'x', { mode: 0o644 });
    await expect(source({}).read()).rejects.toEqual(broken(/property list/));
  });
});
