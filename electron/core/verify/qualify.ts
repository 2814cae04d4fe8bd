import type { Answer, VerdictGroup } from '../../../contract/answer.ts';
import type { Failure, FailureCode } from '../../../contract/failure.ts';
import type { Qualification, VerdictReason } from '../../../contract/verify-result.ts';
import { isFault } from '../../soap/reply/refusal.ts';

const ofFailures: Partial<Record<FailureCode, VerdictReason>> = {
  'service-unreachable': 'unreachable',
  'service-timeout': 'too-late',
  'not-connected': 'not-connected',
  'credentials-rejected': 'not-connected',
  'not-found': 'not-connected',
  'reply-unreadable': 'not-a-reply',
  'file-unreadable': 'file',
  'file-changed': 'file',
};

const verdicts: Readonly<Record<VerdictGroup, Qualification['verdict']>> = {
  confirmed: 'confirmed',
  'confirmed-with-remark': 'confirmed',
  'not-confirmed': 'not-confirmed',
  unclear: 'none',
  'no-answer': 'none',
};

/** Additional information beside a verdict: the reason, and a remark of the service. Never changes the group. */
export function qualificationOf(
  answer: Answer<VerdictGroup>,
  raw: string | null,
  failure: Failure | null,
): Qualification {
  const verdict = verdicts[answer.group];
  const reason = failure ? reasonOfFailure(failure) : reasonOfAnswer(answer);
  return { verdict, remark: verdict === 'none' ? null : remarkIn(raw), reason };
}

function reasonOfFailure(failure: Failure): VerdictReason {
  const { code } = failure;
  if (code === 'service-refused') return isFault(failure) ? 'fault' : 'unexamined-code';
  return ofFailures[code] ?? 'program';
}

function reasonOfAnswer({ kind, group, meaning }: Answer<VerdictGroup>): VerdictReason {
  if (kind === 'none') return 'empty-answer';
  if (kind === 'code') return group === 'no-answer' ? 'unexamined-code' : 'open-code';
  return group === 'unclear' && meaning === '' ? 'unsorted-word' : 'sorted-word';
}

/** The part after the verdict: for `Valid - superseded version` this is `superseded version`. */
function remarkIn(raw: string | null): string | null {
  return /^[^-–—:;,(]*?(?:\s+[-–—]\s+|\s*[:;,(]\s*)(.+?)\)?$/s.exec((raw ?? '').trim())?.[1] ?? null;
}
