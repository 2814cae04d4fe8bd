import { useCallback, useRef, useState } from 'react';
import type { WsdlProposal, WsdlWay } from '../../../contract/connections.ts';
import { useCall } from '../../bridge/use-call.ts';
import { type ConnectionDraft, newDraft, ontoOf, withWsdl } from './connection-draft.ts';

/** A WSDL that was read, and the fields that it filled in. */
export interface ReadWsdl {
  readonly proposal: WsdlProposal;
  readonly filled: ReturnType<typeof withWsdl>['filled'];
}

type From = { readonly address: string } | { readonly token: string };

/**
 * The field for an address or a WSDL. What is typed is taken apart, and a WSDL read into the sheet, when the field is
 * left or the sheet is saved. Where the path of a service is typed, its WSDL is tried; many services publish none.
 */
export function useAddress({ draft, latest, change }: Sheet, wayOf: (draft: ConnectionDraft) => WsdlWay) {
  // Null while the field shows the address of the sheet.
  const [typed, setTyped] = useState<string | null>(null);
  const [cleaned, setCleaned] = useState<string | null>(null);
  const { readFrom, clear, ...wsdl } = useWsdl({ draft, latest, change }, wayOf, () => setTyped(null));
  const taken = useRef<{ text: string | null; done: Promise<boolean> }>({ text: null, done: Promise.resolve(true) });

  async function takeNow(text: string): Promise<boolean> {
    const address = typedAddress(text);
    clear();
    setCleaned(address?.cleaned ?? null);
    if (!address) {
      change((before) => ({ ...before, baseUrl: text.trim() }));
      return true;
    }
    if (address.wsdl !== null) return readFrom({ address: address.wsdl });
    const placed = change((before) => withAddress(before, address));
    setTyped(null);
    if (!address.isFile || placed.namespaceUri.trim() !== '') return true;
    return readFrom({ address: `${address.origin}${address.path}?wsdl` }, true);
  }

  return {
    text: typed ?? addressOf(draft),
    /** The base address, or what is typed in its place and not taken apart. */
    baseUrl: typed?.trim() ?? draft.baseUrl,
    setText: (text: string) => {
      clear();
      setCleaned(null);
      setTyped(text);
    },
    ...wsdl,
    /** What is used instead of what was typed; null if it is the same. */
    cleaned,
    /** Reads a chosen or dropped file. */
    readFile: (token: string) => {
      taken.current = { text: null, done: Promise.resolve(true) };
      return readFrom({ token });
    },
    /** Resolves with false if what was typed could not be read. */
    take: (): Promise<boolean> => {
      if (typed === null || taken.current.text === typed) return taken.current.done;
      const done = takeNow(typed);
      taken.current = { text: typed, done };
      // It is read once more with what was changed meanwhile, such as the proxy.
      void done.then((isRead) => {
        if (!isRead && taken.current.done === done) taken.current = { text: null, done };
      });
      return done;
    },
  } as const;
}

/** Reading of a WSDL into the sheet. `isGuess`: nobody named it, so that one which cannot be read is no failure. */
function useWsdl({ latest, change }: Sheet, wayOf: (draft: ConnectionDraft) => WsdlWay, onRead: () => void) {
  const [wsdl, setWsdl] = useState<ReadWsdl | null>(null);
  const { run, clear, busy, failure } = useCall('connections.readWsdl');

  async function readFrom(from: From, isGuess = false): Promise<boolean> {
    setWsdl(null);
    const asked = latest();
    const proposal = await run({ ...from, ...('token' in from ? {} : { way: wayOf(asked) }), onto: ontoOf(asked) });
    if (!proposal.ok) {
      if (isGuess) clear();
      return isGuess;
    }
    const { filled } = withWsdl(asked, proposal.value);
    change((before) => withWsdl(before, proposal.value, asked).draft);
    onRead();
    setWsdl({ proposal: proposal.value, filled });
    return true;
  }

  return { wsdl, busy, failure, readFrom, clear };
}

/** The values of a sheet. `latest`: also those that are not drawn yet, for work that waits for an answer. */
export interface Sheet {
  readonly draft: ConnectionDraft;
  readonly latest: () => ConnectionDraft;
  /** Changes the values and returns them. */
  readonly change: (next: (before: ConnectionDraft) => ConnectionDraft) => ConnectionDraft;
}

/** Keeps the values of a sheet. */
export function useDraft(initial: () => ConnectionDraft): Sheet {
  const [draft, setDraft] = useState(initial);
  const current = useRef(draft);
  const latest = useCallback(() => current.current, []);
  const change = useCallback<Sheet['change']>((next) => {
    current.current = next(current.current);
    setDraft(current.current);
    return current.current;
  }, []);
  return { draft, latest, change };
}

/** An address as a person types or pastes it, taken apart. */
interface TypedAddress {
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
