import { useQuery } from '@tanstack/react-query';
import { useFormContext } from 'react-hook-form';
import { api, queryClient } from '../../../app/api.js';
import { foldersQuery } from '../../../app/queries.js';
import { Button } from '../../../parts/button.js';
import { useDialog } from '../../../parts/dialogs/dialog.js';
import { FormDialog } from '../../../parts/dialogs/form-dialog.js';
import { TextField } from '../../../parts/field.js';
import styles from '../editor.module.css';
import { Select } from '../form/fields.js';
import type { Values } from '../form/values.js';
import { useWords } from '../words.js';

/** The folder of the smartlink, one of the account's or a new one. */
export function FolderField() {
  const words = useWords();
  const { data: folders = [] } = useQuery(foldersQuery);
  const { getValues, setValue } = useFormContext<Values>();
  const { dialog, open, close } = useDialog();
  const own = getValues('folderId');
  // Folders may still be loading, or fail to load.
  const isKnown = own === '' || folders.some(({ id }) => id === own);
  const onAdded = async (id: string) => {
    await queryClient.invalidateQueries({ queryKey: foldersQuery.queryKey });
    setValue('folderId', id, { shouldDirty: true });
  };
  return (
    <div className={styles.withButton}>
      <Select
        // A select drops a value that has no option yet.
        key={folders.length}
        name="folderId"
        label={words.folder}
        options={[
          { value: '', label: words.noFolder },
          ...(isKnown ? [] : [{ value: own, label: words.ownFolder }]),
          ...folders.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <Button
        look="quiet"
        onClick={() => open(<NewFolder onAdded={(id) => void onAdded(id)} onClose={close} />)}
      >
        {words.newFolder}
      </Button>
      {dialog}
    </div>
  );
}

function NewFolder({
  onAdded,
  onClose,
}: {
  readonly onAdded: (id: string) => void;
  readonly onClose: () => void;
}) {
  const words = useWords();
  return (
    <FormDialog
      title={words.newFolder}
      submitLabel={words.addFolder}
      values={{ name: '' }}
      action={({ name }) => api.folders.create({ name })}
      onDone={({ data }) => onAdded(data.id)}
      onClose={onClose}
    >
      {({ field }) => <TextField label={words.folderName} autoComplete="off" {...field('name')} />}
    </FormDialog>
  );
}
