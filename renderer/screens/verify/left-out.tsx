import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { askValue } from '../../bridge/client.ts';
import { skipText } from '../../bridge/failure-text.ts';
import { Fold } from '../../parts/fold.tsx';
import looks from '../../parts/looks.module.css';
import { visibleName } from '../../parts/visible-name.ts';

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
    <Fold label={t('verify.leftOut', { count: props.count })}>
      <ul className={`${looks.stack1} ${looks.said}`}>
        {data?.files.map((file) => (
          <li key={`${file.folder}/${file.name}`}>
            <strong>{visibleName(file.name)}</strong> {visibleName(file.folder)} {skipText(t, file.reason, file.kind)}
          </li>
        ))}
      </ul>
      {more > 0 ? <p>{t('verify.moreLeftOut', { count: more })}</p> : null}
    </Fold>
  );
}
