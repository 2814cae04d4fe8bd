import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { UpdateState } from '../../../contract/app.ts';
import { ask, listen } from '../../bridge/client.ts';
import { useLive } from '../../bridge/live.tsx';
import { readTold } from '../../bridge/read-told.ts';
import { useCall } from '../../bridge/use-call.ts';
import { RestartButton } from '../../features/restart-button.tsx';
import { cardMark } from '../../features/settings-cards.ts';
import { Button } from '../../parts/button.tsx';
import { useFormat } from '../../parts/format.ts';
import looks from '../../parts/looks.module.css';
import { Card } from '../../parts/page.tsx';

/** The version, and how it is replaced by a newer one: by the program itself, or why not and by what else. */
export function UpdatesCard() {
  const { t } = useTranslation();
  const { version, installation } = useLive().info;
  const state = useUpdateState();
  const off = state?.offReason ?? null;
  return (
    <Card title={t('settings.updates')} mark={cardMark('updates')}>
      <p>{t('settings.version', { version })}</p>
      {state && state.stage !== 'off' ? <Automatic state={state} /> : null}
      {off !== null && isOfSettings(off) ? <p>{t(`settings.update.off.${off}`)}</p> : null}
      {/* Most programs are updated by something else: as long as that is not known, its place is kept, so that nothing below jumps. */}
      {state === null || off !== null ? (
        <p className={looks.hint} style={state === null ? { visibility: 'hidden' } : undefined}>
          {t(`settings.installed.${installation}`)}
        </p>
      ) : null}
    </Card>
  );
}

/** The other reasons say what installed the program, which the card says anyway. */
const ofSettings = ['no-feed', 'no-key', 'policy', 'policy-broken', 'not-replaceable'] as const;
const isOfSettings = (reason: string): reason is (typeof ofSettings)[number] =>
  ofSettings.some((one) => one === reason);

function Automatic({ state }: { readonly state: UpdateState }) {
  const { t } = useTranslation();
  const format = useFormat();
  const check = useCall('updates.check');
  const { stage, receivedBytes, totalBytes, lastCheckedAt, problem } = state;
  const version = state.version ?? '';
  const isCurrent = stage === 'idle' && problem === null && lastCheckedAt !== null;
  return (
    <>
      <div role="status">
        {stage === 'checking' ? <p>{t('settings.update.checking')}</p> : null}
        {stage === 'available' ? <p>{t('settings.update.available', { version })}</p> : null}
        {stage === 'ready' ? <p>{t('settings.update.ready', { version })}</p> : null}
        {isCurrent ? <p>{t('settings.update.current')}</p> : null}
        {problem === null ? null : <p>{t(`settings.update.problem.${problem}`)}</p>}
      </div>
      {stage === 'downloading' ? (
        <p>
          {t('settings.update.downloading', {
            version,
            done: format.bytes(receivedBytes),
            total: format.bytes(totalBytes),
          })}
        </p>
      ) : null}
      <p className={looks.hint}>
        {lastCheckedAt === null
          ? t('settings.update.never')
          : t('settings.update.checked', { when: format.momentInText(lastCheckedAt) })}
      </p>
      <div className={looks.line3}>
        {stage === 'ready' ? (
          <RestartButton />
        ) : (
          <Button isDisabled={stage !== 'idle'} onPress={() => void check.run({})}>
            {t('settings.update.checkNow')}
          </Button>
        )}
      </div>
    </>
  );
}

/** The state of the core; null until it is known. */
function useUpdateState(): UpdateState | null {
  const [state, setState] = useState<UpdateState | null>(null);
  useEffect(() => {
    let isStopped = false;
    const stop = listen('updates.changed', setState);
    const read = () => ask('updates.state', {});
    void readTold(read, { 'updates.changed': (_, value) => ({ ok: true as const, value }) }).then((answer) => {
      if (answer.ok && !isStopped) setState(answer.value);
    });
    return () => {
      isStopped = true;
      stop();
    };
  }, []);
  return state;
}
