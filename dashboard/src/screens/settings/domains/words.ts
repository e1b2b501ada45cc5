import { wordsOf } from '../../../words/words.js';
import type { words } from './words/en.js';

export const useWords = wordsOf<typeof words>('screens/settings/domains');
