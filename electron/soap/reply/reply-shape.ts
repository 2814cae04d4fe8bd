import { appError } from '../../core/foundation/app-error.ts';
import type { ReplyShape } from '../service/client.ts';
import { operations } from '../service/operations.ts';
import { type Consume, feedReply } from './feed-reply.ts';
import { createReplyFeed } from './read-reply.ts';

const maxReplyUnits = 16 * 1024 * 1024;
const maxText = 2_000;
const maxNames = 100;

/** Reads the structure of a reply. Stops after the first entry of a list, because a service may send all it has. */
export const readShape: Consume<ReplyShape> = async (response, reading) => {
  const isList = operations[reading.operation].result === 'esign-list';
  const besides: string[] = [];
  const fields: { name: string; text: string }[] = [];
  const entry: string[] = [];
  const seen = { result: false, entry: false, text: '' };
  const feed = createReplyFeed(
    { ...reading, totalUnits: maxReplyUnits },
    {
      beside: ({ local }) => void (besides.length < maxNames && besides.push(local)),
      // The only element is read under any name, as replies are; the result itself takes the place of one before it.
      result(_tag, nil, isOther) {
        seen.result = !nil && !isOther;
        seen.text = '';
        fields.length = 0;
      },
      open({ local }, depth, nil) {
        if (depth === 1 && fields.length < maxNames) fields.push({ name: local, text: '' });
        if (depth === 1 && isList) seen.entry ||= !nil;
        if (depth === 2 && entry.length < maxNames) entry.push(local);
      },
      text(piece) {
        const field = isList ? undefined : fields.at(-1);
        if (field) field.text = `${field.text}${piece}`.slice(0, maxText);
        else if (fields.length === 0) seen.text = `${seen.text}${piece}`.slice(0, maxText);
      },
      close(depth) {
        if (depth === 1 && seen.entry) throw enough;
      },
    },
  );
  const enough = appError('cancelled', 'one entry is enough');
  try {
    await feedReply(response, reading, feed.write);
    feed.end();
  } catch (error) {
    if (error !== enough) throw error;
  }
  for (const field of fields) field.text = reading.quote(field.text);
  return {
    hasResult: seen.result,
    text: reading.quote(seen.text.trim()),
    besides,
    fields,
    entry: seen.entry ? entry : null,
  };
};
