import { useMutation } from '@tanstack/react-query';
import type { BaseSyntheticEvent, ReactNode } from 'react';
import { type FieldValues, type Path, useForm } from 'react-hook-form';
import { faultsByPath } from './fault-text.js';
import { ErrorLine } from './notice.js';
import { useWords } from './words.js';

/** A form whose values the API judges. `values` fill it, and fill it again when they change. */
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
  // Values have fields, which show their faults.
  let isShown = faults.some(([path]) => Object.hasOwn(values, path.replace(/\..*$/, '')));
  /** The fault at a path of the API, or at an item of the list there. */
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
    /** For a field of `name`, whose fault stands at `path`. */
    field: (name: Path<Values>, path: string = name) => ({ ...register(name), error: fault(path) }),
    error: call.error,
    isBusy: call.isPending,
    submit: (event: BaseSyntheticEvent) => {
      event.preventDefault();
      if (!call.isPending) void handleSubmit((given) => call.mutate(given))(event);
    },
    /** The error, unless fields show it; after them. */
    failure: (): ReactNode => (isShown ? null : <ErrorLine error={call.error} />),
  };
}

export type ApiForm<Values extends FieldValues> = ReturnType<typeof useApiForm<Values, unknown>>;
