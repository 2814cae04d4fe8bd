import { describe, expect, it, onTestFinished } from 'vitest';
import type { ESignEntry } from '../../../contract/compose.ts';
import { openEntrySpool } from '../../../hosts/cli/commands/requests.ts';

const byName = (one: ESignEntry, other: ESignEntry) =>
  (one.name ?? '') < (other.name ?? '') ? -1 : Number(one.name !== other.name);
// Readline ends lines at this separator, too.
const entries = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ documentId: `${at}`, name: `${(at * 7919) % 97} \u2028` }) as ESignEntry);

type EntrySpool = Awaited<ReturnType<typeof openEntrySpool>>;

async function spoolOf(all: readonly ESignEntry[], most?: Parameters<typeof openEntrySpool>[0]): Promise<EntrySpool> {
  const spool = await openEntrySpool(most);
  onTestFinished(() => spool.remove());
  await spool.add(all);
  return spool;
}

async function readAll(pieces: ReturnType<EntrySpool['pieces']>) {
  const found: ESignEntry[] = [];
  for await (const piece of pieces) found.push(...piece);
  return found;
}

describe('the entries of a list', () => {
  it('come in the order of the service, or sorted: equal entries keep their order', async () => {
    const spool = await spoolOf(entries(1_050));
    expect(await readAll(spool.pieces())).toEqual(entries(1_050));
    expect(await readAll(await spool.sorted(byName))).toEqual(entries(1_050).toSorted(byName));
  });

  it('are none where there are none, and begin anew with a list that is read again', async () => {
    const spool = await spoolOf([]);
    expect(await readAll(await spool.sorted(byName))).toEqual([]);
    await spool.add(entries(3));
    await spool.restart();
    await spool.add(entries(1));
    expect(await readAll(spool.pieces())).toEqual(entries(1));
  });

  it.each([
    { entries: 9, bytes: 10_000 },
    { entries: 10, bytes: 100 },
  ])('are not sorted if they are more than %j, and the sentence says what to do', async (most) => {
    const spool = await spoolOf(entries(10), most);
    await expect(spool.sorted(byName)).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringMatching(/more than can be sorted.*: leave --sort out, or ask for fewer with --max\.$/),
    });
  });

  it('leave nothing behind', async () => {
    const spool = await openEntrySpool();
    await spool.add(entries(1));
    await spool.remove();
    await expect(readAll(spool.pieces())).rejects.toThrow('ENOENT');
  });
});
