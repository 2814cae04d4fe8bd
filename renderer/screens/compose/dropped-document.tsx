import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FileToken, SkippedFile } from '../../../contract/files.ts';
import { skipText } from '../../bridge/failure-text.ts';
import { FailureView } from '../../bridge/failure-view.tsx';
import { useCall } from '../../bridge/use-call.ts';
import { useDropTarget } from '../../features/files/drop-target.ts';
import type { Dragged, Dropped } from '../../features/files/dropped.ts';
import { RejectedFiles } from '../../features/files/left-out-files.tsx';
import { useSelection } from '../../features/files/selection.tsx';
import { type Rejected, useTakeFiles } from '../../features/files/take-files.ts';
import { Button } from '../../parts/button.tsx';
import field from '../../parts/field.module.css';
import looks from '../../parts/looks.module.css';
import { useGo } from '../../parts/navigation.tsx';
import { visibleName } from '../../parts/visible-name.ts';

/**
 * A dropped PDF becomes the document of the form. Several files, and files of another type, go to the chooser. Answers what to show about a file that
 * turned out to be no usable PDF.
 */
export function useDroppedDocument(file: FileToken | null, onTaken: (file: FileToken) => void): ReactNode {
  const { t } = useTranslation();
  const go = useGo();
  const { takeDropped } = useSelection();
  const take = useTakeFiles();
  const scan = useCall('files.scan');
  const [refused, setRefused] = useState<SkippedFile | null>(null);
  const [rejected, setRejected] = useState<readonly Rejected[]>([]);
  const [last, setLast] = useState<Dropped | null>(null);

  async function takeOne(dropped: Dropped) {
    setRefused(null);
    setLast(dropped);
    const files = await take(dropped);
    setRejected(files.rejected);
    const [one, another] = files.taken;
    if (!one) return;
    if (one.isFolder || another) return toChooser(dropped);
    const looked = await scan.run({ tokens: [one.token], purpose: 'register' });
    if (!looked.ok) return;
    if (looked.value.fileCount === 1) onTaken(one);
    else setRefused(looked.value.skipped[0] ?? null);
  }
  function toChooser(dropped: Dropped) {
    go({ screen: 'start' });
    void takeDropped(dropped);
  }
  useDropTarget((dragged) => {
    if (dragged.count > 1) return { text: t('drop.oneDocument') };
    if (!mayBePdf(dragged)) return { text: t('drop.onlyPdf') };
    return {
      text: file ? t('drop.replaceDocument', { name: visibleName(file.name) }) : t('drop.document'),
      take: (dropped) => void takeOne(dropped),
    };
  });
  return (
    <>
      <RejectedFiles rejected={rejected} />
      {scan.failure ? <FailureView failure={scan.failure} /> : null}
      {refused && last ? <Refused file={refused} onOther={() => toChooser(last)} /> : null}
    </>
  );
}

function Refused(props: { readonly file: SkippedFile; readonly onOther: () => void }) {
  const { t } = useTranslation();
  const { name, reason, kind } = props.file;
  return (
    <div className={looks.line3} role="alert">
      <p className={field.error}>{`${visibleName(name)}: ${skipText(t, reason, kind)}`}</p>
      <Button kind="quiet" onPress={props.onOther}>
        {t('drop.otherActions')}
      </Button>
    </div>
  );
}

/** The type of a folder, and of a file that the system does not know, is empty. */
function mayBePdf({ types }: Dragged): boolean {
  const [type] = types;
  return type === undefined || type === '' || type === 'application/pdf';
}
