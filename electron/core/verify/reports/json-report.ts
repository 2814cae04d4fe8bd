import type { VerifyResult } from '../../../../contract/verify-result.ts';
import { readAnnex } from './annex.ts';
import { type Pacer, pathOf, type ReportSource } from './report-source.ts';

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
  const { index, name, folder, sizeBytes, sha256, state, answer, qualification, raw, failure, askedAt } = result;
  return {
    index,
    path: pathOf({ folder, name }),
    sizeBytes,
    sha256,
    asked: state === 'answered' && answer !== null,
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
