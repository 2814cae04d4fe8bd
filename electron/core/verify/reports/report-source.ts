import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { VerdictGroup } from '../../../../contract/answers.ts';
import type { Connection } from '../../../../contract/connections.ts';
import type { SkippedFile } from '../../../../contract/files.ts';
import type { VerifyResult } from '../../../../contract/verify-result.ts';
import { signedVerdictOf } from '../../../../locales/own-verdict.ts';
import { reporterOf } from '../../../store/settings/key-values.ts';
import { runView, type StoredFile, type StoredRun } from '../../../store/verify/verify-rows.ts';
import type { Context } from '../../context.ts';
import { appError } from '../../foundation/app-error.ts';
import { resultView } from '../result-view.ts';

const rowsAtOnce = 50;

/** The content of a report, the same for every format. */
export type ReportSource = Awaited<ReturnType<typeof reportSource>>;

/** Lets writers yield to other work and learn that they were cancelled. */
export type Pacer = ReturnType<typeof createPacer>;

/** Collects the content. Missing names are empty strings, because the content is data and has no language. */
export async function reportSource(context: Context, run: StoredRun) {
  const connection = await context.connections.get(run.connection_id).catch(() => null);
  const { verifyFiles, verifyRuns } = context.store;
  return {
    run: runView(run),
    connectionName: connection?.name ?? '',
    /** Address of the main operations; null for the practice service, whose address changes, and for a removed connection. */
    serviceAddress: connection ? addressOf(connection) : null,
    /** Asked of the practice service: no answer has any meaning. */
    isPractice: connection?.kind === 'practice',
    reporter: reporterOf(context.store.settings),
    /** Name of this computer. */
    computer: hostname(),
    /** The account's own address at the service; empty if not known. */
    account: connection?.ownerEmail ?? '',
    version: context.ports.version,
    /** ISO 8601, UTC. */
    madeAt: new Date().toISOString(),
    /** Failures first, within a group in the order of the list. Each is looked up when it is taken: several questions to the database, so writers may yield between any two. */
    *results(): Generator<VerifyResult> {
      const view = resultView(context.store, run);
      let last: StoredFile | null = null;
      for (;;) {
        const rows: StoredFile[] = verifyFiles.after(run, last, rowsAtOnce);
        for (const row of rows) yield view(row);
        last = rows.at(-1) ?? null;
        if (!last || rows.length < rowsAtOnce) return;
      }
    },
    *leftOut(): Generator<readonly SkippedFile[]> {
      for (let offset = 0; ; offset += rowsAtOnce) {
        const { files } = verifyRuns.leftOut(run, { offset, limit: rowsAtOnce });
        if (files.length > 0) yield files;
        if (files.length < rowsAtOnce) return;
      }
    },
  };
}

function addressOf({ kind, baseUrl, mainPath }: Connection): string | null {
  return kind === 'practice' ? null : `${baseUrl.replace(/\/$/, '')}${mainPath}`;
}

/** The service by name and address, as far as they are known. */
export function serviceOf({ connectionName, serviceAddress }: ReportSource): string {
  return serviceAddress === null ? connectionName : `${connectionName}, ${serviceAddress}`;
}

/** Path below the dropped folder, with `/`. */
export function pathOf({ folder, name }: { readonly folder: string; readonly name: string }): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** Maximum time without yielding to the event loop, in milliseconds. */
const sliceMs = 8;

export function createPacer(signal: AbortSignal, turn: () => Promise<void>) {
  let since = performance.now();
  return {
    /** Await this after each file; rejects with cancelled. */
    step: async () => {
      if (performance.now() - since < sliceMs) return;
      await turn();
      if (signal.aborted) throw appError('cancelled', 'the report was cancelled');
      since = performance.now();
    },
  };
}

/** What a file stands under: the group of its answer, or why it has none. */
export type Section = VerdictGroup | 'gone' | 'pending';

/** What needs attention comes first. */
export const sectionsInOrder: readonly Section[] = [
  ...(['not-confirmed', 'unclear', 'no-answer', 'not-pdf', 'confirmed-with-remark', 'confirmed'] as const),
  ...(['gone', 'pending'] as const),
];

/** What is known of all files before the first one is written. */
export interface Annex {
  /** SHA-256 over one line for each file in their order: its SHA-256, path and answer, with two spaces between. The same in every format. */
  readonly checksum: string;
  readonly counts: ReadonlyMap<Section, number>;
  /** Files that were looked at, those of them that the service was asked about, and those that it answered. */
  readonly asked: Readonly<Record<'total' | 'asked' | 'answered', number>>;
  /** True if any of them is signed, as far as this program reads it. */
  readonly hasSigned: boolean;
  /** The different answers of each section with one file that got it, the first ones. */
  readonly answers: ReadonlyMap<Section, ReadonlyMap<string, VerifyResult>>;
}

/** Different answers that are explained for a section; services have few. */
const mostAnswers = 20;

/** Reads all files once. */
export async function readAnnex(source: ReportSource, { step }: Pacer): Promise<Annex> {
  const hash = createHash('sha256');
  const counts = new Map<Section, number>();
  const asked = { total: 0, asked: 0, answered: 0 };
  let hasSigned = false;
  const answers = new Map<Section, Map<string, VerifyResult>>();
  for (const result of source.results()) {
    const { sha256, raw, answer, failure } = result;
    hasSigned ||= signedVerdictOf(result.signatures) !== null;
    hash.update(`${sha256 ?? ''}  ${pathOf(result)}  ${raw ?? ''}\n`);
    const section = sectionOf(result);
    counts.set(section, (counts.get(section) ?? 0) + 1);
    asked.total += Number(section !== 'gone');
    asked.asked += Number(wasAsked(result));
    asked.answered += Number(wasAsked(result) && (raw !== null || (answer !== null && failure === null)));
    const known = answers.get(section) ?? new Map<string, VerifyResult>();
    answers.set(section, known);
    if (raw !== null && known.size < mostAnswers && !known.has(raw)) known.set(raw, result);
    await step();
  }
  return { checksum: hash.digest('hex'), counts, asked, hasSigned, answers };
}

/** False for what the service cannot have been asked about, and for what is gone: true also if it was sent and no answer came. */
export function wasAsked({ askedAt, change }: VerifyResult): boolean {
  return askedAt !== null && change !== 'gone';
}

export function sectionOf({ answer, change }: VerifyResult): Section {
  return answer?.group ?? (change === 'gone' ? 'gone' : 'pending');
}
