import type { Reply } from '../service/client.ts';
import { interfaceNames } from '../service/element-names.ts';
import { detailsFields, operations } from '../service/operations.ts';
import { isBlank } from './answers.ts';
import { createReplyFeed } from './read-reply.ts';

/** For replies other than documents and lists: a text or a small record. */
const maxReplyUnits = 16 * 1024 * 1024;
const maxRecordFields = 1_000;

/**
 * Reads a result that is a text or a record. A result with elements instead of the expected text (and the other way round) is
 * kept too: an answer outside the interface is shown as it was sent and is never an error.
 */
export function createResultReader(reading: Omit<Parameters<typeof createReplyFeed>[0], 'totalUnits'>) {
  const { target, operation } = reading;
  const isRecord = operations[operation].result === 'details';
  const names = interfaceNames(target.elementNames, operation, isRecord ? detailsFields : []);
  let text = '';
  let found = false;
  let nilResult = false;
  const fields: { name: string; value: string; nil: boolean }[] = [];
  const feed = createReplyFeed(
    { ...reading, totalUnits: maxReplyUnits },
    {
      result(_tag, nil) {
        found = true;
        nilResult = nil;
        text = '';
        fields.length = 0;
      },
      open(tag, depth, nil) {
        if (depth !== 1 || fields.length >= maxRecordFields) return;
        fields.push({ name: names.get(tag.local) ?? tag.local, value: '', nil });
        inField = true;
      },
      text(piece) {
        const field = fields.at(-1);
        if (inField && field) field.value += piece;
        else text += piece;
      },
      close(depth) {
        if (depth === 1) inField = false;
      },
    },
  );
  let inField = false;
  return {
    write: feed.write,
    /** True if the result is absent, nil or shows nothing. */
    isBlank: () => nilResult || (isBlank(text) && fields.every(({ value }) => isBlank(value))),
    /** Returns the whole reply. Throws as ReplyFeed.end does. */
    end(): Reply {
      feed.end();
      if (!found || nilResult) return isRecord ? { raw: null, record: undefined } : { raw: null };
      const given = fields.filter(({ nil }) => !nil);
      const lines = given.map(({ name, value }) => `${name}: ${value}`).join('\n');
      const raw = fields.length > 0 ? lines : text;
      const resultName = feed.resultName();
      const renamed = resultName === undefined ? {} : { resultName };
      if (!isRecord) return { raw, ...renamed };
      const known = new Set<string>(detailsFields);
      return {
        raw,
        ...renamed,
        record: Object.fromEntries(given.filter(({ name }) => known.has(name)).map((f) => [f.name, f.value])),
      };
    },
  };
}
