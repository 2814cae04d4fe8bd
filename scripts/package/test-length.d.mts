export declare function packageTestLength(length?: string, folder?: string): { isFull: boolean; why: string };
