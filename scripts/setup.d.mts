/** True if dist/ holds what the sources would build. */
export function isBuilt(): boolean;

/** Path of a program on the PATH, or null. */
export function which(name: string): string | null;
