import { hashKey, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type SharedItem, type SharedKind, type SharedValue, sharedName } from '../../../contract/shared.ts';
import type { TeamRole } from '../../../contract/team.ts';
import { askValue } from '../../bridge/client.ts';
import { useCall } from '../../bridge/use-call.ts';
import { useAnnounce } from '../../parts/announcer.tsx';
import { useTeamLink } from './team.ts';

/** A shared item of one kind. */
export interface SharedOf<K extends SharedKind> extends SharedItem {
  readonly value: Extract<SharedValue, { readonly kind: K }>;
}

const none: readonly SharedItem[] = [];

/** What the team of a connection shares of one kind, from the copy on this computer: also while the register is away and after leaving. */
export function useSharedItems<K extends SharedKind>(connectionId: string, kind: K): readonly SharedOf<K>[] {
  const query = useQuery({
    queryKey: ['team', 'shared', connectionId, 'items'],
    queryFn: () => askValue('team.shared', { connectionId }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const items = query.data ?? none;
  return useMemo(() => items.filter((item): item is SharedOf<K> => item.value.kind === kind), [items, kind]);
}

export type ListedItem = { readonly [K in SharedKind]: SharedOf<K> }[SharedKind];

/** A step that is for everybody in the team, so it is asked about first. */
export type SharingQuestion =
  | { readonly what: 'stop'; readonly item: ListedItem }
  | { readonly what: 'replace'; readonly item: ListedItem; readonly value: SharedValue };

/** What needs no question takes nothing from anybody. */
type Decided = Extract<SharingQuestion, { what: 'stop' }> | Omit<Extract<SharingQuestion, { what: 'replace' }>, 'item'>;

/** Something that can be done with a thing and the team. */
export interface ShareAction {
  readonly key: 'share' | 'shareChanges' | 'stop';
  /** Why this person cannot do it: choosing it says the same. */
  readonly reason: string | undefined;
  readonly run: () => void;
}

/** Roles that cannot share: what an answer means is shared by a lead. */
const without: Readonly<Record<'answer' | 'other', readonly TeamRole[]>> = {
  answer: ['reader', 'member'],
  other: ['reader'],
};

const lacking = { answer: 'team.sharing.leadOnly', other: 'team.sharing.reader' } as const;

/** Shares things of a person with the team of a connection, and ends that. */
export function useSharing(connectionId: string, what: keyof typeof without = 'other') {
  const { t } = useTranslation();
  const announce = useAnnounce();
  const link = useTeamLink(connectionId);
  const share = useCall('team.share');
  const unshare = useCall('team.unshare');
  const [question, setQuestion] = useState<SharingQuestion | null>(null);
  const [subject, setSubject] = useState('');
  const [isExplained, setExplained] = useState(false);
  const isConnected = link?.state === 'connected' || link?.state === 'catching-up';
  useClearedWhen(isConnected, share.clear);
  useClearedWhen(isConnected, unshare.clear);

  async function decide(asked: Decided) {
    const value = asked.what === 'stop' ? asked.item.value : asked.value;
    const name = sharedName(value);
    setSubject(name);
    share.clear();
    unshare.clear();
    const ended =
      asked.what === 'stop'
        ? await unshare.run({ connectionId, kind: value.kind, key: asked.item.key })
        : await share.run({ connectionId, value });
    setQuestion(null);
    if (ended.ok) announce(t(asked.what === 'stop' ? 'team.sharing.stopped' : 'team.sharing.done', { name }));
  }
  const unavailable = link?.role && without[what].includes(link.role) ? t(lacking[what]) : undefined;
  const action = (key: ShareAction['key'], run: () => void): ShareAction => ({
    key,
    reason: unavailable,
    run: unavailable === undefined ? run : () => setExplained(true),
  });
  return {
    /** False where the connection has joined no team: nothing can be shared there. */
    isJoined: link !== null,
    /** Why this person cannot share, once they tried it where no button says so. */
    explained: isExplained ? unavailable : undefined,
    isBusy: share.busy || unshare.busy,
    failure: share.failure ?? unshare.failure,
    /** Name of what the failure is about. */
    subject,
    question,
    /** Says that something of the team is saved as one's own. */
    announceCopy: (name: string) => announce(t('team.sharing.copied', { name })),
    /** What can be done with one thing: `own` is what the person saved. Nothing where no team was joined; what is for everybody is asked about first. */
    actionsOf: (own: SharedValue | null, shared: ListedItem | null): readonly ShareAction[] => [
      ...(link && own && !shared ? [action('share', () => void decide({ what: 'replace', value: own }))] : []),
      ...(link && own && shared && !isSameValue(own, shared)
        ? [action('shareChanges', () => setQuestion({ what: 'replace', item: shared, value: own }))]
        : []),
      ...(link && shared ? [action('stop', () => setQuestion({ what: 'stop', item: shared }))] : []),
    ],
    decide,
    dismiss: () => setQuestion(null),
  } as const;
}
export type Sharing = ReturnType<typeof useSharing>;

/** What failed while the register was away can be tried again. */
function useClearedWhen(isConnected: boolean, clear: () => void) {
  useEffect(() => {
    if (isConnected) clear();
  }, [isConnected, clear]);
}

/** An item that has a name of its own. */
type NamedItem = Exclude<ListedItem, SharedOf<'answer'>>;

/** Something that a person saved, that the team shares, or both. */
export type Listed<O, I extends NamedItem> =
  | { readonly own: O; readonly shared: I | null }
  | { readonly own: null; readonly shared: I };

/** What a person saved and what the team shares, each thing once, by name. `keyOf` names the same thing in both. */
export function listTogether<O extends { readonly name: string }, I extends NamedItem>(
  own: readonly O[],
  shared: readonly I[],
  keyOf: (one: O | I['value']) => string,
): readonly Listed<O, I>[] {
  const byKey = new Map(shared.map((item) => [keyOf(item.value), item]));
  const ownKeys = new Set(own.map(keyOf));
  const nameOf = ({ own: mine, shared: theirs }: Listed<O, I>) => mine?.name ?? theirs?.value.name ?? '';
  return [
    ...own.map((one) => ({ own: one, shared: byKey.get(keyOf(one)) ?? null })),
    ...shared.filter((item) => !ownKeys.has(keyOf(item.value))).map((item) => ({ own: null, shared: item })),
  ].sort((one, other) => nameOf(one).localeCompare(nameOf(other)));
}

/** Key of what has its name as key, as the team's register compares names. */
export const keyByName = ({ name }: { readonly name: string }): string => name.toLowerCase();

/** True if a person's own value is what the team has. */
export function isSameValue(own: SharedValue, shared: Pick<SharedItem, 'value'>): boolean {
  return hashKey([own]) === hashKey([shared.value]);
}
