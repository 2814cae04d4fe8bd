import type { VerifyResult } from '../../../../contract/verify-result.ts';
import { isKnown, isRevoked, signersOf } from '../../../../locales/own-verdict.ts';
import type { NewTable } from '../../output/tables/table.ts';
import { type Pacer, pathOf, type ReportSource, readAnnex, serviceOf, wasAsked } from './report-source.ts';

type Cell = string | number | null | undefined;

/** Columns in the order of the file, described in docs/verify-report.md. New columns are added at the end. */
const columns: readonly (readonly [name: string, of: (result: VerifyResult) => Cell])[] = [
  ['path', pathOf],
  ['sizeBytes', ({ sizeBytes }) => sizeBytes],
  ['sha256', ({ sha256 }) => sha256],
  ['group', ({ answer }) => answer?.group],
  ['verdict', ({ qualification }) => qualification?.verdict],
  ['remark', ({ qualification }) => qualification?.remark],
  ['reason', ({ qualification }) => qualification?.reason],
  ['meaning', ({ answer }) => answer?.meaning],
  ['raw', ({ raw }) => raw],
  ['code', ({ answer }) => answer?.code],
  ['failure', ({ failure }) => failure?.detail ?? failure?.code],
  ['askedAt', ({ askedAt }) => askedAt],
  ['change', ({ change }) => change],
  ['earlierGroup', ({ earlier }) => earlier?.group],
  ['earlierRaw', ({ earlier }) => earlier?.raw],
  ['earlierSha256', ({ earlier }) => earlier?.sha256],
  ['earlierAskedAt', ({ earlier }) => earlier?.askedAt],
  ['knownDocumentId', ({ knownHere }) => knownHere?.documentId],
  ['knownName', ({ knownHere }) => knownHere?.name],
  ['knownClientId', ({ knownHere }) => knownHere?.clientId],
  ['knownRegisteredAt', ({ knownHere }) => knownHere?.registeredAt],
  ['knownOperation', ({ knownHere }) => knownHere?.operation],
  ['knownSentTo', ({ knownHere }) => knownHere?.sentTo],
  ['copy', ({ comparison }) => comparison?.state],
  ['copyDocumentId', ({ comparison }) => comparison?.documentId],
  ['copySha256', ({ comparison }) => comparison?.copySha256],
];

/** What the file itself proves; behind the columns that are the same in every row, as they came later. */
const ownColumns: typeof columns = [
  ['own', ({ signatures }) => signatures?.verdict],
  ['ownReason', ({ signatures }) => signatures?.reason],
  ['ownSigners', ({ signatures }) => signersOf(signatures).join('; ')],
  ['originDocumentId', ({ origin }) => (origin?.registered ?? origin?.downloaded)?.documentId],
  ['originSha256', ({ origin }) => origin?.sha256],
  ['askedSigned', ({ askedAndFound }) => askedOf(askedAndFound, true)],
  ['askedNotFound', ({ askedAndFound }) => askedOf(askedAndFound, false)],
  ['ownKnown', ({ signatures }) => signersOf(signatures, isKnown).join('; ')],
  ['ownRevoked', ({ signatures }) => signersOf(signatures, isRevoked).join('; ')],
  ['ownPages', ({ signatures }) => signatures?.changedPages.join('; ')],
  ['asked', (result) => String(wasAsked(result))],
];

/** Addresses of people who were asked and of whom the file has a signature, or has none. */
function askedOf(found: VerifyResult['askedAndFound'], isFound: boolean): string | undefined {
  return found?.asked
    .filter((one) => (one.found !== null) === isFound)
    .map(({ email, name }) => email || name)
    .join('; ');
}

/** One row per file, then the skipped files. `onFile` is called after each file. */
export function csvReport(source: ReportSource, pacer: Pacer, onFile: () => void): NewTable {
  return {
    headings: [
      ...columns.map(([name]) => name),
      ...Object.keys(factsOf(source, '')),
      ...ownColumns.map(([name]) => name),
      ...Object.keys(checksOf(source)),
    ],
    rows: rowsOf(source, pacer, onFile),
    language: 'en',
  };
}

/** Columns that are the same in every row: whom the service answered, and what the report is. */
function factsOf(source: ReportSource, checksum: string) {
  const { isPractice, reporter, computer, account, run } = source;
  const by = { person: reporter?.person ?? '', organisation: reporter?.organisation ?? '', computer };
  return { isPractice: String(isPractice), ...by, service: serviceOf(source), account, runId: run.runId, checksum };
}

async function* rowsOf(source: ReportSource, { step }: Pacer, onFile: () => void): AsyncGenerator<readonly string[]> {
  const facts = Object.values(factsOf(source, (await readAnnex(source, { step })).checksum));
  const checks = Object.values(checksOf(source));
  for (const result of source.results()) {
    const cells = (some: typeof columns) => some.map(([, of]) => String(of(result) ?? ''));
    yield [...cells(columns), ...facts, ...cells(ownColumns), ...checks];
    onFile();
    await step();
  }
  for (const slice of source.leftOut()) {
    for (const file of slice) {
      const left = { path: pathOf(file), failure: file.reason } as Partial<Record<string, string>>;
      yield [...columns.map(([name]) => left[name] ?? ''), ...facts, ...ownColumns.map(() => ''), ...checks];
    }
    await step();
  }
}

/** In every row the same, too. */
function checksOf({ run }: ReportSource) {
  return { checksSent: String(run.calls), checksAnswered: String(run.replies) };
}

/** Described by docs/verify-report.schema.json. Removing a field or changing its meaning needs a new version. */
const formatVersion = 2;

/** One file per line, so that long reports can be read line by line. `onFile` is called after each file. */
export async function* jsonReport(source: ReportSource, { step }: Pacer, onFile: () => void): AsyncGenerator<string> {
  const { run, connectionName, serviceAddress, isPractice, version, madeAt, reporter, computer, account } = source;
  const head = {
    format: 'sealdesk-verify-report',
    version: formatVersion,
    program: { name: 'Sealdesk', version },
    madeAt,
    checkedBy: { person: reporter?.person ?? null, organisation: reporter?.organisation ?? null, computer, account },
    checksum: (await readAnnex(source, { step })).checksum,
    run: { ...run, connectionName, serviceAddress, isPractice },
  };
  yield `${JSON.stringify(head).slice(0, -1)},\n"files":[`;
  let separator = '\n';
  for (const result of source.results()) {
    yield separator + JSON.stringify(fileOf(result));
    separator = ',\n';
    onFile();
    await step();
  }
  yield '\n],\n"leftOut":[';
  separator = '\n';
  for (const slice of source.leftOut()) {
    for (const { name, folder, reason, kind } of slice) {
      yield separator + JSON.stringify({ path: pathOf({ name, folder }), reason, kind: kind ?? null });
      separator = ',\n';
    }
    await step();
  }
  yield '\n]}\n';
}

function fileOf(result: VerifyResult) {
  const { index, name, folder, sizeBytes, sha256, answer, qualification, raw, failure, askedAt } = result;
  return {
    index,
    path: pathOf({ folder, name }),
    sizeBytes,
    sha256,
    asked: wasAsked(result),
    group: answer?.group ?? null,
    meaning: answer?.meaning ?? null,
    code: answer?.code ?? null,
    qualification,
    raw,
    failure: failure && { code: failure.code, detail: failure.detail ?? null, note: failure.note },
    askedAt,
    change: result.change,
    earlier: result.earlier,
    knownHere: result.knownHere,
    comparison: comparisonOf(result),
    signatures: result.signatures,
    origin: originIn(result),
    askedAndFound: result.askedAndFound,
  };
}

function originIn({ origin }: VerifyResult) {
  if (!origin) return null;
  const { sizeBytes, sha256, registered, downloaded, signaturesAfter } = origin;
  return { sizeBytes, sha256, documentId: (registered ?? downloaded)?.documentId ?? null, signaturesAfter };
}

function comparisonOf({ comparison }: VerifyResult) {
  if (!comparison) return null;
  const { state, documentId, copySizeBytes, copySha256, firstDifferenceAt, raw, askedAt } = comparison;
  return { state, documentId, copySizeBytes, copySha256, firstDifferenceAt, raw, askedAt };
}
