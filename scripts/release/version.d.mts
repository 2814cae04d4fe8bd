export function checkVersion(root: string, tag?: string): void;
export function notesOf(root: string, version: string): string;
