import { hashKey } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SharedItem, SharedValue } from '../../contract/shared.ts';
import { useCall } from '../bridge/use-call.ts';
import { useAnnounce } from '../parts/announcer.tsx';
import type { SharedOf } from './shared-items.ts';
import { useTeamLink } from './team.ts';

/** Kinds that lists show beside what a person saved. */
export type ListedKind = 'template' | 'preset' | 'view';
export type ListedValue = Extract<SharedValue, { readonly kind: ListedKind }>;
export type ListedItem = { readonly [K in ListedKind]: SharedOf<K> }[ListedKind];

/** A step that is for everybody in the team, so it is asked about first. */
export type SharingQuestion =
  | { readonly what: 'stop'; readonly item: ListedItem }
  | { readonly what: 'replace'; readonly item: ListedItem; readonly value: ListedValue };

/** Shares things of a person with the team of a connection, and ends that. */
export function useSharing(connectionId: string) {
  const { t } = useTranslation();
  const announce = useAnnounce();
  const link = useTeamLink(connectionId);
  const share = useCall('team.share');
  const unshare = useCall('team.unshare');
  const [question, setQuestion] = useState<SharingQuestion | null>(null);
  const [subject, setSubject] = useState('');
  const [isExplained, setExplained] = useState(false);

  async function run({ name }: ListedValue, work: () => Promise<{ readonly ok: boolean }>, done: string) {
    setSubject(name);
    share.clear();
    unshare.clear();
    const ended = await work();
    setQuestion(null);
    if (ended.ok) announce(done);
  }
  const shareNow = (value: ListedValue) =>
    run(value, () => share.run({ connectionId, value }), t('team.sharing.done', { name: value.name }));
  const stopNow = ({ key, value }: ListedItem) =>
    run(
      value,
      () => unshare.run({ connectionId, kind: value.kind, key }),
      t('team.sharing.stopped', { name: value.name }),
    );

  return {
    /** False where the connection has joined no team: nothing can be shared there. */
    isJoined: link !== null,
    /** Why this person cannot share; undefined if they can. */
    unavailable: link?.role === 'reader' ? t('team.sharing.reader') : undefined,
    isBusy: share.busy || unshare.busy,
    failure: share.failure ?? unshare.failure,
    /** Name of what the failure is about. */
    subject,
    question,
    isExplained,
    /** Says why this person cannot share, where no button can. */
    explain: () => setExplained(true),
    /** Shares at once, or asks first if that replaces `shared`. */
    share: (value: ListedValue, shared: ListedItem | null) =>
      shared ? setQuestion({ what: 'replace', item: shared, value }) : void shareNow(value),
    /** Asks whether to end the sharing. */
    stop: (item: ListedItem) => setQuestion({ what: 'stop', item }),
    decide: (asked: SharingQuestion) => void (asked.what === 'stop' ? stopNow(asked.item) : shareNow(asked.value)),
    dismiss: () => setQuestion(null),
  } as const;
}
export type Sharing = ReturnType<typeof useSharing>;

/** Something that a person saved, that the team shares, or both. */
export type Listed<O, I extends ListedItem> =
  | { readonly own: O; readonly shared: I | null }
  | { readonly own: null; readonly shared: I };

/** What a person saved and what the team shares, each thing once, by name. `keyOf` names the same thing in both. */
export function listTogether<O extends { readonly name: string }, I extends ListedItem>(
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
export function isSameValue(own: ListedValue, shared: Pick<SharedItem, 'value'>): boolean {
  return hashKey([own]) === hashKey([shared.value]);
}
