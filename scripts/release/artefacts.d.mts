export function writeChecksums(folder: string): void;
export function table(folder: string): string;
