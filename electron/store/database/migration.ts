/** One step of the schema. Steps are never changed once released: a new one is added. */
export interface Migration {
  readonly version: number;
  readonly sql: string;
}
