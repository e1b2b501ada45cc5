import { type ChangeEvent, useEffect, useRef, useState } from 'react';

const PAUSE_MS = 150;

/** State of a search field: calls `onSearch` when typing pauses, and follows changes of `value` from outside. */
export function useSearchText(value: string, onSearch: (text: string) => void) {
  const [text, setText] = useState(value);
  const reported = useRef(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (value === reported.current) return;
    reported.current = value;
    setText(value);
  }, [value]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => {
    setText(target.value);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      reported.current = target.value.trim();
      onSearch(reported.current);
    }, PAUSE_MS);
  };
  return { value: text, onChange };
}

/** The value once it has not changed for a moment. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
