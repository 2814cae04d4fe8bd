import type { HandlersOf } from '../../../../contract/index.ts';
import { longestPassedText } from '../../../../contract/text.ts';
import { createTextDecoding } from '../../../soap/reply/decode-text.ts';
import type { Context } from '../../context.ts';
import { readWhole } from '../../files/open-file.ts';
import { appError } from '../../foundation/app-error.ts';
import { toReadError } from '../../foundation/fs-errors.ts';
import { requestSentBefore } from '../sent-before.ts';
import { signingPage } from '../signing-page.ts';
import { checkXml } from './check-xml.ts';
import { prepareRequest, secretOf } from './prepare-request.ts';
import { previewOf } from './preview-request.ts';
import { checkRecipients } from './recipients.ts';

/** Calls that help to write a signature request, and that open the result of a sent one. */
export function composeCalls(context: Context): HandlersOf<'compose'> {
  const { connections, files, store, ports } = context;
  return {
    'compose.preview': async (request) => {
      const prepared = await prepareRequest(context, request);
      const { connection, order } = prepared;
      const hasSecretWord = (await secretOf(context, request)) !== undefined;
      const before = await requestSentBefore(context, connection, order, request.emails);
      return previewOf({ ...prepared, hasSecretWord, sentBefore: before });
    },
    'compose.checkRecipients': async ({ connectionId, ...given }) =>
      checkRecipients(given, await connections.get(connectionId)),
    'compose.parsePeople': async ({ text }) => (await import('./parse-people.ts')).parsePeople(text),
    'compose.checkXml': async ({ text }) => checkXml(text),
    'compose.readXml': async ({ token }) => ({ text: await readXml(await files.file(token)) }),
    'compose.openAnswer': async ({ jobId }) => {
      const job = store.sent.get(jobId);
      if (!job) throw appError('not-found', 'no such job');
      const url = signingPage(job);
      if (url === null) throw appError('bad-input', 'the answer is no https address');
      await ports.desktop.openInBrowser(url);
      return null;
    },
  };
}

async function readXml({ path }: { readonly path: string }): Promise<string> {
  const tooLong = () =>
    appError('bad-input', 'the XML is too long', {
      fields: { token: `has more than ${longestPassedText} characters` },
    });
  const bytes = await readWhole(path, 4 * longestPassedText).catch((error: unknown) => {
    throw toReadError(error);
  });
  if (!bytes) throw tooLong();
  const text = decoded(bytes);
  if (text.length > longestPassedText) throw tooLong();
  return text;
}

function decoded(bytes: Buffer): string {
  try {
    const decoding = createTextDecoding(null);
    return decoding.write(bytes) + decoding.end();
  } catch {
    throw appError('bad-input', 'the XML is not in the encoding it says', {
      fields: { token: 'is not in the encoding that it says' },
    });
  }
}
