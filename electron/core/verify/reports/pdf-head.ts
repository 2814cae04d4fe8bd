import type { TFunction } from 'i18next';
import type { VerifyRun } from '../../../../contract/verify.ts';
import { isOfFirstFile } from '../../../../contract/verify-result.ts';
import { blank, madeBy, type PdfReport, timeOf } from '../../output/pdf/pdf-report.ts';
import { type Annex, type ReportSource, type Section, sectionsInOrder, serviceOf } from './report-source.ts';

export type Texts = TFunction<'reports'>;

/** The first page: what was checked by whom, with which result, what that shows, and how it was found. */
export function writeHead(
  report: PdfReport,
  t: Texts,
  { source, annex }: { readonly source: ReportSource; readonly annex: Annex },
): void {
  const { run, isPractice, version, madeAt, reporter, computer, account } = source;
  report.heading(titleOf(t, run));
  if (isPractice) report.paragraph(t('practice'));
  const isAsked = run.connectionId !== null;
  if (isAsked) report.paragraph(t('nature'), { isQuiet: true });
  report.fields([
    [t('labels.number'), run.runId],
    [t('labels.result'), resultOf(t, annex)],
    [t('labels.by'), madeBy(reporter)],
    [t('labels.computer'), computer],
    [t('labels.service'), isAsked ? serviceOf(source) : t('noService')],
    ...(account === '' ? [] : [[t('labels.account'), account] as const]),
    [t('labels.kind'), t(`kinds.${run.kind}`)],
    [t('labels.begun'), timeOf(run.startedAt)],
    [t('labels.ended'), run.endedAt === null ? '' : timeOf(run.endedAt)],
    [t('labels.state'), t(run.state === 'finished' ? 'states.finished' : 'states.stopped')],
    [t('labels.asked'), t('checks', { sent: run.calls, answered: run.replies })],
    [t('labels.leftOut'), String(run.leftOut)],
    [t('labels.report'), t('report', { madeAt: timeOf(madeAt), version })],
    [t('labels.checksum'), annex.checksum],
  ]);
  const part = (title: string, text: string) => {
    report.heading(title, 3);
    report.paragraph(text);
  };
  if (isAsked) part(t('shows'), t('showsText', annex.asked));
  part(t('showsNot'), t('showsNotText'));
  part(t('how'), t(isAsked ? 'howText' : 'howLocalText', { version, ...annex.asked }));
  if (annex.hasSigned) report.paragraph(t('ownText'));
  report.paragraph(t('checksumText'));
  report.fields([
    [t('labels.place'), blank],
    [t('labels.signature'), `\n\n${blank}`],
  ]);
}

/** `200 = Not confirmed 16 + Not checked 4 + Confirmed 180`: every file once. */
function resultOf(t: Texts, { counts }: Annex): string {
  const parts = sectionsInOrder.flatMap((section) => {
    const count = counts.get(section);
    return count === undefined ? [] : [{ count, title: sectionTitle(t, section) }];
  });
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  return parts.length === 0 ? '0' : `${total} = ${parts.map(({ count, title }) => `${title} ${count}`).join(' + ')}`;
}

export function sectionTitle(t: Texts, section: Section): string {
  if (section === 'gone') return t('changes.gone');
  return section === 'pending' ? t('open') : t(`groups.${section}.title`);
}

/** The title of a run's report. A run of several files has the name of the first one, which is not what was verified. */
export function titleOf(t: Texts, run: Pick<VerifyRun, 'title' | 'kind' | 'total'>): string {
  const { title, total } = run;
  return t('title', { of: title === '' || isOfFirstFile(run) ? t('fileCount', { count: total }) : title });
}
