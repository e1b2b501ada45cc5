import { createContext, useContext } from 'react';
import type { Smartlink } from '@smartlink/client';

/** State of the smartlink that fields need besides their values. */
type EditorContext = {
  /** A password is stored; an empty field keeps it. */
  readonly hasPassword: boolean;
  /** As saved; undefined if it is new. */
  readonly link: Smartlink | undefined;
};

const Context = createContext<EditorContext>({ hasPassword: false, link: undefined });
export const EditorProvider = Context.Provider;
export const useEditor = (): EditorContext => useContext(Context);
