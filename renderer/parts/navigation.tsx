import { createContext, type ReactNode, use } from 'react';

/** Screens that others lead to, with what they are to show. */
export type Route =
  | { readonly screen: 'start' }
  /** `corrects`: a job that was not taken, whose form it is. */
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
  /** `fresh`: anything new, so that an empty form takes the place of the one before. */
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

const GoContext = createContext<(place: Route) => void>(() => undefined);

export function Navigation(props: { readonly go: (place: Route) => void; readonly children: ReactNode }) {
  return <GoContext value={props.go}>{props.children}</GoContext>;
}

/** Goes to another screen. */
export function useGo(): (place: Route) => void {
  return use(GoContext);
}
