/** Gives everything that was built the modes of a package. */
export function settleModes(built: string): void;
