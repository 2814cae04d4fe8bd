import { ChevronDown, ChevronUp, ExternalLink, ZoomIn, ZoomOut } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../contract/failure.ts';
import type { Preview, PreviewFile } from '../../../contract/preview.ts';
import { ask } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useLive } from '../../bridge/live.tsx';
import { useTask } from '../../bridge/use-task.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { WholeNumberField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import { type Order, type ViewerMessage, type Wish, whyFailed } from '../../viewer/messages.ts';
import css from './pdf-preview.module.css';

const viewerOrigin = 'app://viewer';
/** A viewer that has not said for so long that it is alive is taken away. */
const silentMs = 12_000;
const zooms = [0.5, 0.75, 1, 1.5, 2, 3, 4] as const;
const usualZoom = 2;

type Why = Extract<ViewerMessage, { told: 'failed' }>['why'] | 'stuck';

/**
 * A PDF in a frame of its own origin and process: whatever is in it, it can take down no more than the frame. What the frame tells is not
 * believed beyond its bounds. Nothing of it is remembered, so nothing opens again by itself.
 */
export function PdfPreview(props: { readonly file: PreviewFile; readonly name: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { preview, failure } = usePreview(props.file);
  const outside = useTask('preview.openOutside');
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

/** Opens the file to the viewer as long as it is looked at. */
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
  const format = useFormat();
  const frame = useRef<HTMLIFrameElement>(null);
  const address = useAddress(props.preview);
  const { pages, page, failed } = useTold(frame, props.onClose);
  const [zoom, setZoom] = useState(usualZoom);
  // The browser engine draws nothing in a frame of another origin that is out of sight.
  useEffect(() => frame.current?.scrollIntoView({ block: 'nearest' }), []);
  const wish = (wanted: Wish) => frame.current?.contentWindow?.postMessage(wanted, viewerOrigin);
  const toZoom = (next: number) => {
    setZoom(next);
    wish({ wish: 'zoom', zoom: zooms[next] ?? 1 });
  };
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
          <>
            <IconButton
              label={t('verify.preview.previous')}
              icon={<ChevronUp aria-hidden="true" />}
              isDisabled={page <= 1}
              onPress={() => wish({ wish: 'page', page: page - 1 })}
            />
            <IconButton
              label={t('verify.preview.next')}
              icon={<ChevronDown aria-hidden="true" />}
              isDisabled={page >= pages}
              onPress={() => wish({ wish: 'page', page: page + 1 })}
            />
            <span className={css.page}>
              <WholeNumberField
                label={t('verify.preview.page')}
                hideLabel
                value={page}
                min={1}
                max={pages}
                onChange={(next) => wish({ wish: 'page', page: next })}
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
        )}
      </div>
      <iframe
        ref={frame}
        className={css.frame}
        title={t('verify.preview.title', { name: props.name })}
        src={address}
        // Its own origin, not the page's: to be the same as itself gives it nothing of the page.
        sandbox="allow-scripts allow-same-origin"
        referrerPolicy="no-referrer"
      />
    </>
  );
}

/** Made once for a look: a change of theme or language must not load the frame anew. */
function useAddress({ token, sizeBytes }: Preview): string {
  const { t, i18n } = useTranslation();
  const { theme } = useLive().info.preferences;
  const [address] = useState(() => {
    const order: Order = {
      token,
      sizeBytes,
      theme,
      language: i18n.language,
      pageLabel: t('verify.preview.pageLabel'),
      pageTrouble: t('verify.preview.pageTrouble'),
    };
    return `${viewerOrigin}/index.html#${encodeURIComponent(JSON.stringify(order))}`;
  });
  return address;
}

/** What the frame says of itself, within bounds, and whether it still says anything. */
function useTold(frame: { readonly current: HTMLIFrameElement | null }, onEscape: () => void) {
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
      const told = event.data;
      heardAt = performance.now();
      if (told?.told === 'escape') latest.current();
      if (told?.told === 'ready') setPages(bounded(told.pages));
      if (told?.told === 'page') setPage(bounded(told.page));
      if (told?.told === 'failed') setFailed(whyFailed.includes(told.why ?? '') ? (told.why ?? 'broken') : 'broken');
    };
    const wake = () => {
      // Timers of windows that nobody sees run rarely.
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
