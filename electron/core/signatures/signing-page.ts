import type { StoredJob } from '../../store/jobs/job-rows.ts';

/** The signing page: only an https address that the service itself returned for this job. */
export function signingPage({ raw, answer }: Pick<StoredJob, 'raw' | 'answer'>): string | null {
  const text = (raw ?? '').trim();
  if (answer?.kind !== 'url' || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'https:' && url.username === '' && url.password === '' ? url.href : null;
}
