import type { Bulk } from '../../contract/bulk.ts';
import type { RunningCore } from './core.ts';

/** A bulk as the window knows it: one of the list. */
export async function bulkOf({ must }: Pick<RunningCore, 'must'>, id: string): Promise<Bulk> {
  const bulk = (await must('bulk.list', {})).find((one) => one.id === id);
  if (!bulk) throw new Error(`There is no bulk ${id} in the list.`);
  return bulk;
}
