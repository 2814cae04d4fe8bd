export declare function supervise(script: string): Promise<number>;
