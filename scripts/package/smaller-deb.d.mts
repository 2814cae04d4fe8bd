export function packSmaller(deb: string): void;
