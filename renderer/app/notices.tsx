import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useLive } from '../bridge/live.tsx';
import { useCall } from '../bridge/use-call.ts';
import { Button } from '../parts/button.tsx';
import css from './frame.module.css';

/** Problems outside of any call; each stays until a person dismisses it. */
export function Notices() {
  const { t } = useTranslation();
  const { notices } = useLive().info;
  const dismiss = useCall('app.dismissNotice');
  if (notices.length === 0) return null;
  return (
    <section className={css.notices} aria-label={t('notice.region')}>
      {notices.map((notice) => (
        <div key={notice.id} className={css.notice}>
          <TriangleAlert aria-hidden="true" />
          <p>{t(`notice.${notice.kind}`, { file: notice.fileName ?? '' })}</p>
          <Button onPress={() => void dismiss.run({ id: notice.id })}>{t('notice.dismiss')}</Button>
        </div>
      ))}
    </section>
  );
}
