import { createContext, type ReactNode, use } from 'react';

/** Screens to which others lead, with their parameters. */
export type Route =
  | { readonly screen: 'start' }
  /** `corrects`: a job that was not taken; its form is opened. */
  | { readonly screen: 'register'; readonly corrects?: string }
  | { readonly screen: 'jobs'; readonly batchId?: string }
  | { readonly screen: 'documents'; readonly search?: string; readonly openById?: boolean }
  | { readonly screen: 'verify'; readonly run?: string }
  | {
      readonly screen: 'signatures';
      readonly entryId?: string;
      readonly listType?: number;
      readonly changedOnly?: boolean;
    }
  /** `fresh`: any new value; a changed value replaces the form with an empty one. */
  | {
      readonly screen: 'compose';
      readonly draftId?: string;
      readonly kind?: 'plain' | 'easy-sign' | 'easy-sign-template';
      readonly fresh?: string;
    }
  | { readonly screen: 'bulk'; readonly draftId?: string }
  | { readonly screen: 'answers' }
  | { readonly screen: 'notes'; readonly corrects?: string }
  | { readonly screen: 'connections'; readonly edit?: string; readonly check?: string }
  | { readonly screen: 'settings' };

export type ScreenName = Route['screen'];

const GoContext = createContext<(route: Route) => void>(() => undefined);

export function Navigation(props: { readonly go: (route: Route) => void; readonly children: ReactNode }) {
  return <GoContext value={props.go}>{props.children}</GoContext>;
}

/** Goes to another screen. */
export function useGo(): (route: Route) => void {
  return use(GoContext);
}
