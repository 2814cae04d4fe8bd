import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '..', '..', '..');

/** A row of docs/architecture.md: a file, a folder, or `folder/*` for each folder in it. */
export type Room = string;

export interface Floors {
  readonly rooms: readonly Room[];
  /** The room of a file by its path below the root; null where the tables do not name it. */
  roomOf(file: string): Room | null;
  /** Whether a file of `from` may import one of `to`, where it is not a file of the same room. */
  mayImport(from: Room, to: Room): boolean;
  /** True if both are in one building that has floors inside, and `to` is not below `from`. */
  isUpInside(from: string, to: string): boolean;
}

/** The tables of docs/architecture.md: the floors of each building, and what else a folder may import. */
export function readFloors(): Floors {
  const page = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');
  const buildings = floorsOf(tablesOf(page, 'floor | folders | what'));
  const inside = floorsOf(tablesOf(page, 'inner floor | folders | what'));
  const ways = tablesOf(page, 'folder | imports, besides its own files').flat();
  const besides = new Map(ways.map(([folder = '', others = '']) => [named(folder)[0] ?? '', named(others)]));
  const rooms = [...new Set([...buildings.flatMap((floors) => [...floors.keys()]), ...besides.keys()])];
  const longestFirst = [...rooms].sort((a, b) => b.length - a.length);
  return {
    rooms,
    roomOf: (file) => longestFirst.find((room) => isIn(file, room.replace(/\/\*$/, ''))) ?? null,
    isUpInside: (from, to) =>
      inside.some((floors) => {
        const [own, other] = [from, to].map((file) => [...floors.keys()].find((room) => isIn(file, room)) ?? null);
        if (!own || !other || own === other) return false;
        return (floors.get(other) ?? 0) >= (floors.get(own) ?? 0);
      }),
    mayImport: (from, to) =>
      besides.get(from)?.some((other) => isIn(to, other)) ||
      buildings.some((floors) => (floors.get(to) ?? Number.POSITIVE_INFINITY) < (floors.get(from) ?? 0)),
  };
}

/** The floor of each room, table by table. */
function floorsOf(tables: string[][][]): ReadonlyMap<Room, number>[] {
  return tables.map(
    (rows) =>
      new Map(rows.flatMap(([floor = '', folders = '']) => named(folders).map((room) => [room, Number(floor)]))),
  );
}

function isIn(file: string, folder: string): boolean {
  return file === folder || file.startsWith(`${folder}/`);
}

/** The cells of each table with this heading, row by row. */
function tablesOf(page: string, heading: string): string[][][] {
  const after = page.split(`| ${heading} |\n`).slice(1);
  if (after.length === 0) throw new Error(`docs/architecture.md has no table "${heading}"`);
  return after.map((text) => {
    const [, ...lines] = text.split('\n');
    const end = lines.findIndex((line) => !line.startsWith('|'));
    return lines.slice(0, end).map((line) => line.split('|').slice(1, -1));
  });
}

function named(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
}
