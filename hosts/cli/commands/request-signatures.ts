import type { ServiceCommand } from '../command.ts';
import { creditOf } from '../credit.ts';
import { creditOption, documentOptions, option } from '../options.ts';
import { commonElements, recipientOptions, requestCosts, requestWithFile } from '../signature-request.ts';
import { UsageError } from '../usage-error.ts';
import { isSet, textOf, type Values } from '../values.ts';

export const requestSignaturesCommand: ServiceCommand = {
  kind: 'service',
  arguments: ['<FILE>'],
  needsCredentials: true,
  name: 'request-signatures',
  summary: `Registers a PDF and asks people to sign it (AddNewDocumentESign). ${requestCosts}`,
  options: [
    ...documentOptions,
    creditOption,
    ...recipientOptions,
    option('--owner-first', 'OwnerESignFirst: you sign first; needs --owner-signs'),
    option('--secret-word-env <NAME>', 'SecretWord: environment variable that holds it'),
  ],
  operation: 'AddNewDocumentESign',
  examples: [
    ['contract.pdf --email ann@example.com --email bo@example.com', 'two signers'],
    ['contract.pdf --email ann@example.com --owner-signs --owner-first --secret-word-env WORD', 'you sign first'],
  ],
  run: async (session, run) => {
    const { values, env } = run;
    const creditType = creditOf(values, session.connection);
    const request = {
      ...commonElements(session, values, run.args[0]),
      creditType,
      ownerFirst: isSet(values, 'owner-first'),
    };
    if (request.ownerFirst && !request.ownerSigns) throw new UsageError('--owner-first needs --owner-signs.');
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
  if (!word) throw new UsageError('--secret-word-env names no environment variable that is set.');
  return word;
}
