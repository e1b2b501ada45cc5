import { useIsMutating, useMutation } from '@tanstack/react-query';
import { type ReactNode, type Ref, useContext, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { FormProvider, useForm, useFormState } from 'react-hook-form';
import type { Fault, Smartlink, SmartlinkType } from '@smartlink/client';
import { apiError } from '../../app/api.js';
import { Button } from '../../parts/button.js';
import { RadioGroup } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import { TYPE_ICONS, TYPES } from '../../parts/ink.js';
import { ErrorLine } from '../../parts/notice.js';
import { useWords as usePartsWords } from '../../parts/words.js';
import { LanguageContext } from '../../words/words.js';
import { EditorProvider } from './editor-context.js';
import styles from './editor.module.css';
import { createFaults, FaultsProvider, NAME } from './form/faults.js';
import { UPLOAD_KEY } from './form/picture-field.js';
import { toBody, type Values } from './form/values.js';
import { LeaveGuard } from './leave-guard.js';
import { NameAndAddress } from './name-and-address.js';
import type { Frames } from './preview/frames.js';
import { Preview } from './preview/preview.js';
import { type Look, useDraftCheck } from './preview/use-draft-check.js';
import { Problems } from './problems.js';
import { Sections } from './sections/sections.js';
import { useWords } from './words.js';

export type EditorHandle = { readonly reset: (values: Values) => void };

type EditorProps = {
  readonly ref?: Ref<EditorHandle>;
  readonly type: SmartlinkType;
  /** The smartlink, unless it is new. */
  readonly link?: Smartlink;
  readonly initial: Values;
  readonly submitLabel: string;
  /** Absent: the type is fixed. */
  readonly onType?: (type: SmartlinkType) => void;
  /** Writes a valid body. Resolves to the action that follows, or null if nothing was written. */
  readonly onSave: (body: Readonly<Record<string, unknown>>) => Promise<(() => void) | null>;
};

/** The form of a smartlink beside a preview of its page. */
export function Editor({ ref, type, link, initial, submitLabel, onType, onSave }: EditorProps) {
  // formState is not read here: it changes on the first key, which would render all fields again.
  const form = useForm<Values>({ defaultValues: initial });
  const [faults] = useState(createFaults);
  const [look, setLook] = useState<Look>({ view: 'own', language: useContext(LanguageContext) });
  const [tries, setTries] = useState(0);
  const frames = useRef<Frames>(null);
  const guard = useRef({ isOff: false });
  /** The values that were sent last, as JSON. */
  const sent = useRef<string | null>(null);
  const draft = useDraftCheck({ form, faults, type, linkId: link?.id ?? null, look, frames });

  useImperativeHandle(ref, () => ({
    reset(values) {
      const isEditedSince = sent.current !== null && sent.current !== JSON.stringify(form.getValues());
      form.reset(values, { keepValues: isEditedSince });
      // Says that the form differs from what is stored, which `reset` leaves unsaid.
      if (isEditedSince) form.setValue(NAME, form.getValues(NAME), { shouldDirty: true });
      draft.restart();
      setTries(0);
    },
  }));

  const save = useMutation({
    mutationFn: async () => {
      if ((await draft.checkAll()) > 0) return null;
      const values = form.getValues();
      sent.current = JSON.stringify(values);
      return onSave(toBody(type, values));
    },
    onSuccess: (finish) => {
      if (finish === null) return;
      guard.current.isOff = onType !== undefined;
      finish();
    },
    onError: (err) => draft.show(faultsOf(err)),
    onSettled: () => setTries((before) => before + 1),
  });
  const context = useMemo(() => ({ hasPassword: isProtected(link), link }), [link]);
  const isRefused = faultsOf(save.error).length > 0;
  // Saving waits for a running upload.
  const isBusy = useIsMutating({ mutationKey: UPLOAD_KEY }) > 0 || save.isPending;

  return (
    <FormProvider {...form}>
      <FaultsProvider value={faults}>
        <EditorProvider value={context}>
          <Panes>
            <form
              className={styles.form}
              noValidate
              onSubmit={(event) => {
                event.preventDefault();
                if (!isBusy) save.mutate();
              }}
              ref={draft.watchTouches}
            >
              {tries > 0 ? <Problems faults={faults} tries={tries} /> : null}
              {onType === undefined ? null : <TypeField type={type} onType={onType} />}
              <NameAndAddress />
              <Sections key={type} type={type} />
              <SaveBar label={submitLabel} error={isRefused ? null : save.error} isBusy={isBusy} />
            </form>
            <Preview
              ref={frames}
              type={type}
              state={draft.state}
              look={look}
              onLook={setLook}
              onLeft={draft.refresh}
            />
          </Panes>
          <LeaveGuard guard={guard} />
        </EditorProvider>
      </FaultsProvider>
    </FormProvider>
  );
}

/** Form and preview side by side, or one of them in narrow windows. */
function Panes({ children }: { readonly children: ReactNode }) {
  const words = useWords();
  const [pane, setPane] = useState<'form' | 'preview'>('form');
  return (
    <>
      <div className={styles.panes}>
        <RadioGroup
          label={words.pane}
          options={[
            { value: 'form', label: words.panes.form },
            { value: 'preview', label: words.panes.preview },
          ]}
          value={pane}
          onChange={setPane}
        />
      </div>
      <div className={`${styles.editor} ${pane === 'form' ? styles.showsForm : styles.showsPreview}`}>
        {children}
      </div>
    </>
  );
}

function TypeField({
  type,
  onType,
}: {
  readonly type: SmartlinkType;
  readonly onType: (type: SmartlinkType) => void;
}) {
  const words = useWords();
  return (
    <RadioGroup
      label={words.type}
      description={words.typeHints[type]}
      options={TYPES.map((value) => ({ value, label: <TypeLabel type={value} /> }))}
      value={type}
      onChange={onType}
    />
  );
}

function SaveBar({
  label,
  error,
  isBusy,
}: {
  readonly label: string;
  readonly error: unknown;
  readonly isBusy: boolean;
}) {
  const words = useWords();
  const { isDirty } = useFormState();
  return (
    <div className={styles.bar}>
      <ErrorLine error={error} />
      <Button type="submit" look="primary" isBusy={isBusy}>
        {label}
      </Button>
      {isDirty ? <p className={styles.hint}>{words.notSaved}</p> : null}
    </div>
  );
}

function TypeLabel({ type }: { readonly type: SmartlinkType }) {
  const { types } = usePartsWords();
  return (
    <span className={styles.type}>
      <Icon name={TYPE_ICONS[type]} size={18} />
      {types[type]}
    </span>
  );
}

const faultsOf = (error: unknown): readonly Fault[] => (apiError(error)?.details ?? []) as readonly Fault[];

function isProtected(link: Smartlink | undefined): boolean {
  return link?.type === 'Url' && link.shortener.protected;
}
