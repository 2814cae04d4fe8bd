import { type Behaviour, behavioursOf } from './behaviour.ts';
import { bodies } from './behaviours/bodies.ts';
import { connecting } from './behaviours/connecting.ts';
import { documents } from './behaviours/documents.ts';
import { echoes } from './behaviours/echoes.ts';
import { heads } from './behaviours/heads.ts';
import { lists } from './behaviours/lists.ts';
import { timing } from './behaviours/timing.ts';
import { tls } from './behaviours/tls.ts';
import { wsdls } from './behaviours/wsdls.ts';

/** The whole table, group by group. */
export const behaviours: readonly Behaviour[] = [
  ...behavioursOf('connecting', connecting),
  ...behavioursOf('TLS', tls),
  ...behavioursOf('HTTP head', heads),
  ...behavioursOf('timing', timing),
  ...behavioursOf('body', bodies),
  ...behavioursOf('list', lists),
  ...behavioursOf('document', documents),
  ...behavioursOf('echo', echoes),
  ...behavioursOf('WSDL', wsdls),
];
