import { useTranslation } from 'react-i18next';
import type { TrackedFilter } from '../../../contract/tracking.ts';

export type StatusFilter = NonNullable<TrackedFilter['status']>;

/** Text of a status filter: a word of the service, or a meaning. */
export function useStatusText(): (status: StatusFilter) => string {
  const { t } = useTranslation();
  return (status) => {
    if ('group' in status) return t(`documents.group.${status.group}`);
    return status.word === null ? t('common.noAnswerText') : t('common.quote', { text: status.word });
  };
}
