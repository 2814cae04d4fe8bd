import type { DuplicateOf, Job } from '../../../contract/jobs.ts';
import { type Line, nameOnLine } from '../output/printer.ts';
import { t } from '../output/texts.ts';

/** Who or what has the same as a job, in words: a colleague of the team by name. */
export function sentBefore(of: DuplicateOf | null, isRequest = false): string {
  const title = nameOnLine(of?.title ?? '');
  if (of?.by) {
    const who = { person: nameOnLine(of.by.person), computer: nameOnLine(of.by.computer) };
    const state = of.state === 'done' ? 'done' : of.state === 'in-doubt' ? 'doubt' : 'sending';
    return t(`results.team.by.${state}`, { ...who, what: of.documentId ?? title });
  }
  const what = of?.documentId ?? (of?.state === 'in-doubt' ? t('results.inDoubtToo', { title }) : title);
  return isRequest ? t('results.requestedBefore', { what, when: of?.at ?? '' }) : t('results.sentBefore', { what });
}

/** The colleague who has the same as a job, as `--json` prints it, with the job that a person may decide about; undefined if it is nobody of the team. */
export function colleagueOf({ id, duplicateOf }: Job): Line['details'] {
  if (!duplicateOf?.by) return undefined;
  const { by, state, at } = duplicateOf;
  return { jobId: id, claimedBy: { person: by.person, computer: by.computer, state, at } };
}
