export function absentPrograms(): string[];
