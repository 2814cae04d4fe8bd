import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { atEnd, jobsOf, newCore, newFolder, pdf, register, untilEnded } from '../core/jobs-setup.ts';
import { memoryKeychain } from '../harness/core.ts';
import { kill, namesOf, newRun, runQueue } from './fault-runs.ts';

const parts = (folder: string) => (existsSync(folder) ? readdirSync(folder) : []).filter((name) => /part$/.test(name));

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Resolves with the first name that fits. */
async function appeared(folder: string, fits: (name: string) => boolean): Promise<string> {
  for (;;) {
    const found = (existsSync(folder) ? readdirSync(folder) : []).find(fits);
    if (found) return found;
    await sleep(2);
  }
}

describe('the next start after a kill removes', () => {
  it('a partial copy in the spool, even if its job can never be copied again', async () => {
    const { folder, dataDir, env } = await newRun(['large.pdf'], 0);
    const large = join(folder, 'large.pdf');
    writeFileSync(large, pdf('large'));
    truncateSync(large, 512 * 1024 * 1024);
    const child = runQueue({ ...env, FOLDER: folder });
    // An empty one may go again by itself: trying to share blocks makes a file, and removes it where that cannot be done.
    const spool = join(dataDir, 'spool');
    await appeared(spool, (name) => name.endsWith('.part') && sizeOf(join(spool, name)) > 0);
    await kill(child);
    expect(parts(spool)).toHaveLength(1);
    rmSync(large);
    const core = await newCore({ dataDir });
    await expect.poll(async () => (await jobsOf(core)).map(({ state }) => state)).toEqual(['failed']);
    await expect.poll(() => readdirSync(spool)).toEqual([]);
  });

  it('the temporary file of a download, and nothing else beside its target', async () => {
    const { service, folder, dataDir, env } = await newRun(namesOf(1), 0);
    const { CONNECTION_ID: connectionId, CREDENTIALS: credentials } = env;
    const keychain = memoryKeychain(new Map([[connectionId, credentials]]));
    const first = await newCore({ dataDir, keychain });
    const [job] = await untilEnded(first, await register(first, connectionId, [join(folder, '00.pdf')]));
    await first.stop();
    const to = await newFolder();
    const others = ['.copy.pdf.part', '.other.pdf.0123456789ab.part', 'copy.pdf.0123456789ab.part', '.copy.pdf.x.part'];
    for (const name of others) writeFileSync(join(to, name), 'somebody else’s');
    service.control.misbehave({ mischief: { kind: 'slow', bytes: 1, everyMs: 50 }, operation: 'GetDocument' });
    const child = runQueue(
      { ...env, DOCUMENT_ID: job?.documentId ?? '', TARGET: join(to, 'copy.pdf') },
      'download-program.ts',
    );
    await appeared(to, (name) => !others.includes(name));
    await kill(child);
    expect(readdirSync(to)).toHaveLength(others.length + 1);
    await newCore({ dataDir });
    await expect.poll(() => readdirSync(to).sort()).toEqual([...others].sort());
    await expect.poll(() => readdirSync(join(dataDir, 'targets'))).toEqual([]);
  });

  it('the temporary file of a download while another program writes the same file, whose own one stays', async () => {
    const { service, folder, dataDir, env } = await newRun(namesOf(1), 0);
    const { CONNECTION_ID: connectionId, CREDENTIALS: credentials } = env;
    const first = await newCore({ dataDir, keychain: memoryKeychain(new Map([[connectionId, credentials]])) });
    const [job] = await untilEnded(first, await register(first, connectionId, [join(folder, '00.pdf')]));
    await first.stop();
    const to = await newFolder();
    service.control.misbehave({ mischief: { kind: 'slow', bytes: 1, everyMs: 50 }, operation: 'GetDocument' });
    const download = () =>
      runQueue({ ...env, DOCUMENT_ID: job?.documentId ?? '', TARGET: join(to, 'copy.pdf') }, 'download-program.ts');
    const killed = download();
    const left = await appeared(to, () => true);
    await kill(killed);
    const running = download();
    atEnd(() => kill(running));
    const own = await appeared(to, (name) => name !== left);
    await newCore({ dataDir });
    await expect.poll(() => readdirSync(join(dataDir, 'targets'))).toHaveLength(1);
    await expect.poll(() => readdirSync(to)).toEqual([own]);
  });

  it('partial database copies and settings, and folders of tables that were never stored', async () => {
    const dataDir = await newFolder();
    const first = await newCore({ dataDir });
    await first.stop();
    const dead = spawn('true');
    await new Promise((resolve) => dead.once('exit', resolve));
    const left = ['sealdesk.db.v6.bak.part', `settings.json.${dead.pid}.new`];
    const kept = ['sealdesk.db.v6.bak', `settings.json.${process.pid}.new`, 'notes.part'];
    for (const name of [...left, ...kept]) writeFileSync(join(dataDir, name), 'half');
    for (const name of ['old', 'new']) mkdirSync(join(dataDir, 'bulk', name), { recursive: true });
    writeFileSync(join(dataDir, 'bulk', 'old', 'document-0'), 'a document');
    const yesterday = Date.now() / 1000 - 2 * 86_400;
    utimesSync(join(dataDir, 'bulk', 'old'), yesterday, yesterday);
    await newCore({ dataDir });
    await expect.poll(() => readdirSync(join(dataDir, 'bulk'))).toEqual(['new']);
    const now = readdirSync(dataDir);
    expect(left.filter((name) => now.includes(name))).toEqual([]);
    expect(kept.filter((name) => !now.includes(name))).toEqual([]);
  });

  it('temporary folders of ended command lines, but no folders of running ones or of others', async () => {
    const TMPDIR = await newFolder();
    const module = new URL('../../hosts/cli/data-folder.ts', import.meta.url);
    const program = `import { makeTemporaryFolder } from '${module}';
      console.log(makeTemporaryFolder().path);
      setInterval(() => {}, 1_000);`;
    const start = async () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
        env: { ...process.env, TMPDIR },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      atEnd(() => kill(child));
      const path = await new Promise<string>((resolve) =>
        child.stdout.once('data', (text) => resolve(String(text).trim())),
      );
      writeFileSync(join(path, 'lease.pdf'), pdf('lease'));
      return { child, path };
    };
    const [killed, running] = [await start(), await start()];
    const foreign = join(TMPDIR, 'sealdesk-somebody');
    mkdirSync(foreign);
    await kill(killed.child);
    const next = await start();
    expect(
      readdirSync(TMPDIR)
        .map((name) => join(TMPDIR, name))
        .sort(),
    ).toEqual([foreign, running.path, next.path].sort());
  });
});
