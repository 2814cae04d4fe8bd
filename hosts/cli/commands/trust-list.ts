import { resolve } from 'node:path';
import { givenTarget, saveFile } from '../../../electron/core/files/target.ts';
import { failureOf } from '../../../electron/core/foundation/app-error.ts';
import type { ReducedList } from '../../../electron/core/verify/known-signer-files.ts';
import { option } from '../arguments/options.ts';
import { assertFree, isSet, textOf } from '../arguments/values.ts';
import type { PlainCommand } from '../command.ts';
import { exitCodeOf, exitCodes, UsageError } from '../output/exit-code.ts';
import { failureOnLine, failureText, lineText, nameOnLine, type Printer } from '../output/printer.ts';
import { t } from '../output/texts.ts';

export const trustListCommand: PlainCommand = {
  kind: 'plain',
  name: 'trust-list',
  summary: t('commands.trustList.summary'),
  arguments: ['<FILE...>'],
  options: [option('-o, --output <FILE>', t('options.trustListOutput')), option('--replace', t('options.replace'))],
  remarks: [t('commands.trustList.unsigned'), t('commands.trustList.policy')],
  examples: [['DE.xml FR.xml -o trust-lists.json', t('commands.trustList.two')]],
  run: async ({ args, values, printer }) => {
    const output = textOf(values, 'output');
    if (output === undefined) throw new UsageError(t('errors.trustListOutput'));
    const path = resolve(output);
    const mayReplace = isSet(values, 'replace');
    await assertFree('-o', path, mayReplace);
    const { readTrustList } = await import('../../../electron/core/verify/read-trust-list.ts');
    const { trustListText } = await import('../../../electron/core/verify/known-signer-files.ts');
    const lists: ReducedList[] = [];
    // Nothing is written unless all can be read: a list that is missing would make signers unknown.
    for (const file of args) {
      try {
        const list = await readTrustList(resolve(file));
        lists.push(list);
        printList(printer, file, list);
      } catch (error) {
        return printFailure(printer, file, error);
      }
    }
    const text = trustListText(lists);
    if (text === null) throw new UsageError(t('errors.trustListsTooMany'));
    try {
      await saveFile(await givenTarget(path, mayReplace), [text]);
    } catch (error) {
      return printFailure(printer, path, error);
    }
    return exitCodes.fine;
  },
};

function printList(printer: Printer, file: string, { name, date, nextUpdate, certificates }: ReducedList): void {
  const count = certificates.length;
  printer.record(
    { file, name, date, nextUpdate, certificates: count },
    lineText(file, t('results.trustList', { name: nameOnLine(name), when: date.slice(0, 10), count })),
  );
}

function printFailure(printer: Printer, file: string, error: unknown) {
  const failure = failureOf(error);
  if (!failure) throw error;
  printer.record({ file, failure: failureOnLine(failure) }, lineText(file, failureText(failure)));
  return exitCodeOf(failure);
}
