import { TriangleAlert, X } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCurrentConnection, useLive } from '../bridge/live.tsx';
import { useCall } from '../bridge/use-call.ts';
import { RestartButton } from '../features/call-button.tsx';
import { Button, IconButton } from '../parts/button.tsx';
import looks from '../parts/looks.module.css';
import { MiddleCut } from '../parts/middle-cut.tsx';
import css from './frame.module.css';

/** Loaded when it is first opened. */
const SupportReport = lazy(() =>
  import('../features/support-report.tsx').then((file) => ({ default: file.SupportReport })),
);

/** Problems outside of any call; each stays until a person dismisses it. */
export function Notices() {
  const { t } = useTranslation();
  const { notices } = useLive().info;
  const offered = useOfferedConnection();
  const dismiss = useCall('app.dismissNotice');
  const [isReportOpen, setReportOpen] = useState(false);
  if (notices.length === 0 && offered === null) return null;
  return (
    <section className={css.notices} aria-label={t('notice.region')}>
      {offered}
      {notices.map((notice) => (
        <div key={notice.id} className={css.notice}>
          <TriangleAlert aria-hidden="true" />
          <p>{t(`notice.${notice.kind}`, { file: notice.fileName ?? '' })}</p>
          <span className={looks.row}>
            {notice.kind === 'ended-unexpectedly' ? (
              <Button onPress={() => setReportOpen(true)}>{t('notice.showReport')}</Button>
            ) : null}
            {notice.kind === 'update-ready' ? <RestartButton /> : null}
            <IconButton
              label={t('notice.dismiss')}
              icon={<X aria-hidden="true" />}
              onPress={() => void dismiss.run({ id: notice.id })}
            />
          </span>
        </div>
      ))}
      {isReportOpen ? (
        <Suspense>
          <SupportReport onClose={() => setReportOpen(false)} />
        </Suspense>
      ) : null}
    </section>
  );
}

/** Says that the policy provides a connection while another one is in use: work goes elsewhere only by a person's choice. */
function useOfferedConnection() {
  const { t } = useTranslation();
  const { connections, offeredId } = useLive().connections;
  const current = useCurrentConnection();
  const use = useCall('connections.use');
  const [dismissedId, setDismissed] = useState<string | null>(null);
  const offered = connections.find(({ id }) => id === offeredId);
  if (!offered || offered.id === dismissedId) return null;
  const { id, name } = offered;
  return (
    <div className={css.notice}>
      <TriangleAlert aria-hidden="true" />
      <p>{t('notice.connectionOffered', { name, current: current.name })}</p>
      <span className={`${looks.row} ${looks.wrapped}`}>
        <Button onPress={() => void use.run({ id })}>
          <MiddleCut isSentence text={t('palette.useConnection', { name })} name={name} />
        </Button>
        <IconButton label={t('notice.dismiss')} icon={<X aria-hidden="true" />} onPress={() => setDismissed(id)} />
      </span>
    </div>
  );
}
