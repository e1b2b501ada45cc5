import { useMutation } from '@tanstack/react-query';
import type { BaseSyntheticEvent, ReactNode } from 'react';
import { type FieldValues, type Path, useForm } from 'react-hook-form';
import { faultsByPath } from './fault-text.js';
import { ErrorLine } from './notice.js';
import { useWords } from './words.js';

/** A form validated by the API. It is reset when `values` change. */
export function useApiForm<Values extends FieldValues, Result>({
  values,
  action,
  onDone,
}: {
  readonly values: Values;
  readonly action: (values: Values) => Promise<Result>;
  readonly onDone: (result: Result) => unknown;
}) {
  const { register, handleSubmit, watch, setValue, reset } = useForm<Values>({ values });
  const call = useMutation({ mutationFn: (given: Values) => action(given), onSuccess: onDone });
  const faults = [...faultsByPath(call.error, useWords())];
  // Every value has a field, which shows its fault.
  let isShown = faults.some(([path]) => Object.hasOwn(values, path.replace(/\..*$/, '')));
  /** The fault at a path of the request, or at an item of the list there. */
  const fault = (path: string): string | undefined => {
    const found = faults.find(([at]) => at.replace(/\.\d+$/, '') === path)?.[1];
    isShown ||= found !== undefined;
    return found;
  };
  return {
    register,
    watch,
    setValue,
    reset,
    fault,
    /** Props of the field of `name`; its fault has `path` in the request. */
    field: (name: Path<Values>, path: string = name) => ({ ...register(name), error: fault(path) }),
    error: call.error,
    isBusy: call.isPending,
    submit: (event: BaseSyntheticEvent) => {
      event.preventDefault();
      // A dialog that a form has opened is inside it for React.
      event.stopPropagation();
      if (!call.isPending) void handleSubmit((given) => call.mutate(given))(event);
    },
    /** The error, unless a field shows it. Called after the fields. */
    failure: (): ReactNode => (isShown ? null : <ErrorLine error={call.error} />),
  };
}

export type ApiForm<Values extends FieldValues> = ReturnType<typeof useApiForm<Values, unknown>>;
