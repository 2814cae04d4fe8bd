export function supervise(script: string, words?: readonly string[]): Promise<number>;
