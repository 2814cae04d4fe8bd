import { Button as AriaButton } from 'react-aria-components';
import { useTranslation } from 'react-i18next';
import type { TrackedEntry, TrackedGroup, TrackedList } from '../../../contract/tracking.ts';
import type { Windowed } from '../../features/use-pages.ts';
import { Button } from '../../parts/button.tsx';
import { Chip } from '../../parts/chip.tsx';
import { useFormat } from '../../parts/format.ts';
import { MiddleCut } from '../../parts/middle-cut.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import css from './requests.module.css';
import { ChangeChip, SignerState, useWho } from './signer-state.tsx';

/** Height of a card with its people on one line; higher ones are measured. */
const cardHeight = 88;
const dayMs = 24 * 3_600_000;

/** One card per request: how many signed, and each person's state. */
export function RequestCards(props: {
  readonly groups: Windowed<TrackedGroup>;
  readonly lists: readonly TrackedList[];
  readonly chosen: string | null;
  readonly onChoose: (entry: TrackedEntry) => void;
  readonly onOpen: (origDocumentId: string) => void;
}) {
  const { groups } = props;
  const { t } = useTranslation();
  return (
    <VirtualList
      label={t('tracking.requests')}
      items={{ length: groups.total ?? 0, at: groups.rowAt }}
      rowHeight={cardHeight}
      gap={8}
      className={css.cards}
      keyOf={keyOfGroup}
      onRange={groups.onRange}
    >
      {(group) => <RequestCard {...props} group={group} />}
    </VirtualList>
  );
}

const keyOfGroup = (group: TrackedGroup) => group.origDocumentId ?? '';

function RequestCard(props: {
  readonly group: TrackedGroup;
  readonly lists: readonly TrackedList[];
  readonly chosen: string | null;
  readonly onChoose: (entry: TrackedEntry) => void;
  readonly onOpen: (origDocumentId: string) => void;
}) {
  const { group, onOpen } = props;
  const { origDocumentId, people, entryCount, signedCount } = group;
  const { t } = useTranslation();
  const format = useFormat();
  const name = group.documentName || origDocumentId || t('tracking.noDocument');
  const changed = people.filter((entry) => entry.mark !== null);
  const [first] = changed;
  const hidden = entryCount - people.length;
  const progress = t('tracking.signedOf', {
    count: entryCount,
    signed: format.number(signedCount),
    shown: format.number(entryCount),
  });
  return (
    <article className={css.card} aria-label={`${name} · ${progress}`}>
      <div className={css.head}>
        <h2>
          {origDocumentId ? (
            <AriaButton className={css.name ?? ''} onPress={() => onOpen(origDocumentId)}>
              <MiddleCut text={name} />
            </AriaButton>
          ) : (
            <MiddleCut text={name} />
          )}
        </h2>
        <span className={css.progress}>{progress}</span>
        {first && group.changedCount === 1 ? (
          <ChangeChip entry={first} list={props.lists.find(({ listType }) => listType === first.listType)} />
        ) : null}
        {group.changedCount > 1 || (group.changedCount === 1 && !first) ? (
          <Chip tone="info">{t('tracking.changedCount', { count: group.changedCount })}</Chip>
        ) : null}
        {group.newestAt ? <time className={css.sent}>{format.moment(group.newestAt)}</time> : null}
      </div>
      <ul className={css.people}>
        {people.map((entry) => (
          <Person key={entry.id} {...props} entry={entry} />
        ))}
        {hidden > 0 && origDocumentId ? (
          <li>
            <Button kind="quiet" onPress={() => onOpen(origDocumentId)}>
              {t('tracking.unlistedMore', { count: hidden })}
            </Button>
          </li>
        ) : null}
      </ul>
    </article>
  );
}

/** One signer and the state; selecting it opens the entry beside the list. */
function Person(props: {
  readonly entry: TrackedEntry;
  readonly lists: readonly TrackedList[];
  readonly chosen: string | null;
  readonly onChoose: (entry: TrackedEntry) => void;
}) {
  const { entry } = props;
  const { t } = useTranslation();
  const who = useWho();
  const days = entry.createdAt ? Math.floor((Date.now() - Date.parse(entry.createdAt)) / dayMs) : 0;
  return (
    <li>
      <AriaButton
        className={css.person ?? ''}
        aria-current={entry.id === props.chosen ? 'true' : undefined}
        onPress={() => props.onChoose(entry)}
      >
        <span className={css.who}>{who(entry)}</span>
        <SignerState entry={entry} list={props.lists.find(({ listType }) => listType === entry.listType)} />
        {entry.state === 'waiting' && days > 0 ? (
          <span className={css.days}>{t('tracking.days', { count: days })}</span>
        ) : null}
      </AriaButton>
    </li>
  );
}
