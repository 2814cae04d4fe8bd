import { creditOption, documentOptions, option } from '../arguments/options.ts';
import { commonElements, recipientOptions, requestWithFile } from '../arguments/signature-request.ts';
import { creditOf, isSet, textOf, type Values } from '../arguments/values.ts';
import type { ServiceCommand } from '../command.ts';
import { UsageError } from '../output/exit-code.ts';
import { t } from '../output/texts.ts';

export const requestSignaturesCommand: ServiceCommand = {
  kind: 'service',
  arguments: ['<FILE>'],
  needsCredentials: true,
  name: 'request-signatures',
  summary: t('commands.requestCosts', { summary: t('commands.requestSignatures.summary') }),
  options: [
    ...documentOptions,
    creditOption,
    ...recipientOptions,
    option('--owner-first', t('options.ownerFirst')),
    option('--secret-word-env <NAME>', t('options.secretWordEnv')),
  ],
  operation: 'AddNewDocumentESign',
  examples: [
    ['contract.pdf --email ann@example.com --email bo@example.com', t('commands.requestSignatures.two')],
    [
      'contract.pdf --email ann@example.com --owner-signs --owner-first --secret-word-env WORD',
      t('commands.requestSignatures.ownerFirst'),
    ],
  ],
  run: async (session, run) => {
    const { values, env } = run;
    const creditType = creditOf(values, session.connection);
    const request = {
      ...commonElements(session, values, run.args[0]),
      creditType,
      ownerFirst: isSet(values, 'owner-first'),
    };
    if (request.ownerFirst && !request.ownerSigns) throw new UsageError(t('errors.ownerFirst'));
    const secretWord = secretWordOf(values, env);
    return requestWithFile(session, run, 'AddNewDocumentESign', (fileToken) => ({
      kind: 'plain',
      ...request,
      fileToken,
      secretWord,
    }));
  },
};

function secretWordOf(values: Values, env: NodeJS.ProcessEnv): string | undefined {
  const name = textOf(values, 'secret-word-env');
  if (name === undefined) return undefined;
  const word = env[name];
  // Without the name: it may be the secret word itself, given by mistake.
  if (!word) throw new UsageError(t('errors.secretWordMissing'));
  return word;
}
