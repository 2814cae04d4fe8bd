import type { Handlers } from '../../../../contract/index.ts';
import type { Context } from '../../context.ts';

/** Calls about people to whom requests were sent from this computer. */
export function peopleCalls({
  store: { people },
}: Context): Pick<Handlers, 'people.list' | 'people.forget' | 'people.forgetAll'> {
  return {
    'people.list': async ({ search, limit }) => people.list(search, limit),
    'people.forget': async ({ email }) => {
      people.forget(email);
      return null;
    },
    'people.forgetAll': async () => {
      people.forgetAll();
      return null;
    },
  };
}
