import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient } from '../../../app/api.js';
import { tagsQuery } from '../../../app/queries.js';
import { Button } from '../../../parts/button.js';
import { Dialog, DialogActions } from '../../../parts/dialogs/dialog.js';
import { faultText } from '../../../parts/fault-text.js';
import { TextField } from '../../../parts/field.js';
import { ErrorLine } from '../../../parts/notice.js';
import { useStatus } from '../../../parts/status.js';
import { useWords as usePartsWords } from '../../../parts/words.js';
import { useWords } from '../words.js';
import styles from './bulk-bar.module.css';
import { runBulk } from './bulk.js';
import { Progress } from './progress.js';

const SUGGESTED_MAX = 12;

/** Adds tags to links, which keep their present ones. */
export function TagsDialog({
  ids,
  onClose,
}: {
  readonly ids: readonly string[];
  readonly onClose: () => void;
}) {
  const words = useWords();
  const partsWords = usePartsWords();
  const say = useStatus();
  const [text, setText] = useState('');
  const [isTried, setTried] = useState(false);
  const [done, setDone] = useState(0);
  const names = namesOf(text);
  const add = useMutation({
    mutationFn: () => runBulk(ids, (id) => ({ patch: { id, addTags: [...names] } }), setDone),
    onSuccess: async ({ succeeded, refused }) => {
      await queryClient.invalidateQueries({ queryKey: ['tags'] });
      await queryClient.invalidateQueries({ queryKey: ['links'] });
      if (succeeded.length > 0) say(words.tagged(succeeded.length));
      if (refused.length === 0) onClose();
    },
  });
  const refused = add.data?.refused ?? [];
  const reason = refused[0]?.error.details?.[0]?.message;
  const error =
    isTried && names.length === 0
      ? words.tagsNone
      : refused.length === 0
        ? undefined
        : `${words.refused(refused.length)} ${reason === undefined ? '' : faultText(reason, partsWords)}`.trim();
  return (
    <Dialog title={words.tagsHeading(ids.length)} onClose={onClose}>
      <form
        noValidate
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (names.length > 0) add.mutate();
        }}
      >
        <TextField
          label={words.tagNames}
          description={words.tagNamesHint}
          autoComplete="off"
          value={text}
          error={error}
          onChange={({ target: { value } }) => setText(value)}
        />
        <YourTags names={names} onAdd={(name) => setText([...names, name].join(', '))} />
        {add.isPending ? <Progress label={words.working} done={done} total={ids.length} /> : null}
        <ErrorLine error={add.error} />
        <DialogActions>
          <Button onClick={onClose}>{partsWords.cancel}</Button>
          <Button type="submit" look="primary" isBusy={add.isPending}>
            {words.tagsSubmit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function YourTags({
  names,
  onAdd,
}: {
  readonly names: readonly string[];
  readonly onAdd: (name: string) => void;
}) {
  const words = useWords();
  const tags = useQuery(tagsQuery).data ?? [];
  const others = tags.filter(({ name }) => !names.includes(name)).slice(0, SUGGESTED_MAX);
  if (others.length === 0) return null;
  return (
    <div role="group" aria-label={words.yourTags} className={styles.suggested}>
      {others.map(({ id, name }) => (
        <Button key={id} onClick={() => onAdd(name)}>
          {name}
        </Button>
      ))}
    </div>
  );
}

function namesOf(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  return [...new Set(names.filter((name) => name !== ''))];
}
