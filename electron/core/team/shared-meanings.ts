import type { SharedAnswer } from '../../../contract/shared.ts';
import type { Store } from '../../store/store.ts';
import { sharedItems } from './shared-items.ts';

/** The setting that changes with each change of what the team of a connection shares. */
export const sharedVersion = (connectionId: string): string => `team.${connectionId}.shared`;

/** What the teams of the connections say that answers mean, from the copies on this computer: also while a register is away, and after leaving. */
export function sharedMeanings({ teamItems, settings }: Pick<Store, 'teamItems' | 'settings'>) {
  return {
    // Another program with this data folder may follow the team: what it wrote is seen by these.
    version: (connectionId: string): string =>
      `${settings.get(`team.${connectionId}`) ?? ''} ${settings.get(sharedVersion(connectionId)) ?? ''}`,
    answers: (connectionId: string): SharedAnswer[] =>
      sharedItems(teamItems.list(connectionId)).flatMap(({ value }) => (value.kind === 'answer' ? [value.answer] : [])),
  };
}
