import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { answerPageRequest, pageFile } from '../../electron/shell/page-files.ts';
import { isPageItself, isTrustedSender } from '../../electron/shell/trusted-url.ts';

const folder = mkdtempSync(join(tmpdir(), 'sealdesk-page-'));
writeFileSync(join(folder, 'index.html'), '<style nonce="__CSP_NONCE__"></style><meta nonce="__CSP_NONCE__">');
writeFileSync(join(folder, 'secret.txt'), 'not for the page');
afterAll(() => rmSync(folder, { recursive: true }));

describe('the check of the sender', () => {
  const top = (url: string) => ({ url, parent: null });

  it.each(['app://sealdesk/index.html', 'app://sealdesk/', 'app://sealdesk/index.html#/verify'])(
    'accepts %s',
    (url) => {
      expect(isTrustedSender(top(url))).toBe(true);
    },
  );

  it.each([
    'app://sealdesk.example/index.html',
    'app://sealdeskx/',
    'app://SEALDESK/index.html',
    'app://user@sealdesk/index.html',
    'app://sealdesk:80/index.html',
    'APP://sealdesk/index.html',
    'https://sealdesk/index.html',
    'file:///app://sealdesk/index.html',
    'data:text/html,app://sealdesk/index.html',
    'about:blank',
    '',
  ])('refuses %s', (url) => {
    expect(isTrustedSender(top(url))).toBe(false);
  });

  it('refuses frames inside the page and removed frames', () => {
    expect(isTrustedSender({ url: 'app://sealdesk/index.html', parent: {} })).toBe(false);
    expect(isTrustedSender(null)).toBe(false);
  });

  it('lets the page navigate to itself only', () => {
    expect(isPageItself('app://sealdesk/index.html')).toBe(true);
    expect(isPageItself('app://sealdesk/index.html#x')).toBe(true);
    expect(isPageItself('app://sealdesk/assets/a.js')).toBe(false);
    expect(isPageItself('app://sealdesk/index.html?x')).toBe(false);
  });
});

describe('files of the page', () => {
  it('are found if they were built', () => {
    expect(pageFile('/p', 'app://sealdesk/assets/index-a_B.1.js')).toBe(join('/p', 'assets', 'index-a_B.1.js'));
    expect(pageFile('/p', 'app://sealdesk/')).toBe(join('/p', 'index.html'));
  });

  it.each([
    '/../a.js',
    '/a/../../a.js',
    '/..%2fa.js',
    '/%2e%2e/a.js',
    '/..\\a.js',
    '//a.js',
    '/.hidden.js',
    '/a.js?b',
    '/a.js%00',
    '/C:/a.js',
    '/a.exe',
    '/constructor',
    '/x.constructor',
    '/x.__proto__',
    `/${'a/'.repeat(20)}a.js`,
  ])('are unknown: %s', (path) => {
    expect(pageFile('/p', `app://sealdesk${path}`)).toBeNull();
  });

  it('have a fresh nonce in page and policy', async () => {
    const nonces = new Set<string>();
    for (let load = 0; load < 20; load += 1) {
      const answer = await answerPageRequest(folder, 'GET', 'app://sealdesk/index.html');
      const nonce = /'nonce-([A-Za-z0-9+/=]{24})'/.exec(answer.headers['Content-Security-Policy'] ?? '')?.[1] ?? '';
      expect(answer.body).toBe(`<style nonce="${nonce}"></style><meta nonce="${nonce}">`);
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(20);
  });

  it('are answered with 404 for unknown kinds, missing files and other methods', async () => {
    for (const [method, path] of [
      ['GET', 'secret.txt'],
      ['GET', 'missing.js'],
      ['POST', 'index.html'],
    ] as const) {
      expect((await answerPageRequest(folder, method, `app://sealdesk/${path}`)).status).toBe(404);
    }
  });

  it('allow no text to become code and no connection', async () => {
    const { headers } = await answerPageRequest(folder, 'GET', 'app://sealdesk/index.html');
    const policy = headers['Content-Security-Policy'];
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(policy).toContain("connect-src 'none'");
  });
});
