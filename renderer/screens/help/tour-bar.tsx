import { GraduationCap } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ask, listen } from '../../bridge/client.ts';
import { failureText } from '../../bridge/failure-text.ts';
import { useCurrentConnection, useLive } from '../../bridge/live.tsx';
import { useTasks } from '../../bridge/tasks.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useSelection } from '../../features/files/selection.tsx';
import { useHelp } from '../../features/help.ts';
import { useAnnounce } from '../../parts/announcer.tsx';
import { Button } from '../../parts/button.tsx';
import looks from '../../parts/looks.module.css';
import { type ScreenName, useGo } from '../../parts/navigation.tsx';
import css from './help.module.css';

/** The tour: a line below the screen that says the next step. It covers nothing, and is left by its button or by Esc. */
export function TourBar(props: { readonly screen: ScreenName; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const box = useRef<HTMLElement>(null);
  const tour = useTour();
  const { step } = tour;
  const leave = useLeave(tour, box, props.onClose);
  const text =
    step === 'done' && tour.before ? t('tour.text.doneBack', { name: tour.before.name }) : t(`tour.text.${step}`);
  const at = step === 'connection' || step === 'done' ? '' : t('tour.step', stepNumbers(step));

  // The person asked for the tour just now; later steps leave the focus where it is.
  useEffect(() => box.current?.focus({ preventScroll: true }), []);
  const announce = useAnnounce();
  useEffect(() => announce(`${at} ${text}`), [announce, at, text]);

  return (
    <section ref={box} className={css.tour} tabIndex={-1} aria-label={t('help.firstSteps')}>
      <GraduationCap aria-hidden="true" />
      <p>
        <strong>{at || t('help.firstSteps')}</strong> {text}
      </p>
      <div className={looks.line}>
        <TourAction tour={tour} screen={props.screen} onFinish={leave} />
        {step === 'done' ? <OpenGuide onPress={leave} /> : null}
        {step === 'done' || step === 'connection' ? null : (
          <Button kind="quiet" onPress={tour.skip}>
            {t('tour.skip')}
          </Button>
        )}
        {step === 'done' ? null : (
          <Button kind="quiet" onPress={leave}>
            {t('tour.leave')}
          </Button>
        )}
      </div>
    </section>
  );
}

function stepNumbers(step: (typeof tourSteps)[number]) {
  // The last one is the end and no step.
  return { n: String(tourSteps.indexOf(step) + 1), total: String(tourSteps.length - 1) };
}

function OpenGuide(props: { readonly onPress: () => void }) {
  const { t } = useTranslation();
  const help = useHelp();
  return (
    <Button
      onPress={() => {
        props.onPress();
        help('guide');
      }}
    >
      {t('tour.openGuide')}
    </Button>
  );
}

/** Ends the tour, by Esc too, and takes the earlier connection into use again. */
function useLeave(tour: Tour, box: { readonly current: HTMLElement | null }, onClose: () => void): () => void {
  const current = useCurrentConnection();
  const leave = () => {
    const { before, practiceId } = tour;
    if (before && current.id === practiceId) void ask('connections.use', { id: before.id });
    // Its button goes away: the next Tab starts in the screen. A focus elsewhere stays.
    if (box.current?.contains(document.activeElement)) document.getElementById('main')?.focus({ preventScroll: true });
    onClose();
  };
  const latest = useRef(leave);
  useEffect(() => {
    latest.current = leave;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // Esc belongs first to what is open: a dialog, a menu, a list.
      const isOpen = document.querySelector('[role="dialog"],[role="alertdialog"],[role="menu"],[role="listbox"]');
      if (event.key === 'Escape' && !event.defaultPrevented && !isOpen) latest.current();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return leave;
}

/** The button of a step. Registering is left to the person and to the form; verifying names the practice connection, whichever is in use. */
function TourAction(props: { readonly tour: Tour; readonly screen: ScreenName; readonly onFinish: () => void }) {
  const { t } = useTranslation();
  const { tour } = props;
  const go = useGo();
  const { addSamples } = useSelection();
  const use = useCall('connections.use');
  const verify = useVerifySame(tour);
  const actions = {
    connection: { text: t('tour.usePractice'), act: () => void use.run({ id: tour.practiceId }) },
    files: {
      text: t('start.samples'),
      act: () => {
        go({ screen: 'start' });
        void addSamples();
      },
    },
    register:
      props.screen === 'register' || props.screen === 'jobs'
        ? null
        : { text: t('tour.openRegister'), act: () => go({ screen: 'register' }) },
    verify: { text: t('tour.verifySame'), act: () => void verify.run() },
    done: { text: t('tour.finish'), act: props.onFinish },
  };
  const action = actions[tour.step];
  return (
    <>
      {verify.failure ? <span role="alert">{failureText(t, verify.failure).heading}</span> : null}
      {action ? (
        <Button kind="primary" onPress={action.act} isPending={use.busy || verify.busy}>
          {action.text}
        </Button>
      ) : null}
    </>
  );
}

/** Verifies the files of the tour with the practice service and shows the run; the samples where none were selected. */
function useVerifySame({ files, practiceId }: Tour) {
  const go = useGo();
  const samples = useCall('files.samples');
  const scan = useCall('files.scan');
  const start = useCall('verify.start');
  const run = async () => {
    let tokens = files;
    if (tokens.length === 0) {
      const found = await samples.run({});
      if (!found.ok) return;
      tokens = found.value.map(({ token }) => token);
    }
    const intake = await scan.run({ tokens: [...tokens], purpose: 'verify' });
    if (!intake.ok) return;
    const run = await start.run({ connectionId: practiceId, intakeId: intake.value.id });
    if (run.ok) go({ screen: 'verify', run: run.value.runId });
  };
  return {
    run,
    busy: samples.busy || scan.busy || start.busy,
    failure: samples.failure ?? scan.failure ?? start.failure,
  };
}

const tourSteps = ['files', 'register', 'verify', 'done'] as const;
type TourStep = (typeof tourSteps)[number];

/** A tour in progress. It watches what the person does and sends nothing by itself. */
interface Tour {
  /** `connection`: another connection than the practice service is in use; no step goes on there. */
  readonly step: TourStep | 'connection';
  readonly practiceId: string;
  /** The connection that was in use before; null if it was the practice service. */
  readonly before: { readonly id: string; readonly name: string } | null;
  /** Tokens of the files that were selected last: the ones to verify. */
  readonly files: readonly string[];
  readonly skip: () => void;
}

/** Follows the steps of the tour: files selected, a document registered, a file confirmed, all on the practice connection. */
function useTour(): Tour {
  const { connections } = useLive().connections;
  const current = useCurrentConnection();
  const [before] = useState(current.kind === 'practice' ? null : { id: current.id, name: current.name });
  const practiceId = connections.find(({ kind }) => kind === 'practice')?.id ?? '';
  const [reached, setReached] = useState(0);
  const step = tourSteps[reached] ?? 'done';
  const skip = () => setReached((at) => Math.min(at + 1, tourSteps.length - 1));

  const { tokens } = useSelection();
  const [files, setFiles] = useState<readonly string[]>([]);
  useEffect(() => {
    if (tokens.length > 0) setFiles(tokens.map(({ token }) => token));
  }, [tokens]);
  const isRegistered = useRegistered(practiceId);
  const isConfirmed = useConfirmed(practiceId);

  const isDone = { files: tokens.length > 0, register: isRegistered, verify: isConfirmed, done: false }[step];
  const isInPractice = current.id === practiceId;
  // Named by its step: the next one may be done already.
  const doneStep = isDone && isInPractice ? step : null;
  useEffect(() => {
    if (doneStep !== null) setReached((at) => at + 1);
  }, [doneStep]);
  return { step: isInPractice ? step : 'connection', practiceId, before, files, skip };
}

/** True once a document was registered with the practice service since the tour began. */
function useRegistered(practiceId: string): boolean {
  const [isRegistered, setRegistered] = useState(false);
  useEffect(
    () =>
      listen('jobs.changed', ({ jobs }) => {
        const mine = jobs.filter(
          ({ connectionId, operation }) => connectionId === practiceId && operation === 'AddNewDocument',
        );
        if (mine.some(({ state }) => state === 'done')) setRegistered(true);
      }),
    [practiceId],
  );
  return isRegistered;
}

/** True once a verification with the practice service, begun during the tour, confirmed a file. */
function useConfirmed(practiceId: string): boolean {
  const tasks = useTasks('verification');
  const [earlier] = useState(() => new Set(tasks.map(({ taskId }) => taskId)));
  return tasks.some(({ taskId, progress: { run } }) => {
    const { connectionId, counts } = run;
    const confirmed = counts.confirmed + counts['confirmed-with-remark'];
    return !earlier.has(taskId) && connectionId === practiceId && confirmed > 0;
  });
}
