import type { texts as english } from '../en/notices.ts';
import type { Translation } from '../translation.ts';

export const texts: Translation<typeof english> = {
  marks: { new: 'Neu in „{{list}}“', moved: 'Jetzt in „{{list}}“' },
  signed: '{{who}} hat unterschrieben',
  signatures_one: '{{count}} Unterschrift eingegangen',
  signatures_other: '{{count}} Unterschriften eingegangen',
  changed_one: '{{count}} Unterschriftsanforderung hat sich geändert',
  changed_other: '{{count}} Unterschriftsanforderungen haben sich geändert',
  due: 'Frist: Ihre Erinnerung',
  noName: 'Dokument ohne Namen',
};
