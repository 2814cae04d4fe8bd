import type { ConnectionDraft } from './connection-draft.ts';
import { newDraft } from './connection-draft.ts';

/** An address as a person types or pastes it, taken apart. */
export interface TypedAddress {
  readonly origin: string;
  /** Path of the service's file, or of the base address. */
  readonly path: string;
  /** True if the path is that of a file (its last part has a dot), not of a folder. */
  readonly isFile: boolean;
  /** The address of the WSDL, if that is what was typed. */
  readonly wsdl: string | null;
  /** What is used instead of what was typed: without the operation of a service's test page, with spaces as an address has them. Null if it is the same. */
  readonly cleaned: string | null;
}

const easySignEnd = newDraft.easySignPath;

/** Takes an address apart; null for one that cannot be used. Without a scheme it is https. */
export function typedAddress(text: string): TypedAddress | null {
  const typed = text.trim();
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
  const hasSpace = /[^\S ]/.test(typed) ? null : /^[^/]*\/\/[^/ ]*\/[^?#]* /.test(whole);
  if (typed === '' || hasSpace === null || (!hasSpace && typed.includes(' ')) || !URL.canParse(whole)) return null;
  const url = new URL(whole);
  const isTestPage = /^\?op=[\w.-]*$/i.test(url.search);
  if (isTestPage) url.search = '';
  if (!/^https?:$/.test(url.protocol) || url.hostname === '' || url.username !== '' || url.hash !== '') return null;
  const asks = /^\?(single)?wsdl/i.test(url.search);
  if (url.search !== '' && !asks) return null;
  const isWsdlFile = /\.wsdl$/i.test(url.pathname);
  return {
    origin: url.origin,
    path: isWsdlFile ? '' : url.pathname.replace(/\/+$/, ''),
    isFile: !isWsdlFile && /\.[^/]*$/.test(url.pathname),
    wsdl: asks || isWsdlFile ? url.href : null,
    cleaned: isTestPage || hasSpace ? url.href : null,
  };
}

/** The address of a service as a person types it: base address and main path in one. Empty if there is none yet. */
export function addressOf({ baseUrl, mainPath }: ConnectionDraft): string {
  if (baseUrl === newDraft.baseUrl) return '';
  return mainPath === newDraft.mainPath ? baseUrl : baseUrl.replace(/\/+$/, '') + mainPath;
}

/** True for the beginning of an address, without a computer's name. */
export function isIncomplete(text: string): boolean {
  return /^(https?(:\/{0,2})?)?$/i.test(text.trim());
}

/** Puts a typed address into base address, main path and Easy Sign path. */
export function withAddress(draft: ConnectionDraft, { origin, path, isFile }: TypedAddress): ConnectionDraft {
  if (!isFile) {
    // The field shows both: another host is typed before the main path, which stays.
    const isWhole = draft.mainPath !== newDraft.mainPath && path.endsWith(draft.mainPath);
    return { ...draft, baseUrl: origin + (isWhole ? path.slice(0, -draft.mainPath.length) : path) };
  }
  const before = pathsOf(draft, origin);
  if (path.toLowerCase().endsWith(easySignEnd)) {
    const prefix = path.slice(0, -easySignEnd.length);
    const fits = before.main === null || before.main.startsWith(`${prefix}/`);
    const base = fits ? prefix : '';
    const mainPath = before.main === null ? draft.mainPath : before.main.slice(base.length);
    return { ...draft, baseUrl: origin + base, mainPath, easySignPath: path.slice(base.length) };
  }
  const base = path.startsWith(`${before.base}/`) ? before.base : '';
  return { ...draft, baseUrl: origin + base, mainPath: path.slice(base.length) };
}

/** The paths of the draft at an origin: of its base address, and of the main path with it; none if it is elsewhere. */
function pathsOf({ baseUrl, mainPath }: ConnectionDraft, origin: string) {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url?.origin !== origin) return { base: '', main: null };
  const base = url.pathname.replace(/\/+$/, '');
  return { base, main: mainPath === newDraft.mainPath ? null : base + mainPath };
}
