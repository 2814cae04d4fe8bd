import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { describeFileOf, deviationsIn, hasCorpus, isForgery, pathOf, readExpected } from './corpus.ts';

/*
 * npm run test:verdict -- scoreboard: writes the tables of docs/pdf-signatures.md: what this program, pdfsig and pdf.js as it comes say about each file. Needs the files beside the
 * repository, and pdfsig.
 */

const page = resolve(import.meta.dirname, '../../docs/pdf-signatures.md');
const marks = ['<!-- scoreboard -->', '<!-- end of the scoreboard -->'] as const;

/** The worst that pdfsig says; it does not look at what came after a signature. */
function pdfsig(path: string): string {
  try {
    const said = execFileSync('pdfsig', ['-nocert', path], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 20_000,
    });
    const states = [...said.matchAll(/Signature Validation: (.*)/g)].map(([, state = '']) => state.replace(/\.$/, ''));
    if (states.length === 0) return 'no signature';
    return states.find((state) => state !== 'Signature is Valid') ?? 'Signature is Valid';
  } catch (error) {
    return (error as { status?: number }).status === 2 ? 'no signature' : 'no answer';
  }
}

/** It shows that there are signatures, and judges none: its own check needs a library that a program has to bring. */
async function pdfJs(path: string): Promise<string> {
  const task = getDocument({ data: new Uint8Array(readFileSync(path)), verbosity: 0, useSystemFonts: false });
  try {
    const document = await task.promise;
    const fields = [...((await document.getFieldObjects())?.values() ?? [])].flat();
    return fields.some((field) => 'type' in field && field.type === 'signature')
      ? 'opens, judges nothing'
      : 'opens, shows no signature';
  } catch (error) {
    return (error as Error).name === 'PasswordException' ? 'asks for a password' : 'does not open';
  } finally {
    await task.destroy();
  }
}

async function main(): Promise<void> {
  if (!hasCorpus) throw new Error('the files are not beside the repository');
  const rows: string[] = [];
  const counts = { files: 0, asExpected: 0, forgeries: 0, ours: 0, pdfsig: 0 };
  for (const [file, expected] of readExpected()) {
    const answer = await describeFileOf(file);
    const isAsExpected = deviationsIn(answer, expected).length === 0;
    const said = pdfsig(pathOf(file));
    counts.files += 1;
    counts.asExpected += isAsExpected ? 1 : 0;
    if (isForgery(expected)) {
      counts.forgeries += 1;
      counts.ours += answer.verdict === 'unchanged' || answer.verdict === 'only-additions-allowed' ? 1 : 0;
      counts.pdfsig += said === 'Signature is Valid' ? 1 : 0;
    }
    const wanted = (expected[0]?.verdict ?? '').replaceAll('|', ' or ');
    const shown = isAsExpected ? answer.verdict : `**${answer.verdict}**`;
    rows.push(`| ${[file, wanted, shown, said, await pdfJs(pathOf(file))].join(' | ')} |`);
  }
  const { files, asExpected, forgeries, ours, pdfsig: passed } = counts;
  const table = [
    `${asExpected} of ${files} files are answered in every key as expected; others are in bold.`,
    `Of ${forgeries} published forgeries this program calls ${ours} unchanged or added to as allowed; pdfsig calls ${passed} valid.`,
    '',
    '| file | expected | Sealdesk | pdfsig | pdf.js |',
    '| --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
  const [before = '', rest = ''] = readFileSync(page, 'utf8').split(marks[0]);
  const after = rest.split(marks[1])[1] ?? '';
  writeFileSync(page, `${before}${marks[0]}\n${table}\n${marks[1]}${after}`);
  console.log(`${asExpected} of ${files} as expected; forgeries passed: ${ours} here, ${passed} by pdfsig`);
}

await main();
