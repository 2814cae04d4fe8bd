import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { askValue } from '../../bridge/client.ts';
import { skipText } from '../../bridge/failure-text.ts';
import { LeftOutFiles } from '../../features/files/left-out-files.tsx';

const shownAtOnce = 100;

/** Skipped files, with the reason of each. */
export function LeftOut(props: { readonly runId: string; readonly count: number }) {
  const { t } = useTranslation();
  const { data } = useQuery({
    queryKey: ['verify-left-out', props.runId, props.count],
    queryFn: () => askValue('verify.leftOut', { runId: props.runId, limit: shownAtOnce }),
    enabled: props.count > 0,
  });
  if (props.count === 0) return null;
  const more = props.count - (data?.files.length ?? props.count);
  return (
    <LeftOutFiles
      label={t('verify.leftOut', { count: props.count })}
      files={(data?.files ?? []).map(({ folder, name, reason, kind }) => ({
        name: folder ? `${folder}/${name}` : name,
        why: skipText(t, reason, kind),
      }))}
      open={false}
    >
      {more > 0 ? <p>{t('verify.moreLeftOut', { count: more })}</p> : null}
    </LeftOutFiles>
  );
}
