import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodes, worstOf } from '../../../hosts/cli/exit-code.ts';
import { environmentNetwork } from '../../../hosts/ports/environment-network.ts';
import { fileLog } from '../../../hosts/ports/file-log.ts';

describe('the proxy that the environment names', () => {
  const service = 'https://api.example.com/a.asmx';
  it.each([
    [{}, service, 'DIRECT'],
    [{ HTTPS_PROXY: 'http://proxy.example.com:3128' }, service, 'PROXY proxy.example.com:3128'],
    [{ https_proxy: 'proxy.example.com:8080' }, service, 'PROXY proxy.example.com:8080'],
    [{ HTTPS_PROXY: 'http://proxy.example.com' }, service, 'PROXY proxy.example.com:80'],
    [{ HTTPS_PROXY: 'https://proxy.example.com' }, service, 'HTTPS proxy.example.com:443'],
    [{ HTTPS_PROXY: 'http://user:word@proxy.example.com:3128' }, service, 'PROXY proxy.example.com:3128'],
    [{ HTTP_PROXY: 'http://proxy.example.com:3128' }, service, 'DIRECT'],
    [{ HTTP_PROXY: 'http://proxy.example.com:3128' }, 'http://api.example.com/', 'PROXY proxy.example.com:3128'],
    [{ ALL_PROXY: 'http://proxy.example.com:3128' }, service, 'PROXY proxy.example.com:3128'],
    [{ ALL_PROXY: 'socks5://proxy.example.com:1080' }, service, 'DIRECT'],
    [{ ALL_PROXY: 'http://p:1' }, 'http://127.0.0.1:8090/', 'DIRECT'],
    [{ ALL_PROXY: 'http://p:1' }, 'http://localhost:8090/', 'DIRECT'],
    [{ ALL_PROXY: 'not an address' }, service, 'DIRECT'],
    [{ ALL_PROXY: 'http://p:1', NO_PROXY: '*' }, service, 'DIRECT'],
    [{ ALL_PROXY: 'http://p:1', NO_PROXY: 'example.com' }, service, 'DIRECT'],
    [{ ALL_PROXY: 'http://p:1', NO_PROXY: '.example.com, other' }, service, 'DIRECT'],
    [{ ALL_PROXY: 'http://p:1', no_proxy: 'API.example.com:443' }, service, 'DIRECT'],
    [{ ALL_PROXY: 'http://p:1', NO_PROXY: 'api.example.com:8443' }, service, 'PROXY p:1'],
    [{ ALL_PROXY: 'http://p:1', NO_PROXY: 'ample.com' }, service, 'PROXY p:1'],
  ])('%j for %s is %s', async (env, url, answer) => {
    expect(await environmentNetwork(env).resolveProxy(url)).toBe(answer);
  });
});

describe('the log file', () => {
  it('is readable by its owner only, has one object a line, and never exceeds its limit', () => {
    const folder = mkdtempSync(join(tmpdir(), 'sealdesk-log-'));
    const path = join(folder, 'below', 'program.log');
    const log = fileLog(path);
    for (let n = 0; n < 30; n += 1) log.info('filled', { n, text: 'x'.repeat(200_000) });
    log.error('last', { reference: 'abc' });
    const files = readdirSync(join(folder, 'below'));
    expect(files.sort()).toEqual(['program.log', 'program.log.old']);
    for (const name of files) expect(statSync(join(folder, 'below', name)).size).toBeLessThan(2_500_000);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
    const last = readFileSync(path, 'utf8').trimEnd().split('\n').at(-1) ?? '';
    expect(JSON.parse(last)).toMatchObject({ level: 'error', message: 'last', reference: 'abc' });
    rmSync(folder, { recursive: true });
  });

  it('stops nothing if it cannot be written', () => {
    expect(() => fileLog('/dev/null/no/such.log').info('x')).not.toThrow();
  });
});

describe('the command line', () => {
  it('ends with the most urgent exit code', () => {
    const { fine, refused, inDoubt, notReachable, interrupted } = exitCodes;
    expect(worstOf([])).toBe(fine);
    expect(worstOf([fine, refused])).toBe(refused);
    expect(worstOf([refused, notReachable, fine])).toBe(notReachable);
    expect(worstOf([notReachable, inDoubt, refused])).toBe(inDoubt);
    expect(worstOf([interrupted, inDoubt])).toBe(inDoubt);
    expect(worstOf([interrupted, fine])).toBe(interrupted);
  });
});
