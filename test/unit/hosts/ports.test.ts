import { describe, expect, it } from 'vitest';
import { exitCodes, worstOf } from '../../../hosts/cli/output/exit-code.ts';
import { createPrinter } from '../../../hosts/cli/output/printer.ts';
import { reportFailure } from '../../../hosts/cli/output/report.ts';
import { environmentNetwork } from '../../../hosts/ports/node-ports.ts';

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

describe('the command line', () => {
  it('does not call a service unreachable that answered what cannot be read', () => {
    const out: string[] = [];
    const output = { write: (text: string) => void out.push(text), drained: async () => undefined };
    const printer = createPrinter(false, output, { write: () => 0 });
    const note = 'GetAuthToken answered without a token';
    const failure = { code: 'reply-unreadable', note, retryable: false } as const;
    expect(reportFailure(printer, { operation: 'GetAuthToken' }, failure)).toBe(exitCodes.notReachable);
    expect(out.join('')).toBe(`${note}\n`);
  });

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
