import type { VerdictGroup } from '../../../../contract/answer.ts';
import type { FailureDetail } from '../../../../contract/failure.ts';
import type { ComparisonState, FileChange, VerdictReason } from '../../../../contract/verify-result.ts';

/** What the printed report says by itself. The service's answers stand in it as they came. */
export interface ReportTexts {
  readonly title: (of: string) => string;
  readonly files: string;
  readonly nature: string;
  readonly labels: Readonly<
    Record<'service' | 'kind' | 'begun' | 'ended' | 'state' | 'files' | 'asked' | 'leftOut' | 'report', string>
  >;
  readonly kinds: Readonly<Record<'audit' | 'files', string>>;
  readonly states: Readonly<Record<'finished' | 'stopped', string>>;
  readonly report: (madeAt: string, version: string, runId: string) => string;
  readonly since: string;
  readonly firstRun: string;
  readonly columns: Readonly<Record<'file' | 'answer' | 'asked' | 'now' | 'before' | 'leftOut' | 'why', string>>;
  readonly groups: Readonly<Record<VerdictGroup, { readonly title: string; readonly text: string }>>;
  readonly changes: Readonly<Record<FileChange, string>>;
  readonly goneText: string;
  readonly notAsked: string;
  readonly emptyAnswer: string;
  /** Meanings that come with the program, by their English words; what people wrote stays as it is. */
  readonly meanings: Readonly<Record<string, string>>;
  readonly quoted: (raw: string) => string;
  readonly registered: (at: string, name: string, documentId: string) => string;
  readonly copies: Readonly<Record<ComparisonState, string>>;
  readonly reasons: Readonly<Record<VerdictReason, string>>;
  readonly leftOut: string;
  readonly leftOutText: string;
  /** Why a file was left out; others stand there by their code. */
  readonly whyLeftOut: Readonly<Partial<Record<FailureDetail, string>>>;
}
