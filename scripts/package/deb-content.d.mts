export declare function debFingerprint(path: string): string;
