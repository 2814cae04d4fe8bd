import { useTranslation } from 'react-i18next';
import type { TrackedFilter } from '../../../contract/tracking.ts';

export type StatusFilter = NonNullable<TrackedFilter['status']>;

/** A word as the service said it, or the meaning that words have. */
export function useStatusText(): (status: StatusFilter) => string {
  const { t } = useTranslation();
  return (status) => {
    if ('group' in status) return t(`documents.group.${status.group}`);
    return status.word === null ? t('common.noAnswerText') : t('common.quote', { text: status.word });
  };
}
