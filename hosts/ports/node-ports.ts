import { appError } from '../../electron/core/foundation/app-error.ts';
import type { Keychain, Network, PracticePort } from '../../electron/core/foundation/ports.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The proxy named by HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY (in upper or lower case), as a PAC answer, which
 * cannot hold the user and password of the address: those are `environmentLogin`.
 */
export function environmentNetwork(env: Environment): Network {
  return { resolveProxy: async (url) => proxyFor(url, env) };
}

/** User and password in the address of the proxy that the environment names for an address; null without. */
export function environmentLogin(env: Environment, url: string): { user: string; password: string } | null {
  const proxy = proxyNamed(url, env);
  if (!proxy?.username) return null;
  try {
    return { user: decodeURIComponent(proxy.username), password: decodeURIComponent(proxy.password) };
  } catch {
    return null;
  }
}

function proxyNamed(url: string, env: Environment): URL | null {
  const target = new URL(url);
  const named = (name: string) => env[name.toLowerCase()] || env[name] || '';
  const address = named(target.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY') || named('ALL_PROXY');
  if (!address || isExempt(target, named('NO_PROXY'))) return null;
  const proxy = parsed(withScheme(address));
  return proxy?.hostname && /^https?:$/.test(proxy.protocol) ? proxy : null;
}

function proxyFor(url: string, env: Environment): string {
  const proxy = proxyNamed(url, env);
  if (!proxy) return 'DIRECT';
  const port = proxy.port || (proxy.protocol === 'https:' ? '443' : '80');
  return `${proxy.protocol === 'https:' ? 'HTTPS' : 'PROXY'} ${proxy.hostname}:${port}`;
}

const withScheme = (address: string) => (/^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`);

/** URL.parse does not exist in the oldest supported Node. */
function parsed(address: string): URL | null {
  return URL.canParse(address) ? new URL(address) : null;
}

/** This computer is never reached through a proxy: the practice service listens here only. */
const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

function isExempt(target: URL, list: string): boolean {
  const host = target.hostname.toLowerCase();
  const port = target.port || (target.protocol === 'https:' ? '443' : '80');
  if (loopback.test(host)) return true;
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)
    .some((entry) => {
      if (entry === '*') return true;
      const [, name = '', entryPort] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (entryPort && entryPort !== port) return false;
      const suffix = name.replace(/^\*?\./, '');
      return host === suffix || host.endsWith(`.${suffix}`);
    });
}

/** Starts the practice service in this process. `keepIn` is the folder of its data; without it, the core chooses. */
export function practicePort(assetsDir: string, keepIn?: string): PracticePort {
  return {
    start: async (dataDir) => {
      // Loaded when it is first used.
      const { startPractice } = await import('../../practice/practice-service.ts');
      return startPractice({ dataDir: keepIn ?? dataDir, assetsDir });
    },
  };
}

const readOnly = async () => {
  throw appError('storage-unusable', 'this run does not write to the keychain', { detail: 'keychain-unavailable' });
};

/**
 * A keychain that is read and never written: the core keeps credentials given for one run for that run only, and the
 * desktop app's entries do not change. Without `below` it is empty.
 */
export function borrowedKeychain(below?: Keychain): Keychain {
  return { get: async (account) => (await below?.get(account)) ?? null, set: readOnly, remove: readOnly };
}

/** Asked for with every call to a service, and the same as long as the program runs. */
let languages: readonly string[] | undefined;

/** BCP 47 tags of the system's languages for hosts without Electron: the language that the environment names. */
export function systemLanguages(): readonly string[] {
  // All of Intl resolve the same one; the plural rules are there at once, what formats dates after 25 ms.
  languages ??= [new Intl.PluralRules().resolvedOptions().locale];
  return languages;
}
