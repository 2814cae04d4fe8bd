import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fetchFile, problemOf } from '../../../electron/core/updates/fetch-file.ts';
import { assertCurrent, feedFileOf, isSigned, readFeed } from '../../../electron/core/updates/signed-feed.ts';
import { appImage, newKey, startFeed, type UpdateFeed } from '../../harness/update-feed.ts';

const linux = { platform: 'linux', arch: 'x64' } as const;
const sha512 = `${'A'.repeat(86)}==`;
const dates = { issuedAt: '2027-01-10T12:00:00.000Z', expiresAt: '2027-04-10T12:00:00.000Z' };
const entry = (url: string, more: object = {}) => ({ url, sha512, size: 10, ...more });
const problemIn = (list: object | null, target: Parameters<typeof readFeed>[1] = linux) => {
  try {
    return readFeed(list && { ...dates, ...list }, target).fileName;
  } catch (error) {
    return problemOf(error);
  }
};

describe('the list of a feed', () => {
  it.each([
    ['linux', 'x64', 'latest-linux.yml', 'Sealdesk-9.0.0.AppImage'],
    ['linux', 'arm64', 'latest-linux-arm64.yml', 'Sealdesk-9.0.0-arm64.AppImage'],
    ['darwin', 'x64', 'latest-mac.yml', 'Sealdesk-9.0.0-mac.zip'],
    ['darwin', 'arm64', 'latest-mac.yml', 'Sealdesk-9.0.0-arm64-mac.zip'],
    ['win32', 'x64', 'latest.yml', 'Sealdesk-Setup-9.0.0.exe'],
  ] as const)('has one file for %s %s', (platform, arch, name, fileName) => {
    const files = ['-arm64-mac.zip', '-mac.zip', '.AppImage', '-arm64.AppImage'].map((end) =>
      entry(`Sealdesk-9.0.0${end}`),
    );
    const list = { version: '9.0.0', files: [...files, entry('Sealdesk-Setup-9.0.0.exe')] };
    expect(feedFileOf({ platform, arch })).toBe(name);
    expect(problemIn(list, { platform, arch })).toBe(fileName);
  });

  it.each([
    ['of another program', { version: '9.0.0', files: [entry('Other-9.0.0.AppImage')] }],
    ['for another system', { version: '9.0.0', files: [entry('Sealdesk-Setup-9.0.0.exe')] }],
    ['for another processor', { version: '9.0.0', files: [entry('Sealdesk-9.0.0-arm64.AppImage')] }],
    ['of another version', { version: '9.0.0', files: [entry('Sealdesk-8.0.0.AppImage')] }],
    ['elsewhere', { version: '9.0.0', files: [entry('https://elsewhere.example/Sealdesk-9.0.0.AppImage')] }],
    ['in another folder', { version: '9.0.0', files: [entry('../Sealdesk-9.0.0.AppImage')] }],
    ['that is far too large', { version: '9.0.0', files: [entry('Sealdesk-9.0.0.AppImage', { size: 2 ** 31 })] }],
    ['without a size', { version: '9.0.0', files: [entry('Sealdesk-9.0.0.AppImage', { size: undefined })] }],
    ['without a hash', { version: '9.0.0', files: [entry('Sealdesk-9.0.0.AppImage', { sha512: '' })] }],
    ['of no version', { version: 'new', files: [entry('Sealdesk-new.AppImage')] }],
    ['and no date', { version: '9.0.0', files: [entry('Sealdesk-9.0.0.AppImage')], issuedAt: undefined }],
    ['and no end', { version: '9.0.0', files: [entry('Sealdesk-9.0.0.AppImage')], expiresAt: 'never' }],
    ['at all', null],
  ])('is refused with no file %s', (_what, list) => {
    expect(problemIn(list)).toBe('unusable');
  });
});

describe('the date of a list', () => {
  const day = (text: string) => `2027-${text}T12:00:00.000Z`;
  const judged = (newest: string | null, clock: string) => {
    try {
      assertCurrent(dates, newest, Date.parse(clock));
      return 'taken';
    } catch (error) {
      return problemOf(error);
    }
  };

  it.each([
    ['it has expired', null, day('04-11')],
    ['it has expired, and the clock was put back', day('04-10'), day('01-11')],
    ['a later one was seen', day('01-11'), day('01-12')],
    ['it is from the future, or the clock is far behind', null, day('01-01')],
  ])('is refused when it is old: %s', (_what, newest, clock) => {
    expect(judged(newest, clock)).toBe('outdated');
  });

  it.each([
    ['on the day', null, day('01-10')],
    ['again', dates.issuedAt, day('03-10')],
    ['after an earlier one', day('01-01'), day('01-11')],
    ['by a clock that is a day behind', null, day('01-09')],
  ])('is taken %s', (_what, newest, clock) => {
    expect(judged(newest, clock)).toBe('taken');
  });

  it('is written by the release, with an end', async () => {
    const feed = await startFeed();
    feed.offer('9.0.0', Buffer.from('program'));
    const offer = readFeed(JSON.parse(feed.read('latest-linux.yml').toString()), linux);
    await feed.close();
    expect(Math.abs(Date.parse(offer.issuedAt) - Date.now())).toBeLessThan(60_000);
    expect(Date.parse(offer.expiresAt) - Date.parse(offer.issuedAt)).toBe(90 * 24 * 3_600_000);
  });
});

describe('fetching', () => {
  let feed: UpdateFeed;
  let folder = '';
  beforeEach(async () => {
    feed = await startFeed();
    folder = mkdtempSync(join(tmpdir(), 'sealdesk-fetched-'));
  });
  afterEach(async () => {
    await feed.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('believes only a signature by one of the keys, over every byte', () => {
    feed.offer('9.0.0', Buffer.from('program'));
    const list = feed.read('latest-linux.yml');
    const signature = feed.read('latest-linux.yml.sig').toString();
    const other = newKey().setting;
    expect(isSigned(list, signature, feed.key.setting)).toBe(true);
    expect(isSigned(list, signature, `${other}\n${feed.key.setting}`)).toBe(true);
    expect(isSigned(list, signature, other)).toBe(false);
    expect(isSigned(list.subarray(1), signature, feed.key.setting)).toBe(false);
    for (const text of ['', 'x', signature.slice(4), `${signature}x`]) {
      expect(isSigned(list, text, feed.key.setting)).toBe(false);
    }
  });

  it('ends a file that drips, and leaves nothing of it', async () => {
    feed.offer('9.0.0', Buffer.from('program'));
    const name = appImage('9.0.0');
    feed.answer(name, (response) => {
      const timer = setInterval(() => response.write('#'), 100);
      response.on('close', () => clearInterval(timer));
    });
    const offer = readFeed(JSON.parse(feed.read('latest-linux.yml').toString()), linux);
    const path = join(folder, 'fetched');
    const started = Date.now();
    const fetched = fetchFile(
      new URL(`${feed.address}/${name}`),
      path,
      { ...offer, size: 8_000 },
      {
        way: { proxy: 'DIRECT', extraCa: '' },
        signal: AbortSignal.timeout(60_000),
        atLeastMs: 500,
        onReceived: () => undefined,
      },
    );
    expect(problemOf(await fetched.catch((error: unknown) => error))).toBe('too-slow');
    expect(Date.now() - started).toBeLessThan(30_000);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('goes through the proxy, and writes what was signed', async () => {
    const content = Buffer.from('program');
    feed.offer('9.0.0', content);
    const offer = readFeed(JSON.parse(feed.read('latest-linux.yml').toString()), linux);
    const path = join(folder, 'fetched');
    // The server stands in for a proxy: it is asked for an address that is not its own.
    const asked: (string | undefined)[] = [];
    feed.answer('http://feed.invalid/a', (response, request) => {
      asked.push(request.url);
      response.end(content);
    });
    await fetchFile(new URL('http://feed.invalid/a'), path, offer, {
      way: { proxy: `PROXY ${new URL(feed.address).host}`, extraCa: '' },
      signal: new AbortController().signal,
      onReceived: () => undefined,
    });
    expect(asked).toEqual(['http://feed.invalid/a']);
    expect(readFileSync(path).equals(content)).toBe(true);
  });
});
