export function absentPrograms(): string[];
/** Folder of the programs of the newest PostgreSQL server; null if there is none. */
export function postgresPrograms(): string | null;
