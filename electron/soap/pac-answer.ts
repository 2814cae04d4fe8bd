import { appError } from '../core/foundation/app-error.ts';

/** One entry of a PAC answer. Host and port of the proxy; empty for a direct connection. */
export type Entry = { readonly kind: 'DIRECT' | 'PROXY' | 'HTTPS'; readonly host: string; readonly port: number };

/** The usable entries of a PAC answer, in order; an empty answer means a direct connection. Throws proxy-failed if none is usable. */
export function entriesOf(proxy: string): Entry[] {
  const entries = proxy.split(';').flatMap((text): Entry[] => {
    const [kind = '', address = ''] = text.trim().split(/\s+/);
    if (kind.toUpperCase() === 'DIRECT') return [{ kind: 'DIRECT', host: '', port: 0 }];
    const hostPort = /^(.+):(\d{1,5})$/.exec(address);
    const known = ({ PROXY: 'PROXY', HTTP: 'PROXY', HTTPS: 'HTTPS' } as const)[kind.toUpperCase()];
    return hostPort && known
      ? [{ kind: known, host: (hostPort[1] ?? '').replace(/^\[|\]$/g, ''), port: Number(hostPort[2]) }]
      : [];
  });
  if (entries.length === 0 && proxy.trim() !== '') {
    throw appError('service-unreachable', 'no proxy of a kind that can be used', { detail: 'proxy-failed' });
  }
  return entries.length > 0 ? entries : [{ kind: 'DIRECT', host: '', port: 0 }];
}

/** An entry as text: the same proxy has the same text. */
export function textOfEntry({ kind, host, port }: Entry): string {
  return kind === 'DIRECT' ? kind : `${kind} ${host.toLowerCase()}:${port}`;
}

/** The proxies of a PAC answer, without those that cannot be used. Empty for a direct connection. */
export function proxiesOf(proxy: string): readonly string[] {
  try {
    return entriesOf(proxy)
      .filter(({ kind }) => kind !== 'DIRECT')
      .map(textOfEntry);
  } catch {
    return [];
  }
}
