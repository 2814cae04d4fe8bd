import type { AccessChange, Connection, WsdlWay } from '../../../contract/connections.ts';
import type { FileToken } from '../../../contract/files.ts';
import type { ConnectionDraft } from './connection-draft.ts';

/** What was entered of the way to the service, and is not saved yet. `certificate` null: unchanged. */
export interface TypedAccess {
  readonly proxyUser: string;
  readonly proxyPassword: string;
  readonly certificate: { readonly files: readonly FileToken[]; readonly password: string } | 'removed' | null;
}

/** Nothing entered: the stored user is shown, its password is not. */
export function untouchedAccess(connection: Connection | null): TypedAccess {
  return { proxyUser: connection?.proxyLogin?.user ?? '', proxyPassword: '', certificate: null };
}

/** The change that the core gets. What was not touched is left out, and the stored one stays. */
export function accessOf(typed: TypedAccess, connection: Connection | null, proxyMode: string): AccessChange {
  return { ...loginOf(typed, connection, proxyMode), ...certificateOf(typed) };
}

function loginOf(typed: TypedAccess, connection: Connection | null, proxyMode: string): AccessChange {
  const stored = connection?.proxyLogin ?? null;
  const user = typed.proxyUser.trim();
  if (proxyMode === 'none' || (user === '' && typed.proxyPassword === '')) return stored ? { proxyLogin: null } : {};
  if (user === stored?.user && typed.proxyPassword === '') return {};
  return { proxyLogin: { user, password: typed.proxyPassword } };
}

function certificateOf({ certificate }: TypedAccess): AccessChange {
  if (certificate === null) return {};
  if (certificate === 'removed') return { clientCertificate: null };
  const { files, password } = certificate;
  return { clientCertificate: { tokens: files.map(({ token }) => token), password } };
}

/** The way on which the WSDL of a form is read. An address of a proxy that is not typed to its end is left out. */
export function wayOf(typed: TypedAccess, connection: Connection | null, draft: ConnectionDraft): WsdlWay {
  const { proxyMode, proxyAddress } = draft;
  const manual = URL.canParse(proxyAddress) ? { mode: 'manual' as const, address: proxyAddress } : null;
  const proxy = proxyMode === 'manual' ? manual : { mode: proxyMode };
  return {
    ...(connection ? { id: connection.id } : {}),
    ...(proxy ? { proxy } : {}),
    ...accessOf(typed, connection, proxyMode),
  };
}
