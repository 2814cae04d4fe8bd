import { createContext, type Dispatch, type ReactNode, type SetStateAction, use, useEffect, useState } from 'react';

/** Screens to which others lead, with their parameters. */
export type Route =
  | { readonly screen: 'start' }
  /** `corrects`: a job that was not taken; its form is opened. */
  | { readonly screen: 'register'; readonly corrects?: string }
  /** `sent`: only what was sent over this connection from then on. */
  | {
      readonly screen: 'jobs';
      readonly batchId?: string;
      readonly jobId?: string;
      readonly filter?: 'in-doubt' | 'refused' | 'failed';
      readonly sent?: { readonly connectionId: string; readonly from: string };
    }
  /** `open`: the document to select in the list. */
  | {
      readonly screen: 'documents';
      readonly open?: { readonly connectionId: string; readonly documentId: string };
      readonly openById?: boolean;
    }
  | { readonly screen: 'verify'; readonly run?: string }
  | {
      readonly screen: 'signatures';
      readonly entryId?: string;
      readonly listType?: number;
      readonly changedOnly?: boolean;
      /** ID of an original document: only its request is shown. */
      readonly request?: string | null;
      /** The request that this job sent: it is shown, and open beside the list. */
      readonly job?: string;
      /** Only the requests of this person are shown: an address. */
      readonly person?: string;
      /** Only the requests that wait for somebody's signature, or of which it is not known, `until`: those that were sent until the end of this day. */
      readonly open?: { readonly until: string | null; readonly state?: 'not-known' };
    }
  /** `fresh`: any new value; a changed value replaces the form with an empty one. `file`: the token of the selected file to start with. */
  | {
      readonly screen: 'compose';
      readonly draftId?: string;
      readonly kind?: 'plain' | 'easy-sign' | 'easy-sign-template';
      readonly fresh?: string;
      /** The first signer of a new request. */
      readonly to?: { readonly name: string; readonly email: string };
      readonly file?: string;
    }
  /** `draftId`: a request whose values all rows take. `bulkId`: the bulk to open. */
  | { readonly screen: 'bulk'; readonly draftId?: string; readonly bulkId?: string }
  | { readonly screen: 'answers' }
  | { readonly screen: 'notes'; readonly corrects?: string }
  /** `edit`: ID of a connection, or `new`. `wsdl`: token of a file that is read into its sheet. `team`: ID of a connection whose team register is opened. */
  | { readonly screen: 'connections'; readonly edit?: string; readonly wsdl?: string; readonly team?: string }
  /** `focus`: a setting, by its name in features/settings-cards.ts; `fresh`: any new value focuses it again. */
  | { readonly screen: 'settings'; readonly focus?: string; readonly fresh?: string };

export type ScreenName = Route['screen'];

/** `from-here`: with a way back to this page. `instead`: this page is over and is not gone back to. `section`: a section begins anew, as from the rail. */
export type How = 'from-here' | 'instead' | 'section';
export type Go = (route: Route, how?: How) => void;

const GoContext = createContext<Go>(() => undefined);

export function Navigation(props: { readonly go: Go; readonly children: ReactNode }) {
  return <GoContext value={props.go}>{props.children}</GoContext>;
}

/** Goes to another screen. */
export function useGo(): Go {
  return use(GoContext);
}

/** The page around a piece of the window. */
export interface ThisPage {
  /** The screen from which it was opened, and the way back to it; null for a section. */
  readonly wayBack: { readonly screen: ScreenName; readonly go: () => void } | null;
  /** Changes what this page is opened with when it is gone back to, and nothing now. */
  readonly keep: (route: Route) => void;
  /** How it was left the last time, by the names of its parts; null outside of pages. */
  readonly kept: Map<string, unknown> | null;
}

const PageContext = createContext<ThisPage>({ wayBack: null, keep: () => undefined, kept: null });
export const PageProvider = PageContext.Provider;

export function useThisPage(): ThisPage {
  return use(PageContext);
}

/** As useState; a page that is gone back to has the value with which it was left. `name`: unique on the page. */
export function useKeptState<T>(name: string, start: T | (() => T)): readonly [T, Dispatch<SetStateAction<T>>] {
  const { kept } = useThisPage();
  const [value, setValue] = useState<T>(() => {
    if (kept?.has(name)) return kept.get(name) as T;
    return start instanceof Function ? start() : start;
  });
  useEffect(() => void kept?.set(name, value), [kept, name, value]);
  return [value, setValue];
}

/** A part of a page that shows one of several things: how it was left is kept for each of them. Give it the name as `key`, too. */
export function KeptFor(props: { readonly name: string; readonly children: ReactNode }) {
  const page = useThisPage();
  const [kept] = useKeptState(`of ${props.name}`, () => new Map<string, unknown>());
  return <PageProvider value={{ ...page, kept: page.kept && kept }}>{props.children}</PageProvider>;
}
