import { useRef, useState } from 'react';
import type { WsdlProposal, WsdlWay } from '../../../contract/connections.ts';
import { useCall } from '../../bridge/use-call.ts';
import { type ConnectionDraft, newDraft, ontoOf, withWsdl } from './connection-draft.ts';
import { typedAddress, withAddress } from './typed-address.ts';
import type { Sheet } from './use-draft.ts';

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
export function useAddress({ latest, change }: Sheet, wayOf: (draft: ConnectionDraft) => WsdlWay) {
  const shownBase = () => (latest().baseUrl === newDraft.baseUrl ? '' : latest().baseUrl);
  const [text, setText] = useState(shownBase);
  const [wsdl, setWsdl] = useState<ReadWsdl | null>(null);
  const read = useCall('connections.readWsdl');
  const { clear } = read;
  const taken = useRef<{ text: string | null; done: Promise<boolean> }>({ text, done: Promise.resolve(true) });

  async function readFrom(from: From, isGuess = false): Promise<boolean> {
    setWsdl(null);
    const asked = latest();
    const proposal = await read.run({
      ...from,
      ...('token' in from ? {} : { way: wayOf(asked) }),
      onto: ontoOf(asked),
    });
    if (!proposal.ok) {
      if (isGuess) clear();
      return isGuess;
    }
    const { filled } = withWsdl(asked, proposal.value);
    show(change((before) => withWsdl(before, proposal.value, asked).draft));
    setWsdl({ proposal: proposal.value, filled });
    return true;
  }

  function show({ baseUrl }: ConnectionDraft) {
    setText(baseUrl);
    taken.current = { text: baseUrl, done: Promise.resolve(true) };
  }

  async function takeNow(): Promise<boolean> {
    const typed = typedAddress(text);
    clear();
    if (!typed) {
      change((before) => ({ ...before, baseUrl: text.trim() }));
      return true;
    }
    if (typed.wsdl !== null) return readFrom({ address: typed.wsdl });
    const placed = change((before) => withAddress(before, typed));
    show(placed);
    if (!typed.isFile || placed.namespaceUri.trim() !== '') return true;
    return readFrom({ address: `${typed.origin}${typed.path}?wsdl` }, true);
  }

  return {
    text,
    setText: (typed: string) => setText(typed),
    wsdl,
    busy: read.busy,
    failure: read.failure,
    /** Reads a chosen or dropped file. */
    readFile: (token: string) => readFrom({ token }),
    /** Resolves with false if what was typed could not be read. */
    take: (): Promise<boolean> => {
      if (taken.current.text === text) return taken.current.done;
      const done = takeNow();
      taken.current = { text, done };
      // It is read once more with what was changed meanwhile, such as the proxy.
      void done.then((isRead) => {
        if (!isRead && taken.current.done === done) taken.current = { text: null, done };
      });
      return done;
    },
  } as const;
}
