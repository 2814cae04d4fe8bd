import { ChevronDown, ChevronUp, ExternalLink, ZoomIn, ZoomOut } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Preview, PreviewFile } from '../../../contract/files.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { CallButton } from '../../features/call-button.tsx';
import { usePreview, useViewer, ViewerFrame } from '../../features/files/pdf-frame.tsx';
import { IconButton } from '../../parts/button.tsx';
import { WholeNumberField } from '../../parts/field.tsx';
import { useFormat } from '../../parts/format.ts';
import { useKeptFocus } from '../../parts/hooks/focus-and-scroll.ts';
import looks from '../../parts/looks.module.css';
import type { ViewerCommand } from '../../viewer/messages.ts';
import css from './pdf-preview.module.css';

const zooms = [0.5, 0.75, 1, 1.5, 2, 3, 4] as const;
const usualZoom = 2;

/**
 * A PDF in a frame with its own origin and process: a hostile file can crash no more than the frame. Messages from the frame are untrusted and
 * checked against limits. Nothing is stored, so no preview opens again by itself.
 */
export function PdfPreview(props: { readonly file: PreviewFile; readonly name: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { preview, failure } = usePreview(props.file);
  return (
    <section className={looks.stack} aria-label={t('verify.preview.title', { name: props.name })}>
      {failure ? <FailureView failure={failure} subject={props.name} calm /> : null}
      {preview ? <Viewer preview={preview} name={props.name} onClose={props.onClose} /> : null}
      {failure ? null : (
        <div>
          <CallButton
            kind="quiet"
            icon={<ExternalLink aria-hidden="true" />}
            call="preview.openOutside"
            input={{ file: props.file }}
            failed={{ subject: props.name }}
          >
            {t('verify.preview.outside')}
          </CallButton>
        </div>
      )}
    </section>
  );
}

function Viewer(props: { readonly preview: Preview; readonly name: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { frame, pages, page, failed, send } = useViewer(props.onClose);
  // The browser engine does not render a cross-origin frame that is out of sight.
  useEffect(() => frame.current?.scrollIntoView({ block: 'nearest' }), [frame]);
  if (failed) {
    return (
      <p className={`${looks.frame} ${looks.padded}`} role="alert">
        {t(`verify.preview.failed.${failed}`)}
      </p>
    );
  }
  return (
    <>
      <div className={looks.bar}>
        {pages === null ? (
          <span>{t('verify.preview.opening')}</span>
        ) : (
          <ViewerButtons page={page} pages={pages} send={send} />
        )}
      </div>
      <ViewerFrame
        ref={frame}
        className={css.frame}
        title={t('verify.preview.title', { name: props.name })}
        preview={props.preview}
        shows="all"
      />
    </>
  );
}

/** Turns pages and sets how large they are. */
export function ViewerButtons(props: {
  readonly page: number;
  readonly pages: number;
  readonly send: (command: ViewerCommand) => void;
}) {
  const { page, pages, send } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const [zoom, setZoom] = useState(usualZoom);
  const box = useRef<HTMLDivElement>(null);
  // At the last page the button that went there cannot be pressed any more.
  useKeptFocus(box, `${page} ${zoom}`);
  const toZoom = (next: number) => {
    setZoom(next);
    send({ command: 'zoom', zoom: zooms[next] ?? 1 });
  };
  return (
    <div ref={box} className={looks.line}>
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
    </div>
  );
}
