import { describe, expect, it } from 'vitest';
import { proxyFor } from '../../electron/core/connections/service-clients.ts';
import type { Log, Network } from '../../electron/core/foundation/ports.ts';
import { entriesOf } from '../../electron/soap/wire/network-route.ts';

const quiet: Log = { info: () => undefined, error: () => undefined };
const network: Network = { resolveProxy: async (url) => `PROXY for-${new URL(url).hostname}:8080; DIRECT` };
const url = 'https://service.example/api';

describe('the way to a service', () => {
  it('is what the setting says', async () => {
    expect(await proxyFor({ mode: 'none' }, url, network, quiet)).toBe('DIRECT');
    expect(await proxyFor({ mode: 'system' }, url, network, quiet)).toBe('PROXY for-service.example:8080; DIRECT');
    const manual = (address: string) => proxyFor({ mode: 'manual', address }, url, network, quiet);
    expect(await manual('http://proxy.example')).toBe('PROXY proxy.example:80');
    expect(await manual('http://proxy.example:3128')).toBe('PROXY proxy.example:3128');
    expect(await manual('https://proxy.example')).toBe('HTTPS proxy.example:443');
    expect(await manual('http://[::1]:3128')).toBe('PROXY [::1]:3128');
  });

  it('is direct where the system does not say', async () => {
    const broken: Network = { resolveProxy: async () => Promise.reject(new Error('no')) };
    expect(await proxyFor({ mode: 'system' }, url, broken, quiet)).toBe('DIRECT');
    expect(await proxyFor({ mode: 'system' }, url, { resolveProxy: async () => '' }, quiet)).toBe('DIRECT');
  });

  it('is read from a PAC answer, in order', () => {
    expect(entriesOf('PROXY a.example:8080; HTTPS [::1]:443;DIRECT')).toEqual([
      { kind: 'PROXY', host: 'a.example', port: 8080 },
      { kind: 'HTTPS', host: '::1', port: 443 },
      { kind: 'DIRECT', host: '', port: 0 },
    ]);
    expect(entriesOf('')).toEqual([{ kind: 'DIRECT', host: '', port: 0 }]);
    expect(() => entriesOf('SOCKS a.example:1080')).toThrow('no proxy of a kind that can be used');
    expect(entriesOf('SOCKS a.example:1080; PROXY b.example:1')).toEqual([
      { kind: 'PROXY', host: 'b.example', port: 1 },
    ]);
  });
});
