/** Entries in one transaction of the thread that writes lists: some 30 ms, for which another write has to wait at most. */
export const entriesPerWrite = 500;

/** One slice after the other. */
export async function inSlices<T>(all: readonly T[], work: (slice: readonly T[]) => Promise<void>): Promise<void> {
  for (let from = 0; from < all.length; from += entriesPerWrite) await work(all.slice(from, from + entriesPerWrite));
}
