import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import type { Preview, ShownFile } from '../../../contract/files.ts';
import { directionOf } from '../../../contract/languages.ts';
import { ask } from '../../bridge/client.ts';
import { useLive } from '../../bridge/live.tsx';
import { useLatest } from '../../parts/hooks/use-latest.ts';
import { type ViewerCommand, type ViewerMessage, type ViewerOptions, whyFailed } from '../../viewer/messages.ts';
import css from './pdf-frame.module.css';

const viewerOrigin = 'app://viewer';
/** A viewer is removed after this time without a sign of life, in milliseconds. */
const silentMs = 12_000;

type Why = Extract<ViewerMessage, { kind: 'failed' }>['why'] | 'stuck';

/** The first page of a PDF as a picture beside what is done with it; nothing where it cannot be shown, or the program has no viewer. */
export function FirstPage(props: { readonly file: ShownFile; readonly name: string }) {
  const isDesktop = useLive().info.host === 'desktop';
  return isDesktop ? <OnePage {...props} /> : null;
}

function OnePage(props: { readonly file: ShownFile; readonly name: string }) {
  const { preview } = usePreview(props.file);
  return preview ? <Picture key={preview.token} preview={preview} name={props.name} /> : null;
}

function Picture(props: { readonly preview: Preview; readonly name: string }) {
  const { t } = useTranslation();
  const { frame, failed } = useViewer(nothing);
  return failed ? null : (
    <ViewerFrame
      ref={frame}
      className={css.first}
      title={t('verify.preview.title', { name: props.name })}
      preview={props.preview}
      shows="first"
    />
  );
}

const nothing = () => undefined;

/** The viewer's frame. */
export function ViewerFrame(props: {
  readonly ref: RefObject<HTMLIFrameElement | null>;
  readonly className: string | undefined;
  readonly title: string;
  readonly preview: Preview;
  readonly shows: ViewerOptions['shows'];
  readonly page?: number;
  readonly pair?: string;
}) {
  const { shows } = props;
  const address = useAddress(props.preview, { shows, page: props.page ?? 1, pair: props.pair ?? null });
  return (
    <iframe
      ref={props.ref}
      className={props.className}
      title={props.title}
      src={address}
      {...(shows === 'first' ? { tabIndex: -1 } : {})}
      // The frame has its own origin, so same-origin gives it nothing of the page.
      sandbox="allow-scripts allow-same-origin"
      referrerPolicy="no-referrer"
    />
  );
}

/** Keeps the file open for the viewer while the preview is mounted. */
export function usePreview(file: ShownFile) {
  const [preview, setPreview] = useState<Preview | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const key = JSON.stringify(file);
  useEffect(() => {
    let isGone = false;
    let opened: Preview | null = null;
    const close = () => opened && void ask('preview.close', { token: opened.token });
    void ask('preview.open', { file: JSON.parse(key) as ShownFile }).then((answer) => {
      if (!answer.ok) return isGone ? undefined : setFailure(answer.failure);
      opened = answer.value;
      if (isGone) close();
      else setPreview(opened);
    });
    return () => {
      isGone = true;
      close();
      setPreview(null);
      setFailure(null);
    };
  }, [key]);
  return { preview, failure };
}

/** Computed once per preview: a change of theme or language must not load the frame again. */
function useAddress({ token, sizeBytes }: Preview, begin: Pick<ViewerOptions, 'shows' | 'page' | 'pair'>): string {
  const { t, i18n } = useTranslation();
  const { theme } = useLive().info.preferences;
  const [address] = useState(() => {
    const options: ViewerOptions = {
      token,
      sizeBytes,
      // Pages of a document have their own colours: high contrast is for what is around them.
      theme: theme === 'contrast' ? 'system' : theme,
      language: i18n.language,
      direction: directionOf(i18n.language),
      pageLabel: t('verify.preview.pageLabel'),
      pageTrouble: t('verify.preview.pageTrouble'),
      ...begin,
    };
    return `${viewerOrigin}/index.html#${encodeURIComponent(JSON.stringify(options))}`;
  });
  return address;
}

/** A frame to be shown, and what is known of it: receives its messages within limits, and checks that it still sends any. */
export function useViewer(onEscape: () => void) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [pages, setPages] = useState<number | null>(null);
  const [page, setPage] = useState(1);
  const [compared, setCompared] = useState<{ readonly page: number; readonly places: number } | null>(null);
  const [failed, setFailed] = useState<Why | null>(null);
  const latest = useLatest(onEscape);
  useEffect(() => {
    let heardAt = performance.now();
    const hear = (event: MessageEvent<Partial<ViewerMessage> | null>) => {
      if (event.origin !== viewerOrigin || event.source !== frame.current?.contentWindow) return;
      const message = event.data;
      heardAt = performance.now();
      if (message?.kind === 'escape') latest.current();
      if (message?.kind === 'ready') setPages(bounded(message.pages));
      if (message?.kind === 'page') setPage(bounded(message.page));
      if (message?.kind === 'compared')
        setCompared({ page: bounded(message.page), places: message.places === 0 ? 0 : bounded(message.places) });
      if (message?.kind === 'failed')
        setFailed(whyFailed.includes(message.why ?? '') ? (message.why ?? 'broken') : 'broken');
    };
    const wake = () => {
      // Timers of hidden windows run rarely, so silence while hidden does not mean that the viewer hangs.
      heardAt = performance.now();
    };
    const watch = setInterval(() => {
      if (document.visibilityState === 'visible' && performance.now() - heardAt > silentMs) setFailed('stuck');
    }, 1_000);
    window.addEventListener('message', hear);
    document.addEventListener('visibilitychange', wake);
    return () => {
      clearInterval(watch);
      window.removeEventListener('message', hear);
      document.removeEventListener('visibilitychange', wake);
    };
  }, []);
  const send = (command: ViewerCommand) => frame.current?.contentWindow?.postMessage(command, viewerOrigin);
  return { frame, pages, page, compared, failed, send };
}

function bounded(number: unknown): number {
  return typeof number === 'number' && Number.isSafeInteger(number) ? Math.max(1, Math.min(number, 10_000_000)) : 1;
}
