import type { FileToken } from '../../contract/files.ts';
import { useIntakes } from '../bridge/queries.ts';
import { useSelection } from './selection.tsx';

/** The selected files that can be the document of a request. */
export function useRequestable(): readonly FileToken[] {
  const { tokens } = useSelection();
  const { data } = useIntakes(tokens);
  return tokens.filter(({ token }) => data?.requestable.includes(token));
}
