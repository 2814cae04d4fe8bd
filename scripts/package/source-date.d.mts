export function sourceDate(root: string): number;
export function settleFolder(folder: string, seconds: number): void;
export function withPlainHeader(gzip: Buffer): Buffer;
