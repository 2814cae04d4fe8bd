import type { Handlers } from '../../contract/index.ts';
import type { Context } from '../core/context.ts';
import type { Jobs } from '../core/jobs/jobs.ts';
import type { PracticeLine } from '../core/practice-line.ts';
import type { SigningParts } from '../core/signing-parts.ts';
import { bulkCalls } from './bulk.ts';
import { composeCalls } from './compose.ts';
import { draftCalls } from './drafts.ts';
import { peopleCalls } from './people.ts';
import { practiceCalls } from './practice.ts';
import { signatureCalls } from './signatures.ts';
import { templateCalls } from './templates.ts';
import { trackingCalls } from './tracking.ts';

type Subjects =
  | 'signatures'
  | 'compose'
  | 'drafts'
  | 'corrections'
  | 'presets'
  | 'templates'
  | 'people'
  | 'bulk'
  | 'tracking'
  | 'practice';
type Names = Extract<keyof Handlers, `${Subjects}.${string}`>;

/** Everything about signature requests. */
export function signingCalls(
  context: Context,
  jobs: Jobs,
  practice: PracticeLine,
  parts: SigningParts,
): Pick<Handlers, Names> {
  const { drafts, corrections, bulks, tracking } = parts;
  return {
    ...signatureCalls(context, jobs, parts),
    ...composeCalls(context),
    ...draftCalls(context, drafts),
    'corrections.open': ({ jobId }) => corrections.open(jobId),
    ...templateCalls(context),
    ...peopleCalls(context),
    ...bulkCalls(context, bulks),
    ...trackingCalls(context, tracking),
    ...practiceCalls(context, practice, tracking.expect),
  };
}
