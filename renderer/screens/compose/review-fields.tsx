import { useTranslation } from 'react-i18next';
import type { PreviewChild, RequestPreview } from '../../../contract/compose.ts';
import { Fold } from '../../parts/fold.tsx';
import { useFormat } from '../../parts/format.ts';
import { visibleName } from '../../parts/visible-name.ts';
import css from './compose.module.css';

/** Every field as it will be sent, in its order, and the address; folded, because nobody needs it to send a letter. */
export function ReviewFields(props: { readonly preview: RequestPreview }) {
  const { address, operation, children } = props.preview;
  const { t } = useTranslation();
  return (
    <Fold label={t('common.details')}>
      <p className={css.address}>{`${operation} · ${address}`}</p>
      <table className={css.table}>
        <thead>
          <tr>
            <th>{t('compose.child')}</th>
            <th>{t('compose.childValue')}</th>
          </tr>
        </thead>
        <tbody>
          {children.map((child) => (
            <tr key={child.name} className={child.sent ? undefined : css.leftOut}>
              <td>
                <code>{child.wireName}</code>
              </td>
              <td>
                <ChildValue child={child} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Fold>
  );
}

function ChildValue(props: { readonly child: PreviewChild }) {
  const { child } = props;
  const { t } = useTranslation();
  const format = useFormat();
  if (!child.sent) return <>{t('compose.leftOut')}</>;
  if (child.isSecret) return <>{t('compose.secretSent')}</>;
  if (child.file) return <>{`${visibleName(child.file.name)} · ${format.bytes(child.file.sizeBytes)}`}</>;
  if (child.value === '') return <>{t('compose.emptySent')}</>;
  return <div className={css.value}>{child.value}</div>;
}
