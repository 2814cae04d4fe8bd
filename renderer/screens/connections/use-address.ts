import { useCallback, useRef, useState } from 'react';
import type { WsdlProposal, WsdlWay } from '../../../contract/connections.ts';
import { useCall } from '../../bridge/use-call.ts';
import { type ConnectionDraft, ontoOf, withWsdl } from './connection-draft.ts';
import { addressOf, typedAddress, withAddress } from './typed-address.ts';

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
