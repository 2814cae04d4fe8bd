import type { TFunction } from 'i18next';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Preview } from '../../../contract/files.ts';
import type { PdfSignature, PdfSignatures } from '../../../contract/pdf-signatures.ts';
import type { FileHistory } from '../../../contract/verify-result.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { usePreview, useViewer, ViewerFrame } from '../../features/files/pdf-frame.tsx';
import { Counters } from '../../parts/chip.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Segments } from '../../parts/field.tsx';
import { visibleName } from '../../parts/format.ts';
import { useNarrow } from '../../parts/hooks/use-narrow.ts';
import looks from '../../parts/looks.module.css';
import { Dialog } from '../../parts/overlays/dialog.tsx';
import { Problem } from '../../parts/problem.tsx';
import type { ViewerCommand } from '../../viewer/messages.ts';
import { ViewerButtons } from './pdf-preview.tsx';
import { signatureTitle } from './result-texts.ts';
import css from './revisions-dialog.module.css';

/** Pages with changes that can be gone to at once; the first ones, as in the sentence of the verdict. */
const mostPages = 20;
const sides = ['signed', 'now'] as const;

/** What was signed and the file as it is now, side by side or, in a narrow window, one behind the other. For a person’s eyes: no verdict depends on it. */
export function RevisionsDialog(props: {
  readonly history: FileHistory;
  readonly revisions: readonly SignedRevision[];
  readonly onClose: () => void;
}) {
  const { history, revisions, onClose } = props;
  const { t } = useTranslation();
  const [chosen, setChosen] = useState(revisionToShow(revisions));
  return (
    <Dialog title={t('own.revisions.title', { name: visibleName(history.name) })} full onClose={onClose}>
      <div className={css.room}>
        <p>{t('own.revisions.note')}</p>
        {revisions.length > 1 ? (
          <div className={css.which}>
            <Choice
              label={t('own.revisions.signed')}
              hideLabel
              value={String(chosen?.number)}
              choices={revisions.map((one) => ({ key: String(one.number), text: signatureText(t, one) }))}
              onChange={(key) => setChosen(revisions.find(({ number }) => String(number) === key))}
            />
          </div>
        ) : null}
        {chosen ? <Opened key={chosen.end} history={history} revision={chosen} onClose={onClose} /> : null}
      </div>
    </Dialog>
  );
}

function signatureText(t: TFunction, { number, signature }: SignedRevision): string {
  const title = signatureTitle(t, signature, number);
  return signature.signer === null ? title : `${title} · ${visibleName(signature.signer)}`;
}

function placesText(t: TFunction, count: number): string {
  return count === 0 ? t('own.revisions.alike') : t('own.revisions.places', { count });
}

function Opened(props: {
  readonly history: FileHistory;
  readonly revision: SignedRevision;
  readonly onClose: () => void;
}) {
  const { runId, index, name, sizeBytes } = props.history;
  const { end, signature } = props.revision;
  const { t } = useTranslation();
  const file = { of: 'revision', runId, index } as const;
  const signed = usePreview({ ...file, end });
  const now = usePreview({ ...file, end: sizeBytes });
  const failure = signed.failure ?? now.failure;
  if (failure?.code === 'file-changed')
    return <Problem heading={t('own.revisions.changed')} advice={t('own.revisions.changedAdvice')} calm />;
  if (failure) return <FailureView failure={failure} subject={name} calm />;
  if (!signed.preview || !now.preview) return <p>{t('verify.preview.opening')}</p>;
  const pages = signature.changedPages.slice(0, mostPages);
  return <Drawings signed={signed.preview} now={now.preview} pages={pages} onClose={props.onClose} />;
}

function Drawings(props: {
  readonly signed: Preview;
  readonly now: Preview;
  readonly pages: readonly number[];
  readonly onClose: () => void;
}) {
  const { pages, onClose } = props;
  const { t } = useTranslation();
  const isNarrow = useNarrow();
  const [page, setPage] = useState(pages[0] ?? 1);
  const [front, setFront] = useState<(typeof sides)[number]>('now');
  const viewers = { signed: useViewer(onClose), now: useViewer(onClose) };
  const send = (command: ViewerCommand) => {
    if (command.command === 'page') setPage(command.page);
    for (const side of sides) viewers[side].send(command);
  };
  const pair = `${props.signed.token} ${props.now.token}`;
  const { compared } = viewers.now;
  const isOpen = sides.every((side) => viewers[side].pages !== null || viewers[side].failed !== null);
  const most = Math.max(...sides.map((side) => viewers[side].pages ?? 1));
  return (
    <>
      <div className={looks.bar}>
        {isNarrow ? (
          <Segments
            label={t('own.revisions.shown')}
            hideLabel
            value={front}
            choices={sides.map((key) => ({ key, text: t(`own.revisions.${key}`) }))}
            onChange={setFront}
          />
        ) : null}
        {isOpen ? <ViewerButtons page={page} pages={most} send={send} /> : <span>{t('verify.preview.opening')}</span>}
        {isOpen && pages.length > 0 ? <ChangedPages pages={pages} page={page} send={send} /> : null}
        <span role="status">{compared?.page === page ? placesText(t, compared.places) : ''}</span>
      </div>
      <div className={css.sides}>
        {sides.map((side) => {
          const title = t(`own.revisions.${side}`);
          return (
            <section key={side} className={css.side} aria-label={title} inert={isNarrow && side !== front}>
              {isNarrow ? null : <h3>{title}</h3>}
              <Drawing viewer={viewers[side]} title={title} preview={props[side]} page={page} pair={pair} />
            </section>
          );
        })}
      </div>
    </>
  );
}

/** The pages on which something changed, to go to. */
function ChangedPages(props: {
  readonly pages: readonly number[];
  readonly page: number;
  readonly send: (command: ViewerCommand) => void;
}) {
  const { pages, page, send } = props;
  const { t } = useTranslation();
  return (
    <div className={looks.bar}>
      <span>{t('own.revisions.pages')}</span>
      <Counters
        label={t('own.revisions.pages')}
        selected={pages.includes(page) ? String(page) : null}
        onSelect={(key) => key !== null && send({ command: 'page', page: Number(key) })}
        counters={pages.map((one) => ({ key: String(one), text: t('own.revisions.page', { page: one }) }))}
      />
    </div>
  );
}

/** A page of one side, or why it is not shown. */
function Drawing(props: {
  readonly viewer: ReturnType<typeof useViewer>;
  readonly title: string;
  readonly preview: Preview;
  readonly page: number;
  readonly pair: string;
}) {
  const { viewer, page, ...shown } = props;
  const { frame, failed, pages: count } = viewer;
  const { t } = useTranslation();
  const isMissing = count !== null && page > count;
  if (failed)
    return (
      <p className={css.instead} role="alert">
        {t(`verify.preview.failed.${failed}`)}
      </p>
    );
  return (
    <div className={css.sheet}>
      <div className={css.frameBox} inert={isMissing}>
        <ViewerFrame ref={frame} className={css.frame} shows="one" page={page} {...shown} />
      </div>
      {isMissing ? <p className={css.instead}>{t('own.revisions.noPage', { page })}</p> : null}
    </div>
  );
}

/** What a signature covers: the file up to `end`. */
interface SignedRevision {
  readonly end: number;
  /** Number of the signature in the list of all, from 1. */
  readonly number: number;
  readonly signature: PdfSignature;
}

/** Those that fit and do not cover the whole file, by their ends. */
export function signedRevisions({ signatures }: PdfSignatures, sizeBytes: number): readonly SignedRevision[] {
  return signatures
    .flatMap((signature, at) => {
      const { covers, integrity, coversTo: end } = signature;
      const isKnown = covers === 'revision' && integrity === 'intact' && end !== null && end < sizeBytes;
      return isKnown ? [{ end, number: at + 1, signature }] : [];
    })
    .toSorted((one, other) => one.end - other.end);
}

/** The last that does not allow what followed; else the first, after which most was added. */
function revisionToShow(revisions: readonly SignedRevision[]): SignedRevision | undefined {
  return revisions.findLast(({ signature }) => signature.reason !== null) ?? revisions[0];
}
