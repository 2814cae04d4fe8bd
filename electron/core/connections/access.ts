import type { AccessChange, ConnectionSettings } from '../../../contract/connections.ts';
import { type ClientIdentity, type ReadIdentity, readIdentity } from '../../soap/trust/client-identity.ts';
import { type ProxyLogin, proxiesOf } from '../../soap/wire/network-route.ts';
import type { FileRegistry } from '../files/local-file.ts';
import { readGivenFile } from '../files/open-file.ts';
import type { ClientCertificateStore, ProxyLoginStore } from '../secrets/credentials.ts';

/** What lets the calls of a connection through. */
export interface Access {
  readonly proxyLogin: ProxyLogin | null;
  readonly identity: ClientIdentity | null;
}

export const noAccess: Access = { proxyLogin: null, identity: null };

/** The same access where the organisation's policy says which authorities are trusted: those in the file of the client certificate are not. */
export function withoutAuthorities<T extends Access>(access: T): T {
  return { ...access, identity: access.identity && { ...access.identity, authoritiesIgnored: true } };
}

/** A change whose files have been read. */
export interface PreparedAccess {
  readonly proxyLogin: AccessChange['proxyLogin'];
  readonly clientCertificate: ReadIdentity | null | undefined;
}

/** Reads and keeps what lets connections through: login at the proxy, client certificate. */
export type ConnectionAccess = ReturnType<typeof createConnectionAccess>;

interface Needs {
  readonly proxyLogins: ProxyLoginStore;
  readonly certificates: ClientCertificateStore;
  readonly files: Pick<FileRegistry, 'file'>;
  /** The PAC answer of a setting for an address. */
  readonly proxyOf: (proxy: ConnectionSettings['proxy'], url: string) => Promise<string>;
}

/** A certificate with its chain has some kilobytes. */
const maxCertificateBytes = 128 * 1024;

export function createConnectionAccess({ proxyLogins, certificates, files, proxyOf }: Needs) {
  const read = new Map<string, Access>();
  return {
    shown: (id: string) => ({ proxyLogin: proxyLogins.shown(id), clientCertificate: certificates.shown(id) }),
    /** Reads the keychain only if there is something, and once. Never rejects. */
    of: async (id: string): Promise<Access> => {
      const known = read.get(id);
      if (known) return known;
      const [hasLogin, hasCertificate] = [proxyLogins.shown(id) !== null, certificates.shown(id) !== null];
      const proxyLogin = hasLogin ? await proxyLogins.get(id) : null;
      const identity = hasCertificate ? await certificates.get(id) : null;
      const access = { proxyLogin, identity };
      // A keychain that was locked may be open the next time.
      if (hasLogin === (proxyLogin !== null) && hasCertificate === (identity !== null)) read.set(id, access);
      return access;
    },
    /** Reads the files of a change, and keeps nothing. Rejects with bad-input, not-found or file-unreadable. */
    prepare: async ({ proxyLogin, clientCertificate }: AccessChange): Promise<PreparedAccess> => ({
      proxyLogin,
      clientCertificate: clientCertificate
        ? readIdentity(await bytesOf(files, clientCertificate.tokens), clientCertificate.password)
        : clientCertificate,
    }),
    keep: async (
      id: string,
      { proxyLogin, clientCertificate }: PreparedAccess,
      { baseUrl, proxy }: Pick<ConnectionSettings, 'baseUrl' | 'proxy'>,
    ) => {
      read.delete(id);
      if (proxyLogin) await proxyLogins.set(id, loginAt(proxyLogin, await proxyOf(proxy, baseUrl)));
      else if (proxyLogin === null) await proxyLogins.forget(id);
      if (clientCertificate) await certificates.set(id, clientCertificate);
      else if (clientCertificate === null) await certificates.forget(id);
      // A call may have read the old ones meanwhile.
      read.delete(id);
    },
    forgetLogin: async (id: string) => {
      await proxyLogins.forget(id);
      read.delete(id);
    },
    forgetCertificate: async (id: string) => {
      await certificates.forget(id);
      read.delete(id);
    },
  };
}

/** A login for the proxies that are in use while it is entered, and for no other. */
export function loginAt(login: { readonly user: string; readonly password: string }, proxy: string): ProxyLogin {
  return { ...login, proxies: proxiesOf(proxy) };
}

async function bytesOf(files: Needs['files'], tokens: readonly string[]): Promise<readonly Buffer[]> {
  const found: Buffer[] = [];
  for (const token of tokens) found.push(await readGivenFile((await files.file(token)).path, maxCertificateBytes));
  return found;
}
