import { useQuery } from '@tanstack/react-query';
import { PenLine, ShieldCheck, Stamp } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCurrentConnection } from '../../bridge/live.tsx';
import { useSelection } from '../../features/files/selection.tsx';
import { ContinueDraft } from '../../features/forms/continue-draft.tsx';
import { Button } from '../../parts/button.tsx';
import { dayBefore, useHour } from '../../parts/days/today.ts';
import { Seal } from '../../parts/empty.tsx';
import { lazyPart } from '../../parts/lazy-part.tsx';
import looks from '../../parts/looks.module.css';
import { useGo } from '../../parts/navigation.tsx';
import page from '../../parts/page.module.css';
import { Page } from '../../parts/page.tsx';
import { NotLoaded } from '../../parts/problem.tsx';
import { Progress } from '../../parts/progress.tsx';
import css from './start.module.css';
import { Tile } from './tile.tsx';

const views = {
  waiting: null,
  failed: (_props: unknown, error: unknown, again: () => void) => <NotLoaded error={error} again={again} />,
};
// The first start has nothing of them to show.
const Home = lazyPart(() => import('./home.tsx').then((file) => file.Home), views);
const FoldedHome = lazyPart(() => import('./home.tsx').then((file) => file.FoldedHome), views);
const Chooser = lazyPart(() => import('./chooser.tsx').then((file) => file.Chooser), views);

/** One large drop target, or Home once there is anything; after a drop, the choice of action. Dropping alone starts nothing. */
export function StartScreen() {
  const { t } = useTranslation();
  const selection = useSelection();
  const home = useHome();
  const [had] = useState(selection.tokens);
  const busy = selection.taking !== null;
  // While the core is asked: what it knows is shown when it answers. What cannot be loaded says so when it is shown.
  useEffect(() => {
    Home.preload().catch(() => undefined);
    Chooser.preload().catch(() => undefined);
  }, []);
  const inHand = selection.tokens.length > 0 || selection.rejected.length > 0;
  const above = (
    <>
      {inHand && home.data && !home.data.isEmpty ? <FoldedHome summary={home.data} /> : null}
      {selection.pickFailure ? <FailureView failure={selection.pickFailure} /> : null}
      {selection.taking ? <Taking {...selection.taking} /> : null}
    </>
  );
  if (inHand) return <Chooser had={had}>{above}</Chooser>;
  const summary = busy || home.data?.isEmpty ? undefined : home.data;
  return (
    <Page title={summary ? t(greeting()) : t('screens.start')} actions={summary ? <DropHere /> : null}>
      {above}
      {summary ? <Home summary={summary} /> : null}
      {busy ? null : <ContinueDraft />}
      {busy || home.isPending ? null : summary ? <Tiles /> : <Target />}
    </Page>
  );
}

/** By the hour at the person's place. */
function greeting() {
  const hour = new Date().getHours();
  return hour < 12 ? 'start.goodMorning' : hour < 18 ? 'start.goodAfternoon' : 'start.goodEvening';
}

function Taking(props: { readonly done: number; readonly total: number }) {
  const { t } = useTranslation();
  const text = t('start.taking', props);
  return (
    <div className={`${page.card} ${looks.small}`}>
      <span>{text}</span>
      <Progress label={text} done={props.done} total={props.total} />
    </div>
  );
}

function Target() {
  const { t } = useTranslation();
  return (
    <>
      <section className={css.target} aria-label={t('start.drop')}>
        <Seal size={84} />
        <h2 className={css.big}>{t('start.drop')}</h2>
        <p className={looks.hint}>{t('start.accepts')}</p>
        <PickButtons primary />
        <Samples />
      </section>
      <Tiles />
    </>
  );
}

/** The same beside the title: files can be dropped anywhere in the window. */
function DropHere() {
  const { t } = useTranslation();
  return (
    <section className={css.dropHere} aria-label={t('start.drop')}>
      <span>{t('start.drop')}</span>
      <PickButtons primary />
      <Samples />
    </section>
  );
}

/** With another service than the practice one the samples would cost real credits. */
function Samples() {
  const { t } = useTranslation();
  const selection = useSelection();
  const { kind } = useCurrentConnection();
  if (kind !== 'practice') return null;
  return (
    <Button kind="quiet" onPress={() => void selection.addSamples()}>
      {t('start.samples')}
    </Button>
  );
}

const tiles = [
  { screen: 'register', text: 'register', Icon: Stamp },
  { screen: 'compose', text: 'request', Icon: PenLine },
  { screen: 'verify', text: 'verify', Icon: ShieldCheck },
] as const;

function Tiles() {
  const { t } = useTranslation();
  const go = useGo();
  return (
    <div className={looks.columns}>
      {tiles.map(({ screen, text, Icon }) => (
        <Tile
          key={screen}
          icon={<Icon aria-hidden="true" />}
          title={t(`start.${text}Tile`)}
          text={t(`start.${text}TileText`)}
          onPress={() => go({ screen })}
        />
      ))}
    </div>
  );
}

/** The buttons for choosing files and folders. */
function PickButtons(props: { readonly primary?: boolean }) {
  const { t } = useTranslation();
  const { choose } = useSelection();
  return (
    <div className={css.row}>
      <Button kind={props.primary ? 'primary' : 'plain'} onPress={() => void choose('any')}>
        {t('start.chooseFiles')}
      </Button>
      <Button onPress={() => void choose('folder')}>{t('start.folder')}</Button>
    </div>
  );
}

/** What waits and what happened on the current connection; read again with the requests. */
function useHome() {
  const { id: connectionId } = useCurrentConnection();
  useHour();
  const today = dayBefore(0);
  return useQuery({
    queryKey: ['tracked', connectionId, 'home', today],
    queryFn: () => askValue('home.summary', { connectionId, today, isHere: document.hasFocus() }),
  });
}
