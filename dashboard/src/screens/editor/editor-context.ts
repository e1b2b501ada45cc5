import { createContext, useContext } from 'react';

/** State of the smartlink that fields need besides their values. */
type EditorContext = {
  /** A password is stored; an empty field keeps it. */
  readonly hasPassword: boolean;
};

const Context = createContext<EditorContext>({ hasPassword: false });
export const EditorProvider = Context.Provider;
export const useEditor = (): EditorContext => useContext(Context);
