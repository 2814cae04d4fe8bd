import { useEffect } from 'react';
import type { FileToken } from '../../../contract/files.ts';
import { useLatest } from '../../parts/hooks/use-latest.ts';

/** Content of a drop or a paste, read during the event: afterwards the browser removes it. */
export type Dropped = ReturnType<typeof readTransfer>;

/** What is known of files while they are held over the window: neither names nor sizes. */
export type Dragged = ReturnType<typeof draggedOf>;

/** Must be called inside the event handler. */
export function draggedOf(transfer: DataTransfer) {
  // MIME types; empty for folders and where the system knows none.
  const types = Array.from(transfer.items)
    .filter((item) => item.kind === 'file')
    .map((item) => item.type);
  return { count: types.length, types };
}

/** The number of files; null if one of them may be a folder. */
export function fileCountOf({ count, types }: Dragged): number | null {
  return types.includes('') ? null : count;
}

/** Must be called inside the event handler. */
export function readTransfer(transfer: DataTransfer) {
  const entries = Array.from(transfer.items)
    .filter((item) => item.kind === 'file')
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null);
  return { files: Array.from(transfer.files), entries };
}

/**
 * The files to take. On the desktop a folder is one File with a path and the core walks it; a browser has no paths, so folders are walked here and
 * every file in them is taken separately.
 */
export async function filesOf(dropped: Dropped, walkFolders: boolean): Promise<readonly File[]> {
  if (!walkFolders || !dropped.entries.some((entry) => entry.isDirectory)) return dropped.files;
  const lists = await Promise.all(dropped.entries.map(filesBelow));
  return lists.flat();
}

async function filesBelow(entry: FileSystemEntry): Promise<readonly File[]> {
  if (isFile(entry)) return [await new Promise<File>((resolve, reject) => entry.file(resolve, reject))];
  if (!isFolder(entry)) return [];
  const lists: (readonly File[])[] = [];
  for (const child of await childrenOf(entry)) lists.push(await filesBelow(child));
  return lists.flat();
}

/** readEntries returns at most 100 entries at a time, and an empty list at the end. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<readonly FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return all;
    all.push(...some);
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

/** What letting go of the files does on this screen. */
export interface DropOffer {
  readonly text: string;
  /** In place of the assurance that nothing is sent yet. */
  readonly note?: string;
  /** Without it the chooser takes the files. */
  readonly take?: (dropped: Dropped) => void;
}

/** Null: nothing of its own, the chooser takes the files. */
type DropOffers = (dragged: Dragged) => DropOffer | null;

/** The offers of the screen that is shown, innermost last. */
const shown: { readonly current: DropOffers }[] = [];

/** Takes dropped and pasted files on this screen, as long as the component is shown. */
export function useDropTarget(offers: DropOffers): void {
  const latest = useLatest(offers);
  useEffect(() => {
    shown.push(latest);
    return () => void shown.splice(shown.indexOf(latest), 1);
  }, []);
}

/** The offer of the screen for these files; null if the chooser takes them. */
export function offerFor(dragged: Dragged): DropOffer | null {
  return shown.at(-1)?.current(dragged) ?? null;
}

/** Adds files to a list. A file that is already in it keeps its position and gets the new token, so that it is read again. */
export function mergeFiles(have: readonly FileToken[], more: readonly FileToken[]): readonly FileToken[] {
  const all = [...have];
  const replaced = new Set<number>();
  for (const one of more) {
    // Only among the files listed before: two files of one drop are two.
    const at = have.findIndex(({ source }, index) => source === one.source && !replaced.has(index));
    if (at < 0) all.push(one);
    else {
      all[at] = one;
      replaced.add(at);
    }
  }
  return all;
}
