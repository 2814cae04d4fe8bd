import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { boundDumps, countDumps, openCrashRecords } from '../../electron/shell/system/crash-records.ts';

const folder = mkdtempSync(join(tmpdir(), 'sealdesk-crashes-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const open = (name: string) => openCrashRecords(join(folder, name), join(folder, 'dumps'));

describe('the records of unexpected ends', () => {
  it('tell a run that did not end properly, until a person has seen it', () => {
    open('a.json').ended();
    const second = open('a.json');
    expect([second.isUnseen(), second.all()]).toEqual([false, []]);
    const third = open('a.json');
    expect(third.all()).toEqual([{ at: expect.any(String), part: 'program', reason: 'not-ended' }]);
    third.ended();
    const fourth = open('a.json');
    expect(fourth.isUnseen()).toBe(true);
    fourth.markSeen();
    fourth.ended();
    expect(open('a.json').isUnseen()).toBe(false);
  });

  it('are told to those who listen, are private and stay few', () => {
    const records = open('b.json');
    let told = 0;
    records.onCrash(() => (told += 1));
    for (let n = 0; n < 50; n += 1) records.add('window', `reason-${n}`);
    expect(told).toBe(50);
    expect(records.all()).toHaveLength(20);
    expect(records.all().at(-1)?.reason).toBe('reason-49');
    expect(statSync(join(folder, 'b.json')).mode & 0o077).toBe(0);
  });

  it.each(['', '{', '[]', '{"running":7}', `{"running":null,"isUnseen":true,"crashes":"${'x'.repeat(99)}"}`])(
    'begin anew if the file holds %j',
    (text) => {
      writeFileSync(join(folder, 'c.json'), text);
      expect(open('c.json').all()).toEqual([]);
      expect(JSON.parse(readFileSync(join(folder, 'c.json'), 'utf8'))).toMatchObject({ isUnseen: false });
    },
  );
});

describe('memory images', () => {
  it('are the newest five, with what lies beside them, in a private folder', () => {
    const dumps = join(folder, 'dumps');
    mkdirSync(join(dumps, 'completed'), { recursive: true });
    chmodSync(dumps, 0o755);
    for (let n = 0; n < 8; n += 1) {
      for (const ending of ['dmp', 'meta']) {
        const path = join(dumps, 'completed', `${n}.${ending}`);
        writeFileSync(path, '');
        utimesSync(path, n, n);
      }
    }
    writeFileSync(join(dumps, 'settings.dat'), '');
    boundDumps(dumps);
    expect(countDumps(dumps)).toBe(5);
    expect(readdirSync(join(dumps, 'completed')).sort()).toEqual(
      [3, 4, 5, 6, 7].flatMap((n) => [`${n}.dmp`, `${n}.meta`]),
    );
    expect(readdirSync(dumps)).toContain('settings.dat');
    expect(statSync(dumps).mode & 0o077).toBe(0);
    boundDumps(join(folder, 'nothing'));
    expect(countDumps(join(folder, 'nothing'))).toBe(0);
  });
});
