import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { longestCheckedXml } from '../../../contract/compose.ts';
import { askValue } from '../../bridge/client.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useChooseFile } from '../../bridge/use-choose-file.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { useDebounced } from '../../parts/hooks/use-debounced.ts';
import looks from '../../parts/looks.module.css';

/** XML data from a file or typed here; errors of well-formedness are shown with line and column. */
export function XmlField(props: { readonly value: string; readonly onChange: (text: string) => void }) {
  const { t } = useTranslation();
  const choose = useChooseFile('any');
  const read = useCall('compose.readXml');
  const still = useDebounced(props.value, 300);
  const check = useQuery({
    queryKey: ['xml', still],
    queryFn: () => askValue('compose.checkXml', { text: still }),
    enabled: still.length <= longestCheckedXml && still.trim() !== '',
    gcTime: 0,
  });

  async function fromFile() {
    const file = await choose.choose();
    if (!file) return;
    const text = await read.run({ token: file.token });
    if (text.ok) props.onChange(text.value.text);
  }

  const found = props.value.trim() === '' ? undefined : check.data;
  const failure = choose.failure ?? read.failure ?? check.error?.failure;
  return (
    <div className={looks.stack1}>
      <TextField
        label={t('compose.xml')}
        lines
        mono
        value={props.value}
        onChange={props.onChange}
        help={
          found?.ok
            ? t('compose.xmlFine', { root: found.rootElement, count: found.elementCount })
            : t('compose.xmlHelp')
        }
        error={
          found && !found.ok
            ? t('compose.xmlWrong', {
                line: found.line,
                column: found.column,
                reason: t(`compose.xmlReason.${found.reason}`),
              })
            : undefined
        }
      />
      {found && !found.ok && found.note ? <p className={looks.hint}>{found.note}</p> : null}
      <div className={looks.line3}>
        <Button onPress={() => void fromFile()}>{t('compose.xmlFromFile')}</Button>
      </div>
      {failure ? <FailureView failure={failure} /> : null}
    </div>
  );
}
