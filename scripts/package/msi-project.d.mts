export function policyProperties(): readonly {
  readonly name: string;
  readonly property: string;
  readonly isText: boolean;
}[];
