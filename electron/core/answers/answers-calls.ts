import { basename } from 'node:path';
import { z } from 'zod';
import { statusGroups, wordVerdicts } from '../../../contract/answers.ts';
import { lazyObject } from '../../../contract/call.ts';
import type { HandlersOf } from '../../../contract/index.ts';
import { lineOf, xmlText } from '../../../contract/text.ts';
import { readJsonFile, writeJsonFile } from '../files/json-file.ts';
import type { FileRegistry } from '../files/local-file.ts';
import { chooseTarget } from '../files/target.ts';
import type { Ports } from '../foundation/ports.ts';
import type { AnswerRegistry } from './answer-registry.ts';

const meaning = xmlText(500).default('');

/** Form of an exported file: only the entries made by staff. */
const file = lazyObject(() => ({
  sealdesk: z.literal('answers'),
  version: z.literal(1),
  words: z
    .array(
      z.discriminatedUnion('kind', [
        z.strictObject({
          kind: z.literal('status'),
          word: lineOf(500),
          group: z.enum(statusGroups).exclude(['not-sorted']),
          meaning,
        }),
        z.strictObject({ kind: z.literal('verdict'), word: lineOf(500), group: wordVerdicts, meaning }),
      ]),
    )
    .max(5_000)
    .default([]),
  codes: z
    .array(z.strictObject({ code: z.string().regex(/^-\d{1,10}$/), meaning: lineOf(500) }))
    .max(5_000)
    .default([]),
}));

interface Needs {
  readonly answers: AnswerRegistry;
  readonly files: Pick<FileRegistry, 'file'>;
  readonly ports: Pick<Ports, 'dialogs'>;
}

/** Calls about the table that gives raw answers their meaning. */
export function answerCalls({ answers, files, ports }: Needs): HandlersOf<'answers'> {
  return {
    'answers.table': async () => answers.view(),
    'answers.sort': async (word) => {
      answers.put([word], []);
      return answers.view();
    },
    'answers.unsort': async ({ kind, word }) => answers.unsort(kind, word),
    'answers.dismiss': async ({ kind, word }) => answers.dismiss(kind, word),
    'answers.nameCode': async ({ code, meaning }) => {
      if (meaning.trim() === '') answers.removeCode(code);
      else answers.put([], [{ code, meaning: meaning.trim() }]);
      return answers.view();
    },
    'answers.export': async () => {
      const target = await chooseTarget(ports.dialogs, 'Sealdesk answers.json');
      if (target === null) return null;
      const { words, codes } = answers.own();
      const path = await writeJsonFile(target, { sealdesk: 'answers', version: 1, words, codes });
      return { fileName: basename(path), count: words.length + codes.length };
    },
    'answers.import': async ({ token }) => {
      const { words, codes } = await readJsonFile(await files.file(token), file);
      const added = answers.put(words, codes);
      return { added, changed: words.length + codes.length - added };
    },
  };
}
