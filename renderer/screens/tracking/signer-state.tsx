import { useTranslation } from 'react-i18next';
import type { TrackedEntry } from '../../../contract/tracking.ts';
import { Chip } from '../../parts/chip.tsx';
import { StatusChip } from '../../parts/status-chip.tsx';

interface NamedList {
  readonly name: string;
}

/**
 * What is known about a signer: the list of the entry says it, or a status that says more. `list`: the entry's list, undefined if it was removed.
 * `named`: says who signed, where the name is not beside it.
 */
export function SignerState(props: {
  readonly entry: TrackedEntry;
  readonly list: NamedList | undefined;
  readonly named?: boolean;
}) {
  const { entry, list } = props;
  const { t } = useTranslation();
  const who = useWho();
  if (entry.state === 'signed') {
    const text = props.named ? t('tracking.signedBy', { who: who(entry) }) : t('tracking.state.signed');
    return (
      <Chip tone="confirmed" title={text}>
        {text}
      </Chip>
    );
  }
  if (entry.state === 'status' && entry.status) return <StatusChip status={entry.status} />;
  if (entry.state === 'waiting') {
    return (
      <Chip tone="info" icon="clock">
        {t('tracking.state.waiting')}
      </Chip>
    );
  }
  return (
    <Chip tone="silent" icon="dashed">
      {list?.name ?? String(entry.listType)}
    </Chip>
  );
}

/** Name of an entry's signer, else the address. */
export function useWho(): (person: { readonly name: string | null; readonly email: string | null }) => string {
  const { t } = useTranslation();
  return ({ name, email }) => name || email || t('tracking.someone');
}

/** How an entry changed since its list was viewed: "Ana Petrov signed". */
export function ChangeChip(props: { readonly entry: TrackedEntry; readonly list: NamedList | undefined }) {
  const { entry, list } = props;
  const { t } = useTranslation();
  const who = useWho();
  if (entry.mark === null) return null;
  if (entry.hasSigned) {
    const text = t('tracking.signedBy', { who: who(entry) });
    return (
      <Chip tone="info" title={text}>
        {text}
      </Chip>
    );
  }
  const isMoved = entry.mark === 'moved' && entry.movedFrom !== null;
  return (
    <Chip tone="info">
      {isMoved ? t('tracking.movedTo', { list: list?.name ?? String(entry.listType) }) : t('tracking.mark.new')}
    </Chip>
  );
}
