import { createContext, useContext } from 'react';

/** What fields must know of the smartlink beside their values. */
type EditorContext = {
  /** A password is stored, which an empty field leaves as it is. */
  readonly hasPassword: boolean;
};

const Context = createContext<EditorContext>({ hasPassword: false });
export const EditorProvider = Context.Provider;
export const useEditor = (): EditorContext => useContext(Context);
