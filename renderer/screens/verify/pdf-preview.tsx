import { ChevronDown, ChevronUp, ExternalLink, ZoomIn, ZoomOut } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import { directionOf } from '../../../contract/languages.ts';
import type { Preview, PreviewFile } from '../../../contract/preview.ts';
import { ask } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useLive } from '../../bridge/live.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { WholeNumberField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import { type ViewerCommand, type ViewerMessage, type ViewerOptions, whyFailed } from '../../viewer/messages.ts';
import css from './pdf-preview.module.css';

const viewerOrigin = 'app://viewer';
/** A viewer is removed after this time without a sign of life, in milliseconds. */
const silentMs = 12_000;
const zooms = [0.5, 0.75, 1, 1.5, 2, 3, 4] as const;
const usualZoom = 2;

type Why = Extract<ViewerMessage, { kind: 'failed' }>['why'] | 'stuck';

/**
 * A PDF in a frame with its own origin and process: a hostile file can crash no more than the frame. Messages from the frame are untrusted and
 * checked against limits. Nothing is stored, so no preview opens again by itself.
 */
export function PdfPreview(props: { readonly file: PreviewFile; readonly name: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { preview, failure } = usePreview(props.file);
  const outside = useCall('preview.openOutside');
  return (
    <section className={css.preview} aria-label={t('verify.preview.title', { name: props.name })}>
      {failure ? <FailureView failure={failure} subject={props.name} calm /> : null}
      {preview ? <Viewer preview={preview} name={props.name} onClose={props.onClose} /> : null}
      {failure ? null : (
        <div>
          <Button
            kind="quiet"
            icon={<ExternalLink aria-hidden="true" />}
            onPress={() => void outside.run({ file: props.file })}
          >
            {t('verify.preview.outside')}
          </Button>
        </div>
      )}
      {outside.failure ? <FailureView failure={outside.failure} subject={props.name} /> : null}
    </section>
  );
}

/** Keeps the file open for the viewer while the preview is mounted. */
function usePreview(file: PreviewFile) {
  const [preview, setPreview] = useState<Preview | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const key = JSON.stringify(file);
  useEffect(() => {
    let isGone = false;
    let opened: Preview | null = null;
    const close = () => opened && void ask('preview.close', { token: opened.token });
    void ask('preview.open', { file: JSON.parse(key) as PreviewFile }).then((answer) => {
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

function Viewer(props: { readonly preview: Preview; readonly name: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const frame = useRef<HTMLIFrameElement>(null);
  const address = useAddress(props.preview);
  const { pages, page, failed } = useViewerMessages(frame, props.onClose);
  // The browser engine does not render a cross-origin frame that is out of sight.
  useEffect(() => frame.current?.scrollIntoView({ block: 'nearest' }), []);
  const send = (command: ViewerCommand) => frame.current?.contentWindow?.postMessage(command, viewerOrigin);
  if (failed) {
    return (
      <p className={css.failed} role="alert">
        {t(`verify.preview.failed.${failed}`)}
      </p>
    );
  }
  return (
    <>
      <div className={css.bar}>
        {pages === null ? (
          <span>{t('verify.preview.opening')}</span>
        ) : (
          <ViewerButtons page={page} pages={pages} send={send} />
        )}
      </div>
      <iframe
        ref={frame}
        className={css.frame}
        title={t('verify.preview.title', { name: props.name })}
        src={address}
        // The frame has its own origin, so same-origin gives it nothing of the page.
        sandbox="allow-scripts allow-same-origin"
        referrerPolicy="no-referrer"
      />
    </>
  );
}

function ViewerButtons(props: {
  readonly page: number;
  readonly pages: number;
  readonly send: (command: ViewerCommand) => void;
}) {
  const { page, pages, send } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const [zoom, setZoom] = useState(usualZoom);
  const toZoom = (next: number) => {
    setZoom(next);
    send({ command: 'zoom', zoom: zooms[next] ?? 1 });
  };
  return (
    <>
      <IconButton
        label={t('verify.preview.previous')}
        icon={<ChevronUp aria-hidden="true" />}
        isDisabled={page <= 1}
        onPress={() => send({ command: 'page', page: page - 1 })}
      />
      <IconButton
        label={t('verify.preview.next')}
        icon={<ChevronDown aria-hidden="true" />}
        isDisabled={page >= pages}
        onPress={() => send({ command: 'page', page: page + 1 })}
      />
      <span className={css.page}>
        <WholeNumberField
          label={t('verify.preview.page')}
          hideLabel
          value={page}
          min={1}
          max={pages}
          onChange={(next) => send({ command: 'page', page: next })}
        />
      </span>
      <span>{t('verify.preview.of', { total: format.number(pages) })}</span>
      <IconButton
        label={t('verify.preview.smaller')}
        icon={<ZoomOut aria-hidden="true" />}
        isDisabled={zoom === 0}
        onPress={() => toZoom(zoom - 1)}
      />
      <IconButton
        label={t('verify.preview.larger')}
        icon={<ZoomIn aria-hidden="true" />}
        isDisabled={zoom === zooms.length - 1}
        onPress={() => toZoom(zoom + 1)}
      />
    </>
  );
}

/** Computed once per preview: a change of theme or language must not load the frame again. */
function useAddress({ token, sizeBytes }: Preview): string {
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
    };
    return `${viewerOrigin}/index.html#${encodeURIComponent(JSON.stringify(options))}`;
  });
  return address;
}

/** Receives the messages of the frame within limits, and checks that it still sends any. */
function useViewerMessages(frame: { readonly current: HTMLIFrameElement | null }, onEscape: () => void) {
  const [pages, setPages] = useState<number | null>(null);
  const [page, setPage] = useState(1);
  const [failed, setFailed] = useState<Why | null>(null);
  const latest = useRef(onEscape);
  useEffect(() => {
    latest.current = onEscape;
  });
  useEffect(() => {
    let heardAt = performance.now();
    const hear = (event: MessageEvent<Partial<ViewerMessage> | null>) => {
      if (event.origin !== viewerOrigin || event.source !== frame.current?.contentWindow) return;
      const message = event.data;
      heardAt = performance.now();
      if (message?.kind === 'escape') latest.current();
      if (message?.kind === 'ready') setPages(bounded(message.pages));
      if (message?.kind === 'page') setPage(bounded(message.page));
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
  }, [frame]);
  return { pages, page, failed };
}

function bounded(number: unknown): number {
  return typeof number === 'number' && Number.isSafeInteger(number) ? Math.max(1, Math.min(number, 10_000_000)) : 1;
}
