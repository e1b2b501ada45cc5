import { useState } from 'react';
import { qrPath } from '../../app/link-paths.js';
import { Button, ButtonLink } from '../../parts/button.js';
import { Dialog, DialogActions } from '../../parts/dialogs/dialog.js';
import { Icon } from '../../parts/icon.js';
import { useWords as usePartsWords } from '../../parts/words.js';
import { firstDesign } from './design.js';
import { QrDesigner, useQrPicture } from './qr-designer.js';
import { useWords } from './words.js';

export function QrDialog({
  link: {
    id,
    relink,
    themeColor,
    configuration: { smartlinkName, smartlinkUrl },
  },
  onClose,
}: {
  readonly link: {
    readonly id: string;
    readonly relink: string;
    readonly themeColor?: string;
    readonly configuration: { readonly smartlinkName: string; readonly smartlinkUrl?: string };
  };
  readonly onClose: () => void;
}) {
  const words = useWords();
  const { close } = usePartsWords();
  const [design, setDesign] = useState(() => firstDesign(themeColor));
  const picture = useQrPicture({ id }, design);
  return (
    <Dialog isWide title={words.of(smartlinkName)} onClose={onClose}>
      <QrDesigner
        link={{ id, relink, slug: smartlinkUrl ?? id }}
        design={design}
        onChange={setDesign}
        picture={picture}
      />
      <DialogActions>
        <ButtonLink to={qrPath(id)} look="quiet">
          <Icon name="print" size={18} />
          {words.sheet}
        </ButtonLink>
        <Button onClick={onClose}>{close}</Button>
      </DialogActions>
    </Dialog>
  );
}
