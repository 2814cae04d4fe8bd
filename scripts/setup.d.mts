/** True if dist/ holds what the sources would build. */
export function isBuilt(): boolean;
